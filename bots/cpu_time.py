"""Clocks that do not hurt an honest bot: CPU time decides, however busy the machine is.

A bot's CPU clock is read from outside, all its threads together. Wall time only guards against bots that sleep, and
only its fair part counts: what the process spent waiting for a core is taken off. Where a system cannot show another
process's clock (macOS), wall time from question to answer stands in for CPU time; that is for play at home only.
"""

import time

from bots.process import OUTSIDE, Process
from engine.referee import PlatformFault

SLOW_S = 0.1  # an answer that takes longer has its fair wall time measured


class Meter:
    """What one bot uses: CPU from question to answer, CPU of the match, fair wall time, time without computing."""

    __slots__ = (
        *("_asked_at", "_asked_cpu", "_clock", "_delay_before", "_last_cpu", "_process", "_used_s", "_wall_s"),
        *("bank_s", "waits"),
    )

    def __init__(self, process: Process) -> None:
        self._process, self._clock = process, process.cpu_s
        self.bank_s = 0.0  # CPU left for the match
        self._wall_s = self._used_s = 0.0  # from question to answer, of all answers so far: wall and CPU
        self.waits: list[float] = []  # seconds of each answer without computing; the first is the start
        self._asked_at = 0.0  # 0 while it is not asked
        self._asked_cpu = self._last_cpu = 0.0
        self._asked_cpu = self._read()
        self._delay_before = -1.0

    def begin(self, bank_s: float | None = None) -> float:
        """A question goes out. What the bot used since its last answer is paid from its bank; returns what is left."""
        before, self._asked_cpu = self._last_cpu, self._read()
        if OUTSIDE:
            self.bank_s -= self._asked_cpu - before
        if bank_s is not None:
            self.bank_s = bank_s
        self._asked_at, self._delay_before = time.monotonic(), -1.0
        return self.bank_s

    def used_s(self) -> float:
        """CPU seconds since the question."""
        return self._read() - self._asked_cpu

    def waited_s(self) -> float:
        """Fair wall seconds since the question. The delay of the first moments is not taken off."""
        wall = time.monotonic() - self._asked_at
        if wall < SLOW_S:
            return wall
        delay = self._process.delay_s()
        if self._delay_before < 0:
            self._delay_before = delay
        return wall - (delay - self._delay_before)

    def end(self) -> float:
        """The answer is there; returns the CPU seconds it took, as last read."""
        used = self._last_cpu - self._asked_cpu
        self.bank_s -= used
        self._used_s += used
        wall = time.monotonic() - self._asked_at
        self._wall_s += wall
        self.waits.append(max(0.0, wall - 2 * used))
        self._asked_at = 0.0
        return used

    def took_s(self) -> float:
        """Return the seconds of the match that it took to answer, without those in which it had no core."""
        now = time.monotonic() - self._asked_at if self._asked_at else 0.0
        return max(self._used_s, self._wall_s + now - self._process.delay_s())

    def idle_s(self, enough_s: float) -> float:
        """Return the seconds of the match in which it was to answer and did not compute, though it could have.

        CPU time counts twice, for what the machine keeps from a bot and does not say. Time without a core is taken
        off only of what is enough to matter.
        """
        wall = self._wall_s + time.monotonic() - self._asked_at
        idle = wall - 2 * (self._used_s + self._last_cpu - self._asked_cpu)
        return idle if idle < enough_s else idle - self._process.delay_s()

    def _read(self) -> float:
        """The clock; of a process that has ended, what it last showed."""
        try:
            self._last_cpu = self._clock()
        except OSError as error:
            if not self._process.ended():
                raise PlatformFault(f"the CPU clock of process {self._process.pid} cannot be read: {error}") from error
        return self._last_cpu
