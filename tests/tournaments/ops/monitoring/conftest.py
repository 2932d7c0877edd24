from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from tests.workers.hall import own_database
from tournaments.core.broker import queues
from tournaments.ops.monitoring import health
from workers.logs import begin_facts


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    """The name of an earlier test's request is none of this one's business."""
    begin_facts()


@pytest.fixture
def broker(settings: Any) -> Iterator[Redis]:
    """An empty database of the broker that remembers, of this process of the tests alone."""
    settings.REDIS_URL = own_database(settings.REDIS_URL)
    forget()
    queues.broker().flushdb()
    queues.note_epoch()
    yield queues.broker()
    queues.broker().flushdb()
    forget()


def forget() -> None:
    for client in (queues.broker, health.impatient_broker):
        client.cache_clear()
