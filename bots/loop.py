"""The poll loop: which handler a ready pipe calls, and how late the loop itself came round."""

import select
import time
from collections.abc import Callable

TICK_MS = 50  # how often the loop comes round while nothing happens
STALL_S = 1.0  # coming round later than that is a stall of the host

Handler = Callable[[], bool]  # reads or writes once; says whether its pipe is still of use


class Loop:
    __slots__ = ("_handlers", "_looked", "_poll", "stalled_s")

    def __init__(self) -> None:
        self._poll = select.poll()
        self._handlers: dict[int, Handler] = {}
        self._looked = 0.0
        self.stalled_s = 0.0

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
        """From here on `stalled_s` counts."""
        self._looked, self.stalled_s = time.monotonic(), 0.0

    def tick(self) -> None:
        """A turn that waits a little, and is checked for being late."""
        self.turn(TICK_MS)
        now = time.monotonic()
        late = now - self._looked - TICK_MS / 1000
        if late > STALL_S:
            self.stalled_s += late
        self._looked = now
