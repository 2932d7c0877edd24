"""One bot at a table: its process, its pipes, its clock, and whether it may stay when it should leave."""

import time

from bots.cpu_time import Meter
from bots.pipes import Wire
from bots.process import Exit, Process
from bots.protocol import Output

LEAVE_S = 0.2  # wall time a bot has to leave after the match, and CPU time if it has to wait for a core
LEAVE_MOST = 5  # times its CPU time it may take then


class SeatedBot:
    """One seat's process and what is known of it."""

    __slots__ = ("exit", "killed", "meter", "noise", "process", "questions", "took_s", "wire")

    def __init__(self, process: Process, output: Output) -> None:
        self.process, self.wire, self.meter = process, Wire(process, output), Meter(process)
        self.questions = 0  # so far
        self.noise = b""  # what it wrote before its question
        self.killed = False
        self.took_s = 0.0  # to answer, once it is gone
        self.exit: Exit | None = None  # stays so if the process is killed but its sandbox was lost with it


class Leaver:
    """A bot that should leave, and for how long it has slept since: who waits for a core has longer than who sleeps."""

    __slots__ = ("_bot", "_meter", "_seen", "_slept_s", "_told")

    def __init__(self, bot: SeatedBot, meter: Meter, now: float) -> None:
        self._bot, self._meter, self._slept_s = bot, meter, 0.0
        self._told = self._seen = now

    def may_stay(self, leave_s: float) -> bool:
        """Return whether the bot is still here and has time to leave. Call it often: it looks whether the bot
        sleeps."""
        if self._bot.wire.closed:
            return False
        before, self._seen = self._seen, time.monotonic()
        if not self._bot.process.is_runnable():
            self._slept_s += self._seen - before
        in_time = self._seen - self._told < LEAVE_MOST * leave_s
        return in_time and self._slept_s < LEAVE_S and self._meter.used_s() < leave_s
