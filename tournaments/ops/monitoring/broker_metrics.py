"""Metrics from the broker: its queues, the workers online, the load of web and dispatcher.

Match workers can write to it, so what is read here is only shown, and bounded.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client.metrics_core import Metric
from redis import Redis

from tournaments.core.broker import heartbeats
from tournaments.core.broker.failing_items import FAILURES
from tournaments.ops.monitoring.prometheus import by, counters, gauge, gauges
from tournaments.ops.monitoring.request_metrics import REQUESTS, SECONDS
from workers import process_heartbeats
from workers.capacity import is_capacity
from workers.orders import REPORTS, SET_REPORTS, reports_of

ANY_REPORTS = reports_of("")  # the prefix of the queue of every release
MOST = 1000  # labels of one metric


def read_broker_metrics(redis: Redis) -> Iterator[Metric]:
    queues = {name: int(redis.llen(name)) for name in queues_in(redis)}
    yield gauges("broker_messages", "What lies in the queues of the broker.", ["queue"], by(queues))
    reports = [name for name in queues if name.startswith(ANY_REPORTS)]
    waiting = sum(queues[name] for name in reports)
    yield gauge("reports_waiting", "Messages with reports that have not reached a recorder.", waiting)
    waited = max((age(redis, name) for name in reports), default=0.0)
    yield gauge("reports_age_seconds", "How long the oldest of them has waited, by the worker's clock.", waited)
    yield gauges(
        "workers", "Match workers that are here, by release and languages.", ["tag", "languages"], workers(redis)
    )
    yield from busy(redis)


def queues_in(redis: Redis) -> list[str]:
    """Return the queues: all lists in the broker. Empty ones do not exist, so those of reports are added."""
    names = {name.decode(errors="replace") for name in redis.scan_iter(count=5000, _type="LIST")}
    return sorted(names | {REPORTS, SET_REPORTS})[:MOST]


def age(redis: Redis, queue: str) -> float:
    """The age of the oldest message in seconds; 0 if it has no time."""
    oldest = redis.lindex(queue, -1)
    try:
        return max(0.0, time.time() - float(json.loads(oldest or "{}")["headers"]["sent_at"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0.0


def workers(redis: Redis) -> Iterable[tuple[tuple[str, str], float]]:
    counts = Counter(
        (worker.tag, ",".join(sorted(offer for offer in worker.offers if not is_capacity(offer))))
        for worker in process_heartbeats.present(redis)
    )
    return sorted(counts.items())[:MOST]


def busy(redis: Redis) -> Iterator[Metric]:
    yield counters("loop_rounds", "Rounds of each loop.", ["loop"], by(read_hash(redis, heartbeats.ROUNDS)))
    yield counters("loop_seconds", "That its rounds took.", ["loop"], by(read_hash(redis, heartbeats.SECONDS)))
    failures = by(read_hash(redis, FAILURES))
    yield counters("item_failures", "Items that failed, so that their loop went on without them.", ["loop"], failures)
    labels = ["method", "status", "route"]
    yield counters("http_requests", "Requests to the site.", labels, split_labels(read_hash(redis, REQUESTS)))
    yield counters("http_request_seconds", "That they took.", labels, split_labels(read_hash(redis, SECONDS)))


def split_labels(numbers: Mapping[str, float]) -> Iterable[tuple[list[str], float]]:
    """ "GET 200 /bots/<int:number>/" as three labels."""
    return [(called.split(" ", 2), number) for called, number in sorted(numbers.items()) if called.count(" ") >= 2]


def read_hash(redis: Redis, name: str) -> dict[str, float]:
    items = list(redis.hgetall(name).items())[:MOST]
    return {key.decode(errors="replace"): float(value) for key, value in items if isinstance(key, bytes)}
