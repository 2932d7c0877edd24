"""Signs of life for the matches of a set, sent while somebody plays them.

A thread, and not a hook between two answers: fetching a bundle, starting bots and one long answer then need no care of
their own to be heard over, and the table need not know that anybody listens. It sleeps nearly always.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Generic, Self, TypeVar

from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

from workers.isolation import Memory, each

T = TypeVar("T")  # what there is to play

EVERY = 10.0  # seconds; the site gives up on a match after three times as long
PAUSES = (0.0,)  # after a sign that could not be given, none: the lease ends without one
SILENT_AFTER = 1800.0  # seconds on one match: a worker that hangs must not hold its leases for ever


class Pulse(Generic[T]):
    """`beat` is called for each match when it begins, and every `EVERY` seconds for all that are still in hand.

    Those that have not begun are among them: the leases of a whole set were taken when it was sent.
    """

    def __init__(self, matches: Sequence[T], beat: Callable[[T], None]) -> None:
        self.in_hand = list(matches)
        self.beat = beat
        self._begun = monotonic()
        self._stopped = Event()
        self._book = Memory(PAUSES, sets_aside=False)
        self._thread = Thread(target=self._run, name="pulse", daemon=True)

    def begin(self, match: T) -> None:
        self._begun = monotonic()
        self.beat(match)

    def end(self, match: T) -> None:
        """To be called before its report is sent. (Should a sign slip out after that, the site refuses it.)"""
        self.in_hand = [other for other in self.in_hand if other is not match]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(EVERY) and monotonic() - self._begun < SILENT_AFTER:
            with suppress(RedisError, BrokerError):  # the next sign follows soon
                each("signs of life", list(self.in_hand), self.beat, self._book)
