"""Signs of life for the matches of a set, sent while somebody plays them.

A thread, and not a hook between two answers: fetching a bundle, starting bots and one long answer then need no care of
their own to be heard over, and the table need not know that anybody listens. It sleeps nearly always.
"""

from collections.abc import Callable, Sequence
from threading import Event, Thread
from time import monotonic
from typing import Self

from workers.orders import MatchOrder

FIRST, EVERY = 1.0, 10.0  # seconds; the site gives up on a match after 30. Sets done within the first one cost nothing
SILENT_AFTER = 1800.0  # seconds on one match: a worker that hangs must not hold its leases for ever


class Pulse:
    """`beat` is called after `FIRST` and then every `EVERY` seconds, for each match that is still in hand."""

    def __init__(self, matches: Sequence[MatchOrder], beat: Callable[[MatchOrder], None]) -> None:
        self.in_hand = list(matches)
        self.beat = beat
        self.last_done = monotonic()
        self.stopped = Event()
        self.thread = Thread(target=self._run, name="pulse", daemon=True)

    def done(self, match: MatchOrder) -> None:
        """No more signs for this one: call it before its report is sent, or a late sign might follow the report."""
        self.in_hand = [other for other in self.in_hand if other is not match]
        self.last_done = monotonic()

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self.thread.join()

    def _run(self) -> None:
        pause = FIRST
        while not self.stopped.wait(pause) and monotonic() - self.last_done < SILENT_AFTER:
            for match in list(self.in_hand):
                self.beat(match)
            pause = EVERY
