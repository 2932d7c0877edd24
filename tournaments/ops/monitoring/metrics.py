"""Metrics for Prometheus, read from the database and the broker at each request, so any process can answer.

While a server is away its metrics are missing, and the others are there.
"""

from collections.abc import Callable, Iterable, Iterator

from django.db import DatabaseError, InterfaceError, connection
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis import RedisError

from tournaments.ledger.competitors.disk_space import free_mb
from tournaments.ops.monitoring import broker_metrics, database_metrics, health
from tournaments.ops.monitoring.prometheus import gauge, gauges

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Everything(Collector):
    def collect(self) -> Iterator[Metric]:
        parts = [([part.name], float(part.well)) for part in health.check_health()]
        yield gauges("up", "Whether a part of the platform works, as /readyz says.", ["part"], parts)
        yield gauge("disk_free_mb", "Free space of the disk of the data folder, in MB.", free_mb())
        yield from _if_there(database_metrics.read_database_metrics)
        yield from _if_there(lambda: broker_metrics.read_broker_metrics(health.impatient_broker()))


def metrics_text() -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Everything())
    return generate_latest(registry)


def _if_there(read: Callable[[], Iterable[Metric]]) -> list[Metric]:
    try:
        return list(read())
    except (DatabaseError, InterfaceError):
        connection.close()
    except (RedisError, ValueError):  # the latter if a key holds text instead of a number
        pass
    return []
