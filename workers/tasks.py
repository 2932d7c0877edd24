"""The one task of a match worker: play a set, and report on each of its matches."""

import logging
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kombu.exceptions import OperationalError
from redis import Redis, RedisError

from engine.records import RecordError, canonical, to_plain
from workers import place
from workers.app import REDIS_URL, app
from workers.drain import leave, reason_to_stop
from workers.envelopes import LARGEST
from workers.heartbeat import Heartbeat
from workers.logs import about
from workers.match import play as play_match
from workers.orders import LEASE_KEY, PLAY, RECORD, REPORTS, MatchOrder, Order, Report, read_order, refuse_order
from workers.practice_orders import PracticeReport

VOIDS_IN_A_ROW = 3  # then this worker is likely what is wrong, and leaves; a restart tests it afresh
PATIENCE = 60  # seconds to get rid of a report while the broker is away; kombu itself gives up after four

LONGEST = LARGEST * 3 // 4 - 10_000  # characters of a report, which travels in base64

log = logging.getLogger(__name__)
redis = Redis.from_url(REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


@app.task(name=PLAY)
def play(plain: object) -> None:
    """Play the matches of an order. What is wrong with it goes into reports; the task does not fail and repeat."""
    try:
        play_set(read_order(plain))
    except RecordError as error:
        log.error("order refused: %s", error)
        give_back(plain, str(error))
    except Exception as error:  # the border of a message: a fault of our own ends this order only
        log.exception("this worker failed")
        give_back(plain, f"the worker failed: {type(error).__name__}: {error}")


def give_back(plain: object, reason: str) -> None:
    """Report each match of it as void; matches that are reported already stay as they are."""
    for report in refuse_order(plain, place.kit().worker, reason):
        send(report)


def play_set(order: Order) -> None:
    with Heartbeat(order.matches, send_heartbeat) as heartbeat:
        for match in order.matches:
            with about(match=match.match, lease=match.lease, worker=place.kit().worker):
                play_one(order, match, heartbeat)


def play_one(order: Order, match: MatchOrder, heartbeat: Heartbeat[MatchOrder]) -> None:
    report = settle(order, match, heartbeat)
    heartbeat.end(match)
    if report:
        send(report)


def settle(order: Order, match: MatchOrder, heartbeat: Heartbeat[MatchOrder]) -> Report | None:
    """The report of a match, or None if the site has sent it again meanwhile: nobody waits for this attempt."""
    if superseded(match):
        return None
    if reason := reason_to_stop():
        return Report(match.match, match.lease, place.kit().worker, "returned", reason, secret=match.secret)
    heartbeat.begin(match)
    return judge(order, match)


def judge(order: Order, match: MatchOrder) -> Report:
    kit = place.kit()
    report = play_match(order, match, kit)
    log.info("%s in %.1f s%s", report.outcome, report.seconds, report.reason and f": {report.reason}")
    kit.voids = kit.voids + 1 if report.outcome == "void" else 0
    if kit.voids >= VOIDS_IN_A_ROW:
        log.error("leaving: %s matches void in a row, the last one because: %s", kit.voids, report.reason)
        leave(failed=True)
    return report


def superseded(match: MatchOrder) -> bool:
    try:
        present = int(redis.get(LEASE_KEY.format(match.match)) or 0)
    except (RedisError, ValueError):
        return False  # Redis decides nothing: the site refuses what is stale
    return present > match.lease


def send_heartbeat(match: MatchOrder) -> None:
    """A lost heartbeat is no harm: the next one follows soon."""
    with suppress(OperationalError):
        publish(Report(match.match, match.lease, place.kit().worker, "playing", secret=match.secret))


def send(report: Report | PracticeReport, task: str = RECORD) -> None:
    """Hand in a report. If the broker stays away the site sees the lease run out and sends the match again."""
    what = f"match {report.match}" if isinstance(report, Report) else f"practice {report.practice}"
    for second in range(PATIENCE):
        with suppress(OperationalError):
            return publish(report, task)
        if not second:
            log.warning("the broker is away; the report on %s is kept for %s s", what, PATIENCE)
        time.sleep(1)
    return log.error("the report on %s is given up", what)


def within(report: Report | PracticeReport) -> dict[str, Any]:
    """The report as plain data. If it is too long, it goes without what only the owners of its bots may see."""
    plain: dict[str, Any] = to_plain(report)
    if len(canonical(plain)) <= LONGEST:
        return plain
    faults = [replace(fault, asked=None, given=None) for fault in report.faults]
    slim: dict[str, Any] = to_plain(replace(report, stderr=[], faults=faults))
    return slim


def publish(report: Report | PracticeReport, task: str = RECORD) -> None:
    """Raises OperationalError where the broker is away."""
    plain = within(report)
    signed = [plain, place.identity().sign(plain)]
    sent = {"sent_at": time.time()}  # how long it lies in the queue shows whether the recorders keep up
    app.send_task(task, signed, queue=REPORTS, headers=sent, retry=True, retry_policy={"max_retries": 0})
