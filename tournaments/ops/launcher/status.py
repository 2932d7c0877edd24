"""The short live status of `manage.py up`."""

import os
import shutil
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TextIO

WINDOW = 60.0  # seconds over which the rate is measured
PLAIN_EVERY = 15.0  # seconds between two lines where a line cannot be refreshed


@dataclass(slots=True)
class StatusLine:
    """One line: refreshed in a terminal, now and then elsewhere."""

    address: str
    out: TextIO = field(default_factory=lambda: sys.stdout)
    seen: deque[tuple[float, int]] = field(default_factory=deque)
    shown: float = 0.0

    def show(self, recorded: int | None, waiting: int, restarts: int, problems: str) -> None:
        """`recorded` is None while the database is away."""
        now = time.monotonic()
        if not self.out.isatty() and now - self.shown < PLAIN_EVERY:
            return
        self.shown = now
        parts = [self.address, *self._progress(now, recorded, waiting)]
        parts += [f"restarted {restarts}"] * bool(restarts) + [problems] * bool(problems)
        self._write(" · ".join(parts))

    def say(self, text: str) -> None:
        """A line that stays."""
        self.clear()
        self._put(f"{text}\n")

    def clear(self) -> None:
        if self.out.isatty():
            self._put("\r\x1b[K")

    def _progress(self, now: float, recorded: int | None, waiting: int) -> list[str]:
        if recorded is None:
            return ["the database is away"]
        self.seen.append((now, recorded))
        while now - self.seen[0][0] > WINDOW:
            self.seen.popleft()
        then, before = self.seen[0]
        rate = (recorded - before) * 60 / max(now - then, 1.0)
        return [f"{recorded} matches recorded", f"{rate:.0f} a minute", f"{waiting} waiting"]

    def _write(self, line: str) -> None:
        if self.out.isatty():
            width = shutil.get_terminal_size().columns - 1
            self._put(f"\r\x1b[K{line[:width]}")
        else:
            self._put(f"{line}\n")

    def _put(self, text: str) -> None:
        try:
            print(text, end="", file=self.out, flush=True)
        except BrokenPipeError:  # nobody reads any more (`up | head`), which is no reason to end, or not to
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.out.fileno())
