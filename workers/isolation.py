"""Isolation: whatever one item of a long-running loop raises, the loop continues with the next.

Every loop that runs until it is stopped is a `keep_on` (in an event loop, `keep_on_async`), and does to its items (a
ladder, a message, a board, an address) what it does through `handle_each` or `apart`. What an item raises ends at that
border: it is logged under the item's name and noted, the item is tried again with growing pauses, and after the last
one it is set aside until somebody asks for it. A server that is away is no fault of the item: that ends the turn, and
the loop waits for the server.
"""

import asyncio
import logging
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from math import inf
from threading import Event
from time import monotonic
from typing import Protocol, TypeVar

from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import OutOfMemoryError, RedisError, ResponseError

T = TypeVar("T")
PAUSES = (1.0, 5.0, 30.0, 120.0, 600.0)  # seconds before an item that failed is tried again
ITEM_SECONDS = 60.0  # that one item may hold up the others
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds before a loop's next turn, after one that failed
REFUSALS = ("OOM", "MISCONF", "LOADING", "READONLY", "BUSY", "MASTERDOWN", "NOAUTH", "NOPERM")  # by the whole broker

log = logging.getLogger(__name__)


class TookTooLong(Exception):
    """An item was interrupted; the message says after how long."""


class FailureRecord(Protocol):
    """Where failures are kept."""

    def is_away(self, error: Exception) -> bool:
        """Whether a server is what failed, and not the item."""

    def blames(self, loop: str, item: str) -> bool:
        """Whether the item seems to be why a server is away: it was, each of the last times that this was tried."""

    def may_try(self, loop: str, item: str) -> bool:
        """Whether the item is neither set aside nor in its pause."""

    def border(self) -> AbstractContextManager[object]:
        """The context in which an item is done, so that nothing of a failed one stays."""

    def failed(self, loop: str, item: str, error: Exception) -> None: ...

    def passed(self, loop: str, item: str) -> None: ...


def broker_is_away(error: Exception) -> bool:
    """A refusal of one command is the command's fault, but for those that all commands meet."""
    if isinstance(error, ResponseError):
        return isinstance(error, OutOfMemoryError) or str(error).startswith(REFUSALS)
    return isinstance(error, BrokerError | RedisError)


@dataclass(slots=True)
class Failures:
    count: int = 0
    due: float = 0.0


@dataclass(slots=True)
class Memory:
    """The record of a process without a database. It ends with the process."""

    pauses: Sequence[float] = PAUSES
    sets_aside: bool = True
    failures: dict[tuple[str, str], Failures] = field(default_factory=dict)

    def is_away(self, error: Exception) -> bool:
        return broker_is_away(error)

    def blames(self, loop: str, item: str) -> bool:  # noqa: ARG002  no item of these ends a server
        return False

    def may_try(self, loop: str, item: str) -> bool:
        failures = self.failures.get((loop, item))
        return failures is None or monotonic() >= failures.due

    def border(self) -> AbstractContextManager[object]:
        return nullcontext()

    def failed(self, loop: str, item: str, error: Exception) -> None:  # noqa: ARG002  it has been logged
        failures = self.failures.setdefault((loop, item), Failures())
        failures.count += 1
        set_aside = self.sets_aside and failures.count > len(self.pauses)
        failures.due = inf if set_aside else monotonic() + self.pauses[min(failures.count, len(self.pauses)) - 1]

    def passed(self, loop: str, item: str) -> None:
        self.failures.pop((loop, item), None)


def handle_each(
    loop: str, items: Iterable[T], act: Callable[[T], int | None], record: FailureRecord, name: Callable[[T], str] = str
) -> int:
    """Actions `act` to each item apart from the others. Returns the sum of what `act` returned.

    Raises only where a server is away.
    """
    done = [apart(loop, name(item), partial(act, item), record) for item in items]
    return sum(map(int, filter(None, done)))


def apart(loop: str, item: str, act: Callable[[], T], record: FailureRecord, seconds: float = ITEM_SECONDS) -> T | None:
    """The result of `act` for this item; None where it fails, is set aside or in its pause.

    Raises only where a server is away.
    """
    if not record.may_try(loop, item):
        return None
    try:
        with time_limit(seconds), record.border():
            result = act()
    except Exception as error:
        if record.is_away(error) and not record.blames(loop, item):
            raise
        log.exception("%s: %s failed", loop, item)
        record.failed(loop, item, error)
        return None
    record.passed(loop, item)
    return result


def keep_on(loop: str, turn: Callable[[], float], stop: Event, record: FailureRecord) -> None:
    """Take turns until asked to stop, whatever a turn raises. `turn` returns the seconds to pause after it."""
    pause = FIRST_PAUSE
    while not stop.is_set():
        try:
            wait, pause = turn(), FIRST_PAUSE
        except Exception as error:  # noqa: BLE001  it is logged, and the next turn begins
            _explain(loop, error, pause, record)
            wait, pause = pause, min(2 * pause, LONGEST_PAUSE)
        stop.wait(wait)


async def keep_on_async(
    loop: str, turn: Callable[[], Awaitable[float]], goes_on: Callable[[], bool], record: FailureRecord
) -> None:
    """`keep_on` within an event loop, for as long as it is wanted."""
    pause = FIRST_PAUSE
    while goes_on():
        try:
            wait, pause = await turn(), FIRST_PAUSE
        except Exception as error:  # noqa: BLE001 - it is logged by the next line
            _explain(loop, error, pause, record)
            wait, pause = pause, min(2 * pause, LONGEST_PAUSE)
        await asyncio.sleep(wait)


def _explain(loop: str, error: Exception, pause: float, record: FailureRecord) -> None:
    if record.is_away(error):
        log.warning("%s: a server is away, trying again in %.1f s: %s", loop, pause, " ".join(str(error).split()))
    else:
        log.error("%s: a turn failed; the next one begins in %.1f s", loop, pause, exc_info=error)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TookTooLong in the block when it lasts longer. In a main thread, and not within another: elsewhere what an
    item does must be bounded by itself."""
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def interrupt(*_: object) -> None:
        raise TookTooLong(f"it was interrupted after {seconds:.0f} s, so that it holds up nobody else")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
