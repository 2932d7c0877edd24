"""The tasks of workers for what goes on turn by turn. Practices have processes of their own, since people wait for
their answers and sets take long; examinations and suggestions come when no match waits."""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError

from engine.records import RecordError
from workers import process_setup
from workers.app import app
from workers.drain import reason_to_stop
from workers.examination_orders import EXAMINE
from workers.heartbeat import Heartbeat
from workers.logs import log_about
from workers.practice_orders import PRACTISE
from workers.report_sender import hand_in_turn, publish_turn
from workers.suggestion_orders import SUGGEST
from workers.turn_orders import Turn, read_turn
from workers.turns import play_turn
from workers.watch import end_when_over, is_superseded

log = logging.getLogger(__name__)


@app.task(name=PRACTISE)
def practise(plain: object) -> None:
    play_and_report(plain)


@app.task(name=EXAMINE)
def examine_some(plain: object) -> None:
    play_and_report(plain)


@app.task(name=SUGGEST)
def try_others(plain: object) -> None:
    play_and_report(plain)


def play_and_report(plain: object) -> None:
    """An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_turn(plain)
    except RecordError as error:
        return log.error("order refused: %s", error)
    kit, turn = process_setup.kit(), Turn.of(order)
    with log_about(**{turn.kind: turn.number, "turn": turn.turn, "worker": kit.worker}):
        if is_superseded(turn.key, turn.turn):
            return None
        if reason := reason_to_stop():
            return hand_in_turn(turn.given_back(kit.worker, reason))
        with Heartbeat([turn], send_heartbeat) as heartbeat, end_when_over(kit, turn.key, turn.turn):
            heartbeat.begin(turn)
            report = play_turn(order, kit)
            heartbeat.end(turn)
        return hand_in_turn(report) if report else None


def send_heartbeat(turn: Turn) -> None:
    with suppress(OperationalError):  # the report says the same
        publish_turn(turn.begun(process_setup.kit().worker))
