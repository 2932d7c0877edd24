"""The task by which a match worker examines a bot for some seconds, when no match waits for it."""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError

from engine.records import RecordError
from workers import process_setup
from workers.app import app
from workers.bundles import LeaseOver
from workers.drain import reason_to_stop
from workers.examination import examine
from workers.examination_orders import EXAMINE, TURN_KEY, ExaminationOrder, ExaminationReport, read_examination
from workers.logs import log_about
from workers.report_sender import hand_in_turn, publish_turn
from workers.watch import end_when_over, is_superseded

log = logging.getLogger(__name__)


@app.task(name=EXAMINE)
def examine_some(plain: object) -> None:
    """An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_examination(plain)
    except RecordError as error:
        return log.error("examination refused: %s", error)
    with log_about(examination=order.examination, turn=order.turn, worker=process_setup.kit().worker):
        if not is_superseded(_key(order), order.turn) and (report := _turn_of(order)):
            log.info("%s in %.3f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
            hand_in_turn(report)
    return None


def _turn_of(order: ExaminationOrder) -> ExaminationReport | None:
    """The report, or None where nobody waits for one any more."""
    worker = process_setup.kit().worker
    if reason := reason_to_stop():
        return ExaminationReport(order.examination, order.turn, worker, "returned", reason, secret=order.secret)
    with suppress(OperationalError):  # the report says the same
        publish_turn(ExaminationReport(order.examination, order.turn, worker, "begun", secret=order.secret))
    kit = process_setup.kit()
    try:
        with end_when_over(kit, _key(order), order.turn):
            return examine(order, kit)
    except LeaseOver:
        log.info("dropped: its turn is over")
        return None


def _key(order: ExaminationOrder) -> str:
    return TURN_KEY.format(order.examination)
