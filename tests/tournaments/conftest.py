from collections.abc import Iterator

import pytest

from tournaments.core.broker import queues
from tournaments.core.broker.failing_items import FAILING_ITEMS


@pytest.fixture
def queue() -> Iterator[None]:
    """An empty broker that remembers."""
    queues.broker().flushdb()
    queues.note_epoch()
    yield
    queues.broker().flushdb()


@pytest.fixture(autouse=True)
def failing_items_are_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process remembers the table for half a second, and in it an item of the test before."""
    monkeypatch.setattr(FAILING_ITEMS, "_read_at", -1e9)
