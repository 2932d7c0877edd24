"""The one task of a practice worker: play a turn, and report on it.

Practices have processes of their own, since people wait for their answers and sets take long.
"""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError
from redis import RedisError

from engine.records import RecordError
from workers import place
from workers.app import app
from workers.drain import reason_to_stop
from workers.logs import about
from workers.practice import play
from workers.practice_orders import PRACTISE, PRACTISED, TURN_KEY, PracticeOrder, PracticeReport, read_practice
from workers.pulse import Pulse
from workers.tasks import bell, publish, send

log = logging.getLogger(__name__)


@app.task(name=PRACTISE)
def practise(plain: object) -> None:
    """Play a turn. An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_practice(plain)
    except RecordError as error:
        return log.error("practice refused: %s", error)
    with about(practice=order.practice, turn=order.turn, worker=place.kit().worker):
        return None if superseded(order) else send(play_turn(order), PRACTISED)


def play_turn(order: PracticeOrder) -> PracticeReport:
    if reason := reason_to_stop():
        return PracticeReport(order.practice, order.turn, place.kit().worker, "void", reason, secret=order.secret)
    with Pulse([order], sign_of_life) as pulse:
        pulse.begin(order)
        report = play(order, place.kit())
        pulse.end(order)
    log.info("%s in %.3f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
    return report


def superseded(order: PracticeOrder) -> bool:
    """Whether nobody waits for this turn any more."""
    try:
        present = int(bell.get(TURN_KEY.format(order.practice)) or 0)
    except (RedisError, ValueError):
        return False  # the bell decides nothing: the site refuses what is stale
    return present > order.turn


def sign_of_life(order: PracticeOrder) -> None:
    with suppress(OperationalError):
        publish(
            PracticeReport(order.practice, order.turn, place.kit().worker, "playing", secret=order.secret), PRACTISED
        )
