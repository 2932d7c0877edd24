from collections.abc import Iterator

import pytest

from tournaments.core.broker import queues


@pytest.fixture
def queue() -> Iterator[None]:
    """An empty broker that remembers."""
    queues.broker().flushdb()
    queues.remember()
    yield
    queues.broker().flushdb()
