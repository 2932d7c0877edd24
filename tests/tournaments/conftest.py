from collections.abc import Iterator

import pytest

from tournaments.core.broker import queues


@pytest.fixture
def queue() -> Iterator[None]:
    """An empty broker that remembers."""
    queues.broker().flushdb()
    queues.note_epoch()
    yield
    queues.broker().flushdb()
