"""Orders to the workers, and the sweep, which takes back matches whose lease ran out.

A lease is taken in one transaction and the order sent after it; if this process dies in between, the lease runs out and
the match is sent again.
"""

import logging
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from tournaments.broker import queues
from tournaments.broker.available_workers import AvailableWorkers, resting_workers
from tournaments.broker.failing_items import FAILING_ITEMS, STEPS, name_of
from tournaments.broker.retry import AWAY
from tournaments.dispatch.leases import claim, release, secret_of
from tournaments.dispatch.open_sets import not_begun
from tournaments.dispatch.queue import next_sets
from tournaments.models import Attempt, Ladder, Match, MatchSet, Seat
from workers.isolation import each
from workers.logs import about
from workers.orders import Competitor, MatchOrder, Order
from workers.sandbox.wasm import TIER

PAUSE = timedelta(seconds=3)  # before a match that failed is tried again
WITHDRAWN = "this version was put aside: with it the match could not be played"  # its owner reads it on stderr
PLAYING = Attempt.Outcome.PLAYING

log = logging.getLogger(__name__)


def dispatch() -> int:
    """Send the next waiting sets, as many as the workers will soon need. Returns how many.

    Sets that need the same languages wait in one queue. Those that nobody here can play are not sent; those of rules
    that only another release plays go to its workers, or wait for them.
    """
    chosen = next_sets(AvailableWorkers.here(), PAUSE)
    return each("orders", chosen, lambda one: send(*one), FAILING_ITEMS, lambda one: name_of(one[0]))


def _queued() -> QuerySet[MatchSet]:
    sent = Attempt.objects.filter(match__set=OuterRef("pk"), outcome=Attempt.Outcome.SENT)
    return not_begun().filter(Exists(sent))


def send(match_set: MatchSet, queue: str) -> bool:
    """Lease the waiting matches of a set and send them to that queue; False if there were none."""
    with transaction.atomic():
        claimed = claim(match_set=match_set)
        if not claimed:
            return False
        order = order_for(match_set, claimed)
        transaction.on_commit(lambda: _send_order(order, queue))
    return True


def order_for(match_set: MatchSet, matches: list[Match]) -> Order:
    """The order to play `matches` of the set, each under its present lease."""
    seated = Seat.objects.filter(match__in=matches).select_related("version__bot")
    seats = list(seated.order_by("match__turn", "number"))
    sitting = {_sits(seat): seat for seat in seats}
    index = {sits: number for number, sits in enumerate(sitting)}
    ladder = match_set.ladder or Ladder()
    return Order(
        game=match_set.game,
        rules=match_set.rules,
        options=match_set.options,
        seed=match_set.seed,
        competitors=[_competitor(seat) for seat in sitting.values()],
        matches=[
            MatchOrder(
                match.pk,
                match.lease,
                [index[_sits(seat)] for seat in seats if seat.match_id == match.pk],
                secret_of(match.pk, match.lease),
            )
            for match in matches
        ],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=match_set.strikes,
        tier=TIER if ladder.division == Ladder.Division.FUEL else "",
    )


def _sits(seat: Seat) -> tuple[int, bool]:
    return seat.version_id, seat.withdrawn


def _competitor(seat: Seat) -> Competitor:
    version = seat.version
    why = WITHDRAWN if seat.withdrawn else ""
    return Competitor(version.bot.name, version.number, version.bundle_id, version.filename, why)


def _send_order(order: Order, queue: str) -> None:
    """Send it; if the broker is away, release the leases at once and raise the error."""
    try:
        queues.send_order(order, queue)
    except AWAY:
        for sent in order.matches:
            _end(_leased(sent.match, sent.lease), "the queue could not be reached", failed=False)
        raise


def sweep() -> int:
    """Take back leases that ran out or whose worker is gone. Returns how many."""
    parts = (_publish_resting, _sweep_gone, _sweep_overdue)
    return each(
        "dispatcher", parts, lambda part: part(), STEPS, lambda part: part.__name__.strip("_").replace("_", " ")
    )


def _publish_resting() -> int:
    """Publish drained and blocked workers in the broker again, because it may lose them."""
    reasons = {worker.name: worker.rests_because for worker in resting_workers()}
    if reasons != queues.resting():
        queues.set_resting(reasons)
    return 0


def take_back_forgotten() -> int:
    """Take back all orders that the broker lost. A set that is being played is left to its heartbeats."""
    lost = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set__in=_queued())
    return _end_each(lost, "the queue was lost")


def _sweep_gone() -> int:
    """Take back the match of a dead worker, and the rest of its order, which it had not begun."""
    gone = queues.workers_gone()
    held = Attempt.objects.filter(outcome=PLAYING, worker__in=gone).select_related("match") if gone else []
    return sum(_end_with(attempt) for attempt in held)


def _end_with(attempt: Attempt) -> int:
    rest = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set=attempt.match.set_id)
    begun = Attempt.objects.filter(pk=attempt.pk)
    ended = _end_each(begun, f"{attempt.worker} began it and is gone", failed=True)
    return ended + _end_each(rest, f"{attempt.worker}, which had its set, is gone")


def _sweep_overdue() -> int:
    # Heartbeats may lie unread while no recorder runs.
    grace = settings.LEASE_QUEUED if queues.reports_waiting() else 0
    due = Now() - timedelta(seconds=grace)
    overdue = Match.objects.filter(status=Match.Status.LEASED, lease_until__lt=due)
    leased = {name_of(match): _leased(match.pk, match.lease).filter(lease_until__lt=due) for match in overdue}
    return each("leases", leased, lambda name: _end(leased[name]), FAILING_ITEMS)


def _end_each(attempts: QuerySet[Attempt], reason: str, *, failed: bool = False) -> int:
    """End each of these leases."""
    end = partial(_end, reason=reason, failed=failed)
    found = [(f"match {match}", _leased(match, lease)) for match, lease in attempts.values_list("match", "lease")]
    return each("leases", found, lambda one: end(one[1]), FAILING_ITEMS, lambda one: one[0])


def _silence(attempt: Attempt) -> tuple[str, bool]:
    """Why no heartbeat came, and whether it counts against the match: not if there was no worker."""
    if attempt.outcome == PLAYING:
        return f"{attempt.worker} began it and was not heard of again", True
    later = Attempt.objects.filter(pk__gt=attempt.pk).exclude(match__set=attempt.match.set_id)
    if later.exclude(worker="").exists():
        return "it was not begun, though orders sent later were", True
    return "no worker took it", False


def _leased(match: int, lease: int) -> QuerySet[Match]:
    return Match.objects.filter(pk=match, lease=lease, status=Match.Status.LEASED)


@transaction.atomic
def _end(leased: QuerySet[Match], reason: str = "", *, failed: bool = False) -> bool:
    """Expire one lease, if it is still as `leased` says: a report may have ended or renewed it meanwhile."""
    match = leased.select_for_update(of=("self", "set")).select_related("set").first()
    if match is None:
        return False
    if not reason:
        reason, failed = _silence(match.attempts.get(lease=match.lease))
    release(match=match, outcome=Attempt.Outcome.EXPIRED, reason=reason, failed=failed)
    with about(set=match.set_id, match=match.pk, lease=match.lease):
        log.info("taken back: %s", reason)
    return True
