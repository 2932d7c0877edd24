"""What a worker reports about its set: which matches are over, and which it still has to play. The latter renews
leases.

Both go in one message. A match that is over is told of within a second, together with others that ended in it; while
nothing ends the matches in hand are named every ten seconds. A set of short matches is one message, at its end.

A thread tells it, not a hook between two answers: so it goes on while a bundle is fetched, bots start or one answer
takes long, and the table knows nothing of it. The thread sleeps nearly always.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic

from workers import heartbeat
from workers.background_thread import BackgroundThread
from workers.isolation import Memory, keep_on
from workers.orders import MatchOrder, Sized

SOON = 1.0  # seconds that the report of a match is kept for others to go with it
Tell = Callable[[Sequence[Sized], Sequence[MatchOrder]], None]  # reports, and what is still in hand


class SetProgress(BackgroundThread):
    """`tell` raises where the broker is away; what it was to tell is kept then, and told again. What is not told at the
    end is left in `ended`."""

    def __init__(self, matches: Sequence[MatchOrder], tell: Tell) -> None:
        super().__init__("set in hand")
        self.in_hand = list(matches)
        self.ended: list[Sized] = []
        self._tell, self._lock = tell, Lock()
        self._begun = monotonic()
        self._sign_due = self._begun + SOON

    def begin(self) -> None:
        """A match begins: the first in hand."""
        self._begun = monotonic()

    def end(self, match: MatchOrder, report: Sized | None) -> None:
        """The match is over; without a report nobody waits for one."""
        with self._lock:
            self.in_hand = [other for other in self.in_hand if other is not match]
            self.ended += [report] if report else []

    def _run(self) -> None:
        keep_on("set in hand", self._turn, self._stopped, Memory())

    def _turn(self) -> float:
        now = monotonic()
        if self.ended or now >= self._sign_due:
            self._sign_due = now + heartbeat.EVERY
            self._tell_now(now)
        return min(SOON, heartbeat.EVERY)

    def _tell_now(self, now: float) -> None:
        """A worker that hangs falls silent: it must not hold its leases for ever."""
        hangs = now - self._begun > heartbeat.SILENT_AFTER
        with self._lock:
            ended, in_hand = list(self.ended), [] if hangs else list(self.in_hand)
        if ended or in_hand:
            self._tell(ended, in_hand)
        with self._lock:
            self.ended = self.ended[len(ended) :]
