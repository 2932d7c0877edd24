"""Spot checks: a share of the matches is played again by other workers, and the answers are compared.

The recorder verifies a replay by the rules; only the worker that played saw the bots' answers. So a match, drawn at
random when its set is over, is played again by a second worker, and if the answers differ, by a third.
`tournaments.recording.divergent_workers` says what follows. Matches in which time ran out are left out: no two hosts
are equally quick. Of a space's matches, too, they are the site's workers that play again, unless the space takes its
own alone.
"""

import secrets
from collections.abc import Iterable
from functools import partial

from django.conf import settings
from django.db.models import Q, QuerySet

from engine.referee import Verdict
from tournaments.broker.available_workers import CHOSEN, AvailableWorkers
from tournaments.broker.failing_items import FAILING_ITEMS, name_of
from tournaments.models import Ladder, Match, MatchSet, Result, Seat
from tournaments.models.set_creation import create_match_set
from workers.isolation import each
from workers.sandbox.wasm import TIER


def choose(matches: Iterable[int]) -> None:
    """When their set is over, draw which of these matches are played again."""
    drawn = [match for match in matches if secrets.randbelow(10**6) < settings.SPOT_CHECKS * 10**6]
    for match in Match.objects.filter(pk__in=drawn).select_related("set").order_by("turn") if drawn else ():
        if not match.seats.filter(verdict=Verdict.TIMED_OUT).exists() and all_are_there(match):
            again(match)


def all_are_there(match: Match) -> bool:
    """Whether no bot in it is erased."""
    return not match.seats.filter(version__bundle__size=0).exists()


def again(match: Match) -> MatchSet:
    """Deal the same seed and seats again, as a separate set that does not count."""
    of = match.set
    seats = match.seats.order_by("number").values_list("version", flat=True)
    return create_match_set(
        rechecks=match,
        needs=CHOSEN,
        ladder_id=of.ladder_id,
        game=of.game,
        rules=of.rules,
        options=of.options,
        seed=of.seed,
        tables={match.turn: list(seats)},
    )


def assign_due() -> int:
    """Assign workers to waiting checks. Returns how many changed. Raises RedisError."""
    return assign(AvailableWorkers.here()) if _waiting().exists() else 0


def assign(online: AvailableWorkers) -> int:
    """Assign each to a worker that has not played the match, and replace workers that left."""
    here = {CHOSEN + worker.name for worker in online.workers}
    unassigned = _waiting().exclude(needs__in=here).select_related("rechecks", "ladder", "space").order_by("pk")
    return each("spot checks", unassigned, partial(_assign, online), FAILING_ITEMS, name_of)


def _waiting() -> QuerySet[MatchSet]:
    waiting = MatchSet.objects.filter(line="again", status=MatchSet.Status.OPEN, matches__status=Match.Status.WAITING)
    return waiting.filter(stand_in=None)  # those may be played by anybody


def _assign(online: AvailableWorkers, match_set: MatchSet) -> int:
    return MatchSet.objects.filter(pk=match_set.pk).update(needs=CHOSEN + _any_worker(match_set, online))


def _any_worker(match_set: MatchSet, online: AvailableWorkers) -> str:
    """A random process, or None."""
    played = Result.objects.filter(match__in=_plays_of(match_set)).values_list("worker", flat=True)
    names = {worker.partition("/")[0] for worker in played}
    space = match_set.space.slug if match_set.space else ""
    checkers = "" if online.takes_sites(space) else space  # of its own workers it takes two, whom one may own
    able = online.able(match_set.game, match_set.rules, _needs(match_set), checkers)
    others = [worker.name for worker in able if worker.proven not in names]
    return secrets.choice(others) if others else ""


def _plays_of(match_set: MatchSet) -> QuerySet[Match]:
    return Match.objects.filter(Q(pk=match_set.rechecks_id) | Q(set__rechecks=match_set.rechecks_id))


def _needs(match_set: MatchSet) -> set[str]:
    if match_set.ladder and match_set.ladder.division == Ladder.Division.FUEL:
        return {TIER}
    return set(Seat.objects.filter(match__set=match_set).values_list("version__need", flat=True))
