"""Matches that cannot be played: which version is the cause, and what follows (see docs/ratings.md).

A match that has failed too often is set aside and its set stays open: what is finished is neither lost nor rated, so
nobody gains by making the platform fail. If the failures point to one version, it is put aside: its entries
are suspended, and those matches are played without it, so that it forfeits them and the others play on. Else an
organiser decides.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F, Q, QuerySet

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.accounts.sides import Sides
from tournaments.core.notices import triggers
from tournaments.ledger.competitors.entry_states import suspend
from tournaments.models import Attempt, Entry, Match, MatchSet, Seat, Version

PUT_ASIDE = "version_put_aside"  # the kind of its act
WORKERS = 2  # on so many different ones a match must have failed: one worker alone may be what is broken
OWNERS = 3  # with whose bots a version must have failed: two people who lie are not enough to frame a third
RECENT = 50  # of its latest matches


def somebody_could_gain(match_set: MatchSet) -> bool:
    """Whether somebody could gain if the set never ended."""
    return bool(match_set.number or match_set.event_id or match_set.trial_id)


def find_cause(match: Match) -> None:
    """Find the cause for a match that was just set aside and is locked."""
    sitting = match.seats.filter(withdrawn=False).order_by().values_list("version", flat=True).distinct()
    suspects = [version for version in sitting if _points_to(version)]
    if len(suspects) == 1:
        put_version_aside(Version.objects.select_related("bot").get(pk=suspects[0]))


def _points_to(version: int) -> bool:
    """Whether matches with it failed with bots of several owners, and with at least half of those that it met."""
    sat = Seat.objects.filter(version=version).order_by("-match").values_list("match", "match__status").distinct()
    latest = dict(sat[:RECENT])
    failed = set_aside(version).filter(pk__in=latest).values_list("pk", flat=True)
    done = [match for match, status in latest.items() if status == Match.Status.DONE]
    owners = _others(version, [match for match in failed if _workers(match) >= WORKERS])
    return len(owners) >= OWNERS and 2 * len(owners) >= len(owners | _others(version, done))


def set_aside(version: int) -> QuerySet[Match]:
    """Matches with it that wait for a decision."""
    sat = Seat.objects.filter(version=version, withdrawn=False, match__status=Match.Status.QUARANTINED)
    return Match.objects.filter(pk__in=sat.values("match"), set__status=MatchSet.Status.OPEN)


def _others(version: int, matches: Iterable[int]) -> set[int]:
    """The owners of the other bots in these matches, a team being one."""
    sides, mine = Sides(), Version.objects.values_list("bot__owner", flat=True).get(pk=version)
    seats = Seat.objects.filter(match__in=matches).values_list("version__bot__owner", flat=True).distinct()
    return {sides.of(owner) for owner in seats} - {sides.of(mine)}


def _workers(match: int) -> int:
    failed = Attempt.objects.filter(match=match, failed=True, lease__gt=F("match__forgiven")).exclude(worker="")
    return len({worker.partition("/")[0] for worker in failed.values_list("worker", flat=True)})


@transaction.atomic
def put_version_aside(version: Version) -> None:
    """Suspend it until its owner uploads another version, or an organiser decides otherwise."""
    matches = list(set_aside(version.pk).select_for_update(of=("self",)).order_by("pk"))
    for match in matches:
        play_without(match, version)
    numbers = ", ".join(str(match.pk) for match in matches)
    reason = Sentence(
        "matches %(numbers)s could not be played by several workers, with bots of several owners: it sat in all",
        numbers=numbers,
    )
    act = append(
        kind=PUT_ASIDE,
        by=PLATFORM,
        subject=version,
        reason=reason,
        detail={"matches": [match.pk for match in matches]},
        space=version.bot.space_id,
    )
    if version.status == Version.Status.ACTIVE:
        suspend(Entry.objects.filter(Q(pinned=version) | Q(pinned=None), bot=version.bot))
    triggers.notify_of_version_put_aside(version, act)


def play_without(match: Match, version: Version) -> None:
    """The match waits for a worker again; there the version is absent, and forfeits."""
    Seat.objects.filter(match=match, version=version).update(withdrawn=True)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.WAITING, forgiven=F("lease"), lease_until=None)
