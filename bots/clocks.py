"""Clocks that do not hurt an honest bot: CPU time decides, however busy the machine is.

A bot's CPU clock is read from outside, all its threads together. Wall time only guards against bots that sleep, and
only its fair part counts: what the process spent waiting for a core is taken off. Where a system cannot show another
process's clock (macOS), wall time from question to answer stands in for CPU time; that is for play at home only.
"""

import os
import sys
import time

OUTSIDE = sys.platform == "linux"  # whether another process's clocks can be read here
SLOW_S = 0.1  # an answer that takes longer has its fair wall time measured


class Unreadable(Exception):
    """The process's clock cannot be read: a fault of the platform."""


def cpu_s(pid: int) -> float:
    """CPU seconds of a process, not yet reaped. Raises Unreadable."""
    if not OUTSIDE:
        return time.monotonic()
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of the whole thread group
    except OSError as error:
        raise Unreadable(f"the CPU clock of process {pid} cannot be read: {error}") from None


def delay_s(pid: int) -> float:
    """Seconds the process was ready to run while others had the core; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class Meter:
    """What one bot uses: CPU from question to answer, CPU of the match, fair wall time."""

    __slots__ = ("asked_at", "asked_cpu", "bank_s", "delay_before", "idle_cpu", "pid", "slept_s")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.bank_s = 0.0  # CPU left for the match
        self.slept_s = 0.0  # fair wall time of all slow answers
        self.idle_cpu = self.asked_cpu = cpu_s(pid)
        self.asked_at = 0.0
        self.delay_before = -1.0

    def begin(self) -> None:
        """A question goes out. What the bot used since its last answer is paid from its bank."""
        self.asked_at, self.asked_cpu = time.monotonic(), cpu_s(self.pid)
        self.delay_before = -1.0
        if OUTSIDE:
            self.bank_s -= self.asked_cpu - self.idle_cpu

    def used_s(self) -> float:
        """CPU seconds since the question."""
        return cpu_s(self.pid) - self.asked_cpu

    def waited_s(self) -> float:
        """Fair wall seconds since the question. The delay of the first moments is not taken off."""
        wall = time.monotonic() - self.asked_at
        if wall < SLOW_S:
            return wall
        delay = delay_s(self.pid)
        if self.delay_before < 0:
            self.delay_before = delay
        return wall - (delay - self.delay_before)

    def end(self, used_s: float) -> None:
        """The answer is there."""
        self.bank_s -= used_s
        self.idle_cpu = self.asked_cpu + used_s
        if time.monotonic() - self.asked_at > SLOW_S:
            self.slept_s += self.waited_s()
