import time
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


@pytest.fixture(autouse=True)
def the_hour_lasts() -> None:
    """Budgets of an hour and of a day begin anew with the clock's: in the middle of a test nobody expects that."""
    left = -time.time() % 3600
    if left < 15:
        time.sleep(left)
