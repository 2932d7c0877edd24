"""Taking back leases: expired ones, those of dead workers, and those of orders that the broker lost or never got."""

import logging
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from engine.sentences import Sentence
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import resting_workers, spaces_with_workers
from tournaments.core.broker.failing_items import FAILING_ITEMS, STEPS, item_name
from tournaments.ledger.dispatch.leases import release
from tournaments.ledger.dispatch.open_sets import not_begun
from tournaments.ledger.dispatch.taken_orders import left_by
from tournaments.models import Attempt, Match, MatchSet
from workers.isolation import handle_each
from workers.logs import log_about
from workers.orders import Order

PLAYING = Attempt.Outcome.PLAYING

log = logging.getLogger(__name__)


def sweep_leases() -> int:
    """Take back leases that ran out or whose worker is gone. Returns how many."""
    parts = (_publish_resting, _sweep_gone, _sweep_overdue)
    return handle_each(
        "dispatcher", parts, lambda part: part(), STEPS, lambda part: part.__name__.strip("_").replace("_", " ")
    )


def _publish_resting() -> int:
    """Publish drained and blocked workers in the broker again, because it may lose them."""
    reasons = {worker.name: worker.rests_because for worker in resting_workers()}
    if reasons != queues.reasons_to_rest():
        queues.set_resting(reasons)
    return 0


def _queued() -> QuerySet[MatchSet]:
    sent = Attempt.objects.filter(match__set=OuterRef("pk"), outcome=Attempt.Outcome.SENT)
    return not_begun().filter(Exists(sent))


def give_order_back(order: Order) -> None:
    """It was not sent."""
    for sent in order.matches:
        _end(_leased(sent.match, sent.lease), "the queue could not be reached", failed=False)


def take_back_forgotten() -> int:
    """Take back all orders that the broker lost. A set that is being played is left to its heartbeats."""
    lost = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set__in=_queued())
    return _end_each(lost, "the queue was lost")


def _sweep_gone() -> int:
    """Take back the match of a dead worker, and the rest of its order, which it had not begun."""
    gone = queues.workers_gone(spaces_with_workers())
    if not gone:
        return 0
    held = Attempt.objects.filter(outcome=PLAYING, worker__in=gone).select_related("match")
    return sum(_end_with(attempt) for attempt in held) + sum(map(_end_taken, left_by(gone)))


def _end_taken(attempts: list[Attempt]) -> int:
    """End the attempts of a worker that died before it said what it plays: that was most likely the first."""
    begun, unbegun = (
        Attempt.objects.filter(pk__in=[attempt.pk for attempt in part]) for part in (attempts[:1], attempts[1:])
    )
    ended = _end_each(begun, "the worker that took it is gone", failed=True)
    return ended + _end_each(unbegun, "the worker that took its set is gone")


def _end_with(attempt: Attempt) -> int:
    unbegun = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set=attempt.match.set_id)
    begun = Attempt.objects.filter(pk=attempt.pk)
    ended = _end_each(begun, f"{attempt.worker} began it and is gone", failed=True)
    return ended + _end_each(unbegun, f"{attempt.worker}, which had its set, is gone")


def _sweep_overdue() -> int:
    if not Match.objects.filter(status=Match.Status.LEASED, lease_until__lt=Now()).exists():
        return 0
    # Heartbeats may lie unread while no recorder runs.
    grace = settings.LEASE_QUEUED if queues.reports_waiting() else 0
    due = Now() - timedelta(seconds=grace)
    overdue = Match.objects.filter(status=Match.Status.LEASED, lease_until__lt=due)
    leased = {item_name(match): _leased(match.pk, match.lease).filter(lease_until__lt=due) for match in overdue}
    return handle_each("leases", leased, lambda name: _end(leased[name]), FAILING_ITEMS)


def _end_each(attempts: QuerySet[Attempt], reason: str, *, failed: bool = False) -> int:
    """End each of these leases."""
    end = partial(_end, reason=reason, failed=failed)
    leases = [(f"match {match}", _leased(match, lease)) for match, lease in attempts.values_list("match", "lease")]
    return handle_each("leases", leases, lambda item: end(item[1]), FAILING_ITEMS, lambda item: item[0])


def _silence(attempt: Attempt) -> tuple[str, bool]:
    """Why no heartbeat came, and whether it counts against the match: not if there was no worker."""
    if attempt.outcome == PLAYING:
        return Sentence("%(worker)s began it and was not heard from again", worker=attempt.worker), True
    if attempt.worker:
        return Sentence("%(worker)s, which had its set, was not heard from again", worker=attempt.worker), False
    of = attempt.match.set
    later = Attempt.objects.filter(pk__gt=attempt.pk).exclude(match__set=of)
    later = later.filter(match__set__at_own=True, match__set__space=of.space_id) if of.at_own else later
    if later.exclude(worker="").exists():
        return Sentence("it was not begun, though orders sent later were"), True
    return Sentence("no worker took it"), False


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
    with log_about(set=match.set_id, match=match.pk, lease=match.lease):
        log.info("taken back: %s", reason)
    return True
