"""The poll loop: which handler a ready pipe calls, how late the loop itself was, what the machine kept."""

import select
import time
from collections.abc import Callable

from bots.stolen_time import Kept, measure_delays

TICK_MS = 50  # how often the loop comes round while nothing happens
STALL_S = 1.0  # coming round later than that is a stall of the host
QUICK_S = 0.1  # what the machine kept is read only in exchanges that take longer

Handler = Callable[[], bool]  # reads or writes once; says whether its pipe is still of use


class Loop:
    __slots__ = ("_before", "_began", "_handlers", "_looked", "_poll", "stalled_s", "stalls_s")

    def __init__(self) -> None:
        self._poll = select.poll()
        self._handlers: dict[int, Handler] = {}
        self._began = self._looked = 0.0
        self._before: Kept | None = None
        self.stalled_s = self.stalls_s = 0.0  # since `begin`, and in all

    def watch(self, fd: int, events: int, handler: Handler) -> None:
        self._poll.register(fd, events)
        self._handlers[fd] = handler

    def unwatch(self, fd: int) -> None:
        if self._handlers.pop(fd, None):
            self._poll.unregister(fd)

    def turn(self, wait_ms: int) -> None:
        """Handle what is ready, or what gets ready within `wait_ms`."""
        for fd, _ in self._poll.poll(wait_ms):
            if not self._handlers[fd]():
                self.unwatch(fd)

    def begin(self) -> None:
        """Begin to count `stalled_s` and `kept`."""
        self._began = self._looked = time.monotonic()
        self.stalled_s, self._before = 0.0, None

    @property
    def kept(self) -> Kept:
        """Return what the machine kept from everybody, but for the first moments."""
        return measure_delays().since(self._before) if self._before else Kept()

    def tick(self) -> None:
        """A turn that waits a little, and is checked for being late."""
        self.turn(TICK_MS)
        now = time.monotonic()
        late = now - self._looked - TICK_MS / 1000
        if late > STALL_S:
            self.stalled_s += late
            self.stalls_s += late
        self._looked = now
        if self._before is None and now - self._began > QUICK_S:
            self._before = measure_delays()
