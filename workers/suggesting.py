"""The task by which a match worker tries other answers to a recorded question, when no match waits for it.

Only rungs of the field are run, code of ours, and only on what the question's seat could see.
"""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError

from engine.records import RecordError
from engine.replay import ReplayError
from workers import process_setup
from workers.app import app
from workers.drain import reason_to_stop
from workers.logs import log_about
from workers.match import Kit
from workers.report_sender import hand_in_turn, publish_turn
from workers.suggestion_orders import PLAYOUTS, SUGGEST, TURN_KEY, SuggestionOrder, SuggestionReport, read_suggestion
from workers.suggestions import NothingToTry, asked_at, suggest
from workers.watch import end_when_over, is_superseded

log = logging.getLogger(__name__)


@app.task(name=SUGGEST)
def try_others(plain: object) -> None:
    """An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_suggestion(plain)
    except RecordError as error:
        return log.error("suggestion refused: %s", error)
    kit, key = process_setup.kit(), TURN_KEY.format(order.suggestion)
    with log_about(suggestion=order.suggestion, turn=order.turn, worker=kit.worker):
        if is_superseded(key, order.turn):
            return None
        report = SuggestionReport(order.suggestion, order.turn, kit.worker, "begun", secret=order.secret)
        if reason := reason_to_stop():
            report.outcome, report.reason = "returned", reason
            return hand_in_turn(report)
        with suppress(OperationalError):  # the report says the same
            publish_turn(report)
        with end_when_over(kit, key, order.turn):
            fill_report(report, order, kit)
            if kit.is_over():
                return log.info("dropped: its turn is over")
        log.info("%s%s", report.outcome, report.reason and f": {report.reason}")
        return hand_in_turn(report)


def fill_report(report: SuggestionReport, order: SuggestionOrder, kit: Kit) -> None:
    """Try other answers: "void" with the reason if that failed."""
    try:
        asked = asked_at(order.replay, order.at)
        report.tried, report.playouts = suggest(asked, PLAYOUTS, order.seconds, kit.is_over)
        report.outcome = "tried"
    except NothingToTry as nothing:
        report.outcome, report.reason = "nothing", str(nothing)
    except ReplayError as error:
        report.outcome, report.reason = "void", str(error)
    except Exception as error:  # a fault of our own must end this turn only
        log.exception("this worker failed")
        report.outcome, report.reason = "void", f"the worker failed: {type(error).__name__}: {error}"
