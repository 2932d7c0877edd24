"""The task by which a match worker examines a bot for some seconds, when no match waits for it."""

import logging
from contextlib import suppress

from kombu.exceptions import OperationalError
from redis import RedisError

from engine.records import RecordError
from workers import place
from workers.app import app
from workers.bundles import LeaseOver
from workers.drain import reason_to_stop
from workers.examination import examine
from workers.examination_orders import EXAMINE, TURN_KEY, ExaminationOrder, ExaminationReport, read_examination
from workers.handing_in import hand_in_examination, publish_examination
from workers.logs import about
from workers.tasks import redis

log = logging.getLogger(__name__)


@app.task(name=EXAMINE)
def examine_some(plain: object) -> None:
    """An order that cannot be read names no turn that could be reported on: it runs out at the site."""
    try:
        order = read_examination(plain)
    except RecordError as error:
        return log.error("examination refused: %s", error)
    with about(examination=order.examination, turn=order.turn, worker=place.kit().worker):
        if not superseded(order) and (report := turn_of(order)):
            log.info("%s in %.3f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
            hand_in_examination(report)
    return None


def turn_of(order: ExaminationOrder) -> ExaminationReport | None:
    """The report, or None where nobody waits for one any more."""
    worker = place.kit().worker
    if reason := reason_to_stop():
        return ExaminationReport(order.examination, order.turn, worker, "returned", reason, secret=order.secret)
    with suppress(OperationalError):  # the report says the same
        publish_examination(ExaminationReport(order.examination, order.turn, worker, "begun", secret=order.secret))
    try:
        return examine(order, place.kit())
    except LeaseOver:
        log.info("dropped: its turn is over")
        return None


def superseded(order: ExaminationOrder) -> bool:
    try:
        present = int(redis.get(TURN_KEY.format(order.examination)) or 0)
    except (RedisError, ValueError):
        return False  # Redis decides nothing: the site refuses what is stale
    return present > order.turn
