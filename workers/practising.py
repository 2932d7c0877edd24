"""The one task of a practice worker: play a turn, and report on it.

Practices have processes of their own, since people wait for their answers and sets take long.
"""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError

from engine.records import RecordError
from workers import process_setup
from workers.app import app
from workers.drain import reason_to_stop
from workers.heartbeat import Heartbeat
from workers.logs import log_about
from workers.practice import report_turn
from workers.practice_orders import PRACTISE, TURN_KEY, PracticeOrder, PracticeReport, read_practice
from workers.report_sender import hand_in_turn, publish_turn
from workers.watch import end_when_over, is_superseded

log = logging.getLogger(__name__)


@app.task(name=PRACTISE)
def practise(plain: object) -> None:
    """Play a turn. An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_practice(plain)
    except RecordError as error:
        return log.error("practice refused: %s", error)
    with log_about(practice=order.practice, turn=order.turn, worker=process_setup.kit().worker):
        return None if is_superseded(_key(order), order.turn) else hand_in_turn(play_turn(order))


def play_turn(order: PracticeOrder) -> PracticeReport:
    if reason := reason_to_stop():
        return PracticeReport(
            order.practice, order.turn, process_setup.kit().worker, "void", reason, secret=order.secret
        )
    kit = process_setup.kit()
    with Heartbeat([order], send_heartbeat) as heartbeat, end_when_over(kit, _key(order), order.turn):
        heartbeat.begin(order)
        report = report_turn(order, kit)
        heartbeat.end(order)
    log.info("%s in %.3f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
    return report


def _key(order: PracticeOrder) -> str:
    return TURN_KEY.format(order.practice)


def send_heartbeat(order: PracticeOrder) -> None:
    with suppress(OperationalError):
        publish_turn(
            PracticeReport(order.practice, order.turn, process_setup.kit().worker, "playing", secret=order.secret)
        )
