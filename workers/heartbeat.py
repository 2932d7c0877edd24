"""Heartbeats for the turn of a practice, sent while the worker plays it. (For sets: `workers.set_progress`.)

A thread sends them, not a hook between two answers: so they go on while a bundle is fetched, bots start or one answer
takes long, and the table knows nothing of them. The thread sleeps nearly always.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Generic, TypeVar

from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

from workers.background_thread import BackgroundThread
from workers.isolation import Memory, handle_each

T = TypeVar("T")  # what there is to play

EVERY = 10.0  # seconds; the site gives up on a match after three times as long
PAUSES = (0.0,)  # after a heartbeat that could not be sent, none: the lease ends without one
SILENT_AFTER = 1800.0  # seconds on one match: a worker that hangs must not hold its leases for ever


class Heartbeat(BackgroundThread, Generic[T]):
    """`beat` is called for what is played when it begins, and every `EVERY` seconds while it is in hand."""

    def __init__(self, matches: Sequence[T], beat: Callable[[T], None]) -> None:
        super().__init__("heartbeat")
        self.in_hand = list(matches)
        self.beat = beat
        self._begun = monotonic()
        self._book = Memory(PAUSES, sets_aside=False)

    def begin(self, match: T) -> None:
        self._begun = monotonic()
        self.beat(match)

    def end(self, match: T) -> None:
        """End its heartbeats, before its report is sent. (Should one slip out after that, the site refuses it.)"""
        self.in_hand = [other for other in self.in_hand if other is not match]

    def _run(self) -> None:
        while not self._stopped.wait(EVERY) and monotonic() - self._begun < SILENT_AFTER:
            with suppress(RedisError, BrokerError):  # the next heartbeat follows soon
                handle_each("heartbeats", list(self.in_hand), self.beat, self._book)
