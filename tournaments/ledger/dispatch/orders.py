"""Orders to the workers.

A lease is taken in one transaction and the order sent after it; if this process dies in between, the lease runs out and
the match is sent again.
"""

import logging
from collections import deque
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db import transaction

from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.celery_app import app
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.dispatch.check_turns import patience_ms
from tournaments.ledger.dispatch.claims import LeasedSeat, claim_all
from tournaments.ledger.dispatch.giving_way import make_way
from tournaments.ledger.dispatch.leases import lease_secret
from tournaments.ledger.dispatch.sweep import give_order_back
from tournaments.ledger.dispatch.waiting_sets import sets_to_send
from tournaments.models import Attempt, Ladder, Match, MatchSet, Seat
from workers.isolation import handle_each
from workers.orders import Competitor, MatchOrder, Order, space_of_queue
from workers.sandbox.wasm import TIER

PAUSE = timedelta(seconds=3)  # before a match that failed is tried again
WITHDRAWN = "this version was put aside: with it the match could not be played"  # its owner reads it on stderr
TOGETHER = 100  # sets that are claimed at once
Chosen = Sequence[tuple[MatchSet, str]]  # with the queue of each
PLAYING = Attempt.Outcome.PLAYING

log = logging.getLogger(__name__)


def dispatch() -> int:
    """Send the next waiting sets, as many as the workers will soon need. Returns how many.

    Sets that need the same languages wait in one queue. Those that nobody here can play are not sent; those of rules
    that only another release plays go to its workers, or wait for them.
    """
    online = AvailableWorkers.here()
    make_way(online)
    chosen = sets_to_send(online, PAUSE)
    failing = [pair for pair in chosen if FAILING_ITEMS.knows("orders", item_name(pair[0]))]
    sound = [pair for pair in chosen if pair not in failing]
    parts = [sound[start : start + TOGETHER] for start in range(0, len(sound), TOGETHER)]
    return sum(map(_send_together, parts)) + _send_each(failing)


def _send_together(chosen: Chosen) -> int:
    """Should one be odd, each is sent by itself."""
    try:
        return send_all(chosen)
    except Exception as error:
        if FAILING_ITEMS.is_away(error):
            raise
        log.warning("%s sets could not be sent together: %s", len(chosen), error)
    return _send_each(chosen)


def _send_each(chosen: Chosen) -> int:
    return handle_each("orders", chosen, lambda pair: send_all([pair]), FAILING_ITEMS, lambda pair: item_name(pair[0]))


def lease_and_send(match_set: MatchSet, queue: str) -> bool:
    """Lease the waiting matches of a set and send them to that queue; False if there were none."""
    return bool(send_all([(match_set, queue)]))


def send_all(chosen: Chosen) -> int:
    """Send the orders of several sets. Returns how many sets had matches to send."""
    with transaction.atomic():
        claimed = claim_all(match_set.pk for match_set, _ in chosen)
        leased = [(match_set, queue) for match_set, queue in chosen if match_set.pk in claimed]
        _note_whose(leased)
        orders = [(_order(match_set, claimed[match_set.pk]), queue) for match_set, queue in leased]
        transaction.on_commit(partial(_send_orders, orders))
    return len(orders)


def _note_whose(chosen: Chosen) -> None:
    """Note which sets go to workers of their own space: the queues of the two are filled apart."""
    for is_own in (True, False):
        turned = [
            match_set.pk for match_set, queue in chosen if bool(space_of_queue(queue)) is is_own is not match_set.at_own
        ]
        if turned:
            MatchSet.objects.filter(pk__in=turned).update(at_own=is_own)


def _send_orders(orders: Sequence[tuple[Order, str]]) -> None:
    """Send the orders. If one cannot be sent, for example without a broker, release the leases of those left."""
    unsent = deque(orders)
    try:
        queues.note_orders(orders)
        with app.producer_or_acquire() as producer:
            while unsent:
                _send_order(*unsent[0], producer)
                unsent.popleft()
    except Exception:
        for order, _ in unsent:
            give_order_back(order)
        raise


def order_of_set(match_set: MatchSet, matches: list[Match]) -> Order:
    """The order to play `matches` of the set, each under its present lease."""
    seated = Seat.objects.filter(match__in=matches).select_related("version__bot").order_by("match__turn", "number")
    leases = {match.pk: match.lease for match in matches}
    return _order(match_set, [_leased_seat(seat, match_set.pk, leases[seat.match_id]) for seat in seated])


def _leased_seat(seat: Seat, match_set: int, lease: int) -> LeasedSeat:
    version = seat.version
    return LeasedSeat(
        match_set,
        seat.match_id,
        lease,
        version.pk,
        seat.withdrawn,
        version.bot.name,
        version.number,
        version.bundle_id,
        version.filename,
    )


def _order(match_set: MatchSet, seats: Sequence[LeasedSeat]) -> Order:
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
            MatchOrder(match, lease, [index[_sits(seat)] for seat in at_table], lease_secret(match, lease))
            for (match, lease), at_table in groupby(seats, attrgetter("match", "lease"))
        ],
        clock=ladder.clock,
        limits=ladder.limits,
        output=ladder.output,
        strikes=match_set.strikes,
        patience_ms=patience_ms(match_set.checks) if match_set.checks else 0,
        tier=TIER if ladder.division == Ladder.Division.FUEL else "",
    )


def _sits(seat: LeasedSeat) -> tuple[int, bool]:
    return seat.version, seat.withdrawn


def _competitor(seat: LeasedSeat) -> Competitor:
    return Competitor(seat.bot, seat.number, seat.bundle, seat.filename, WITHDRAWN if seat.withdrawn else "")


def _send_order(order: Order, queue: str, producer: Any) -> None:
    queues.send_order(order, queue, producer)
