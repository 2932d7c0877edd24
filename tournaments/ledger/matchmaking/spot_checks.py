"""Spot checks: a share of the matches is played again by other workers, and the answers are compared.

The recorder verifies a replay by the rules; only the worker that played saw the bots' answers. So a match, drawn at
random when its set is over, is played again by a second worker, and if the answers differ, by a third.
`tournaments.ledger.recording.divergent_workers` says what follows. Where a bot failed, in time or otherwise, that is
not known to fail at other workers, one match of the set is always played again: a worker that lies about failures is
found by the first few. Of a space's matches, too, they are the site's workers that play again, unless the space takes
its own alone.
"""

import secrets
from collections.abc import Iterable
from functools import partial
from itertools import islice

from django.conf import settings
from django.db.models import Q, QuerySet

from engine.referee import Verdict
from tournaments.core.broker.available_workers import CHOSEN, AvailableWorkers
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.matchmaking.checks_elsewhere import gone_wrong, send_elsewhere
from tournaments.models import Attempt, Ladder, Match, MatchSet, Result, Seat, Worker
from tournaments.models.set_creation import create_match_set
from workers.capacity import Capacity, needed_capacity
from workers.isolation import handle_each
from workers.sandbox.wasm import TIER

LATELY = 200  # matches of a version
MOST_WAITING = 20  # checks of a ladder without a worker, as where there is only one


def draw_spot_checks(matches: Iterable[int]) -> None:
    """Draw which of these matches of a finished set are played again."""
    if not settings.SPOT_CHECKS:
        return
    numbers = list(matches)
    chosen = {match for match in numbers if secrets.randbelow(10**6) < settings.SPOT_CHECKS * 10**6}
    chosen |= _with_a_new_failure(numbers)
    for match in Match.objects.filter(pk__in=chosen).select_related("set").order_by("turn") if chosen else ():
        if all_are_there(match) and not _many_wait(match.set):
            play_match_again(match)


def _many_wait(of: MatchSet) -> bool:
    """Return whether so many checks of the ladder have no other worker that one more would never be played."""
    return _waiting().filter(needs=CHOSEN, ladder=of.ladder_id)[:MOST_WAITING].count() == MOST_WAITING


def _with_a_new_failure(matches: Iterable[int]) -> set[int]:
    """Return the first of these matches in which a bot failed that did not fail lately at another worker, if any."""
    failed = Seat.objects.filter(match__in=matches, withdrawn=False).exclude(verdict=Verdict.OK)
    seats = failed.select_related("match__result").order_by("match__turn", "number")
    return {seat.match_id for seat in islice(filter(_is_new, seats), 1)}


def _is_new(failed: Seat) -> bool:
    worker = failed.match.result.worker.partition("/")[0]
    lately = Seat.objects.filter(version=failed.version_id).order_by("-match").values("pk")[:LATELY]
    elsewhere = Seat.objects.filter(pk__in=lately, verdict=failed.verdict, match__result__isnull=False)
    return not elsewhere.exclude(match__result__worker__startswith=f"{worker}/").exists()


def all_are_there(match: Match) -> bool:
    """Whether no bot in it is erased."""
    return not match.seats.filter(version__bundle__size=0).exists()


def play_match_again(match: Match) -> MatchSet:
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
    return assign(AvailableWorkers.here()) if _waiting().exists() or gone_wrong().exists() else 0


def assign(online: AvailableWorkers) -> int:
    """Assign each check to a worker that has not played the match, and draw anew where one has left, or has failed."""
    present = {CHOSEN + worker.name for worker in online.workers}
    waiting = _waiting().exclude(needs__in=present, matches__lease=0).select_related("rechecks", "ladder", "space")
    assigned = handle_each("spot checks", waiting.order_by("pk"), partial(_assign, online), FAILING_ITEMS, item_name)
    return assigned + handle_each(
        "checks", gone_wrong(), partial(send_elsewhere, online=online), FAILING_ITEMS, item_name
    )


def _waiting() -> QuerySet[MatchSet]:
    return MatchSet.objects.filter(line="again", status=MatchSet.Status.OPEN, matches__status=Match.Status.WAITING)


def _assign(online: AvailableWorkers, match_set: MatchSet) -> int:
    return MatchSet.objects.filter(pk=match_set.pk).update(needs=CHOSEN + _any_worker(match_set, online))


def _any_worker(match_set: MatchSet, online: AvailableWorkers) -> str:
    """A random process of a random worker, or "". Of one that failed at it only if there is no other."""
    space = match_set.space.slug if match_set.space else ""
    checkers = "" if online.takes_sites(space) else space  # of its own workers it takes two, whom one may own
    able = online.able(match_set.game, match_set.rules, _needs(match_set), checkers)
    played = _names(Result.objects.filter(match__in=_plays_of(match_set)))
    failed = _names(Attempt.objects.filter(match__set=match_set, failed=True))
    heard_of = Worker.objects.filter(name__in={worker.proven for worker in able} - played)
    names = set(heard_of.values_list("name", flat=True))  # anybody can announce others in the broker
    if not names:
        return ""
    name = secrets.choice(sorted(names - failed or names))
    return secrets.choice([worker.name for worker in able if worker.proven == name])


def _names(reported: QuerySet[Result] | QuerySet[Attempt]) -> set[str]:
    return {worker.partition("/")[0] for worker in reported.values_list("worker", flat=True)}


def _plays_of(match_set: MatchSet) -> QuerySet[Match]:
    return Match.objects.filter(Q(pk=match_set.rechecks_id) | Q(set__rechecks=match_set.rechecks_id))


def _needs(match_set: MatchSet) -> set[str]:
    seats, ladder = Seat.objects.filter(match__set=match_set), match_set.ladder or Ladder()
    machine = needed_capacity(Capacity(ladder.limits.memory_mb * len(seats), ladder.limits.threads * len(seats)))
    if ladder.division == Ladder.Division.FUEL:
        return {TIER, *machine}
    return {*machine, *seats.values_list("version__need", flat=True)}
