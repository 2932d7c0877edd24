"""The one task of a match worker: play a set, and report on each of its matches."""

import logging
from collections.abc import Sequence
from contextlib import suppress

from redis import RedisError

from engine.records import RecordError, canonical
from workers import capacity, process_setup
from workers.app import app
from workers.bundles import LeaseOver
from workers.drain import reason_to_stop, stop_worker
from workers.logs import log_about
from workers.match import report_match
from workers.orders import (
    LEASE_KEY,
    PLAY,
    TAKEN_FOR,
    TAKEN_KEY,
    Held,
    InHand,
    MatchOrder,
    Order,
    Report,
    proof_of,
    read_order,
    refuse_order,
)
from workers.report_sender import hand_in, hand_over
from workers.report_sizes import sized
from workers.set_progress import SetProgress
from workers.watch import end_when_over, is_superseded, redis

VOIDS_IN_A_ROW = 3  # then this worker is likely what is wrong, and leaves; a restart tests it afresh

log = logging.getLogger(__name__)


@app.task(name=PLAY)
def play_order(plain: object) -> None:
    """Play the matches of an order. What is wrong with it goes into reports; the task does not fail and repeat."""
    try:
        play_set(read_order(plain))
    except RecordError as error:
        log.error("order refused: %s", error)
        _give_back(plain, str(error))
    except Exception as error:  # the border of a message: a fault of our own ends this order only
        log.exception("this worker failed")
        _give_back(plain, f"the worker failed: {type(error).__name__}: {error}")


def _give_back(plain: object, reason: str) -> None:
    """Report each match of it as void; matches that are reported already stay as they are."""
    hand_over([sized(report) for report in refuse_order(plain, process_setup.kit().worker, reason)])


def play_set(order: Order) -> None:
    note_taken(order.matches)
    in_hand = SetProgress(order.matches, hand_in)
    try:
        play_all(order, in_hand)
    finally:
        hand_over(in_hand.ended)


def play_all(order: Order, in_hand: SetProgress) -> None:
    with in_hand:
        for match in order.matches:
            play_one(order, match, in_hand)


def note_taken(matches: Sequence[MatchOrder]) -> None:
    """Note that this worker has them, in case it dies at once. Later its reports and leases say so."""
    worker = process_setup.kit().worker
    held = [Held(match.match, match.lease, proof_of(match.secret)) for match in matches]
    with suppress(RedisError):
        redis.set(TAKEN_KEY.format(worker), canonical(InHand(worker, held)), ex=TAKEN_FOR)


def play_one(order: Order, match: MatchOrder, in_hand: SetProgress) -> None:
    with log_about(match=match.match, lease=match.lease, worker=process_setup.kit().worker):
        report = _settle(order, match, in_hand)
        in_hand.end(match, sized(report) if report else None)


def _settle(order: Order, match: MatchOrder, in_hand: SetProgress) -> Report | None:
    """The report of a match, or None if its lease is over: nobody waits for this attempt."""
    key = LEASE_KEY.format(match.match)
    if is_superseded(key, match.lease):
        return None
    if reason := reason_to_stop() or capacity.capacity_refusal(
        order.bots_use(len(match.seats)), capacity.this_machine()
    ):
        return Report(match.match, match.lease, process_setup.kit().worker, "returned", reason, secret=match.secret)
    in_hand.begin()
    try:
        with end_when_over(process_setup.kit(), key, match.lease):
            return _judge(order, match)
    except LeaseOver:
        log.info("dropped: its lease is over")
        return None


def _judge(order: Order, match: MatchOrder) -> Report:
    kit = process_setup.kit()
    report = report_match(order, match, kit)
    log.info("%s in %.1f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
    kit.voids = kit.voids + 1 if report.outcome == "void" else 0
    if kit.voids >= VOIDS_IN_A_ROW:
        log.error("leaving: %s matches void in a row, the last one because: %s", kit.voids, report.reason)
        stop_worker(failed=True)
    return report
