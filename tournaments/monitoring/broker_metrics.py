"""The numbers that the broker holds: what lies in its queues, who is here, how busy web and dispatcher are.

Match workers can write to it. What is read here is only shown, and bounded.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client.metrics_core import Metric
from redis import Redis

from tournaments.broker import heartbeats
from tournaments.broker.failing_items import FAILURES
from tournaments.monitoring.prometheus import by, counters, gauge, gauges
from tournaments.monitoring.request_metrics import REQUESTS, SECONDS
from workers import presence
from workers.orders import REPORTS, reports_of

ANY_REPORTS = reports_of("")  # how the queue of every release begins
MOST = 1000  # labels of one metric


def read(redis: Redis) -> Iterator[Metric]:
    queues = {name: int(redis.llen(name)) for name in queues_in(redis)}
    yield gauges("broker_messages", "What lies in the queues of the broker.", ["queue"], by(queues))
    reports = [name for name in queues if name.startswith(ANY_REPORTS)]
    yield gauge("reports_waiting", "Reports that have not reached a recorder.", sum(queues[name] for name in reports))
    waited = max((age(redis, name) for name in reports), default=0.0)
    yield gauge("reports_age_seconds", "How long the oldest of them has waited, by the worker's clock.", waited)
    yield gauges(
        "workers", "Match workers that are here, by release and languages.", ["tag", "languages"], workers(redis)
    )
    yield from busy(redis)


def queues_in(redis: Redis) -> list[str]:
    """A queue is a list, and nothing else here is one. Empty ones are not there, but for the one of the reports."""
    found = {name.decode(errors="replace") for name in redis.scan_iter(count=5000, _type="LIST")}
    return sorted(found | {REPORTS})[:MOST]


def age(redis: Redis, queue: str) -> float:
    """Of the oldest message, in seconds; 0 if it does not say when it was sent."""
    oldest = redis.lindex(queue, -1)
    try:
        return max(0.0, time.time() - float(json.loads(oldest or "{}")["headers"]["sent_at"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0.0


def workers(redis: Redis) -> Iterable[tuple[tuple[str, str], float]]:
    here = Counter((worker.tag, ",".join(sorted(worker.offers))) for worker in presence.present(redis))
    return sorted(here.items())[:MOST]


def busy(redis: Redis) -> Iterator[Metric]:
    yield counters("loop_rounds", "Rounds of each loop.", ["loop"], by(read_hash(redis, heartbeats.ROUNDS)))
    yield counters("loop_seconds", "That its rounds took.", ["loop"], by(read_hash(redis, heartbeats.SECONDS)))
    failures = by(read_hash(redis, FAILURES))
    yield counters("item_failures", "Items that failed, so that their loop went on without them.", ["loop"], failures)
    labels = ["method", "status", "route"]
    yield counters("http_requests", "Requests to the site.", labels, apart(read_hash(redis, REQUESTS)))
    yield counters("http_request_seconds", "That they took.", labels, apart(read_hash(redis, SECONDS)))


def apart(numbers: Mapping[str, float]) -> Iterable[tuple[list[str], float]]:
    """ "GET 200 /bots/<int:number>/" as three labels."""
    return [(called.split(" ", 2), number) for called, number in sorted(numbers.items()) if called.count(" ") >= 2]


def read_hash(redis: Redis, name: str) -> dict[str, float]:
    said = list(redis.hgetall(name).items())[:MOST]
    return {key.decode(errors="replace"): float(value) for key, value in said if isinstance(key, bytes)}
