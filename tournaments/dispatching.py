"""Orders to the workers, and back to waiting whatever did not come home.

A lease is taken in one transaction and the order sent after it; should this process die in between, the lease runs out
and the match is sent again.
"""

import logging
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from tournaments import bell
from tournaments.crew import Crew, resting_workers
from tournaments.leases import claim, release
from tournaments.models import Attempt, Ladder, Match, MatchSet, Seat
from tournaments.patience import AWAY
from tournaments.practices import turns
from tournaments.queueing import Way, next_sets
from tournaments.spot_checks import CHOSEN, assign
from workers.logs import about
from workers.orders import TAG, Competitor, MatchOrder, Order, own_queue, queue_for
from workers.sandbox.wasm import TIER

HEARD_OF = timedelta(minutes=1)  # a worker is known for so long after its last report
PAUSE = timedelta(seconds=3)  # before a match that failed is tried again
PLAYING = Attempt.Outcome.PLAYING

log = logging.getLogger(__name__)


def workers_known() -> int:
    """As many as have been heard of, and 1 if none has, so that the first one finds something to do."""
    return max(1, workers_heard_of())


def workers_heard_of() -> int:
    """How many workers have given a sign of themselves lately."""
    lately = Attempt.objects.filter(ended_at__gt=Now() - HEARD_OF).exclude(worker="")
    playing = Attempt.objects.filter(outcome=PLAYING)
    return lately.values("worker").union(playing.values("worker")).count()


def dispatch() -> int:
    """Send what comes next of all that waits, as many sets as the workers will soon need. Returns how many.

    Sets that need the same languages wait in one queue. Those that nobody here can play are not sent; those of rules
    that only another release plays go to its workers, or wait for them.
    """
    crew = Crew.here()
    assign(crew)
    return sum(send(match_set, _place(crew, way)[0]) for match_set, way in next_sets(partial(_place, crew), PAUSE))


def _place(crew: Crew, way: Way) -> tuple[str, int]:
    """The queue that sets of this way go to, and how many workers take from it."""
    if way.needs.startswith(CHOSEN):
        worker = way.needs.removeprefix(CHOSEN)
        return own_queue(worker), sum(it.name == worker for it in crew.workers)
    needs = way.needs.split(",")
    if (tag := crew.release_for(way.game, way.rules)) is None:
        return "", 0
    workers = crew.players_of(needs, tag)
    unknown = workers_known() if tag == TAG else 0  # that another release is here must be known
    return queue_for(needs, tag), unknown if workers is None else workers


def not_begun() -> QuerySet[MatchSet]:
    """Open sets that no worker plays yet: not sent, or waiting in the queue."""
    playing = Attempt.objects.filter(match__set=OuterRef("pk"), outcome=PLAYING)
    return MatchSet.objects.filter(~Exists(playing), status=MatchSet.Status.OPEN)


def _queued() -> QuerySet[MatchSet]:
    sent = Attempt.objects.filter(match__set=OuterRef("pk"), outcome=Attempt.Outcome.SENT)
    return not_begun().filter(Exists(sent))


def send(match_set: MatchSet, queue: str) -> bool:
    """Lease what waits of a set and send it to that queue; False if nothing was there to lease."""
    with transaction.atomic():
        claimed = claim(match_set=match_set)
        if not claimed:
            return False
        order = order_for(match_set, claimed)
        transaction.on_commit(lambda: _ring(order, queue))
    return True


def order_for(match_set: MatchSet, matches: list[Match]) -> Order:
    """What a worker needs to know to play `matches` of the set, each under its present lease."""
    seated = Seat.objects.filter(match__in=matches).select_related("version__bot")
    seats = list(seated.order_by("match__turn", "number"))
    versions = list({seat.version_id: seat.version for seat in seats}.values())
    index = {version.pk: number for number, version in enumerate(versions)}
    ladder = match_set.ladder or Ladder()
    return Order(
        game=match_set.game,
        rules=match_set.rules,
        options=match_set.options,
        seed=match_set.seed,
        competitors=[Competitor(v.bot.name, v.number, v.bundle_id, v.filename) for v in versions],
        matches=[
            MatchOrder(match.pk, match.lease, [index[seat.version_id] for seat in seats if seat.match_id == match.pk])
            for match in matches
        ],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=match_set.strikes,
        tier=TIER if ladder.division == Ladder.Division.FUEL else "",
    )


def _ring(order: Order, queue: str) -> None:
    """Send it; if the broker is away, give the leases back at once and let the caller hear of it."""
    try:
        bell.ring(order, queue)
    except AWAY:
        for sent in order.matches:
            _end(_leased(sent.match, sent.lease), "the queue could not be reached", failed=False)
        raise


def sweep() -> int:
    """Take back the leases that ran out, whose worker is gone or whose order the broker forgot. Returns how many."""
    return _tell_resting() + _sweep_forgotten() + _sweep_gone() + _sweep_overdue() + turns.sweep()


def _tell_resting() -> int:
    """Workers hear from the broker that they are drained or blocked, and it may forget."""
    reasons = {worker.name: worker.rests_because for worker in resting_workers()}
    if reasons != bell.resting():
        bell.tell_resting(reasons)
    return 0


def _sweep_forgotten() -> int:
    """A set that somebody plays is left to its signs of life: it does not need the broker's memory."""
    if not bell.has_forgotten():
        return 0
    lost = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set__in=_queued())
    sent = [_leased(match, lease) for match, lease in lost.values_list("match", "lease")]
    ended = sum(_end(leased, "the queue was lost", failed=False) for leased in sent) + turns.ring_all()
    bell.remember()
    return ended


def _sweep_gone() -> int:
    """What a dead worker was at work on; the rest of its order too, which it had not begun."""
    gone = bell.workers_gone()
    held = Attempt.objects.filter(outcome=PLAYING, worker__in=gone).select_related("match") if gone else []
    ended = 0
    for attempt in held:
        reason = f"{attempt.worker} began it and is gone"
        ended += _end(_leased(attempt.match_id, attempt.lease), reason, failed=True)
        rest = Attempt.objects.filter(outcome=Attempt.Outcome.SENT, match__set=attempt.match.set_id)
        for match, lease in rest.values_list("match", "lease"):
            ended += _end(_leased(match, lease), f"{attempt.worker}, which had its set, is gone", failed=False)
    return ended


def _sweep_overdue() -> int:
    # Signs of life may lie unread while no recorder runs.
    grace = settings.LEASE_QUEUED if bell.reports_waiting() else 0
    due = Now() - timedelta(seconds=grace)
    overdue = Match.objects.filter(status=Match.Status.LEASED, lease_until__lt=due).values_list("pk", "lease")
    return sum(_end(_leased(*match).filter(lease_until__lt=due)) for match in overdue)


def _silence(attempt: Attempt) -> tuple[str, bool]:
    """Why nothing was heard, and whether it counts against the match: not if there simply was no worker."""
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
