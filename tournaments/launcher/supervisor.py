"""Keeps programs running: starts again what dies, and at the end stops all of it in good order."""

import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from tournaments.launcher.subprocess_group import Program, end_group, spawn, stop, trim
from workers.isolation import Memory, each

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0  # seconds before a dead one is started again: twice as long each time
HEALTHY = 30.0  # seconds alive, after which earlier deaths are forgotten
PAUSES = (1.0, 5.0, 10.0)  # seconds before what could not be started at all, for want of memory say, is tried again
STUBBORN = 4  # deaths in a row that are worth a word


@dataclass(slots=True)
class Child:
    program: Program
    process: subprocess.Popen[bytes]
    born: float = field(default_factory=time.monotonic)
    deaths: int = 0  # in a row
    due: float | None = None  # when it is started again, while it is dead

    @property
    def leaves(self) -> int:
        return self.program.leaves


class Supervisor:
    def __init__(self) -> None:
        self.children: list[Child] = []
        self.restarts = 0
        self._book = Memory(PAUSES, sets_aside=False)

    def start(self, programs: Iterable[Program]) -> None:
        for program in programs:
            self.adopt(program, spawn(program))

    def adopt(self, program: Program, process: subprocess.Popen[bytes]) -> None:
        self.children.append(Child(program, process))

    def tend(self) -> None:
        """Call this often: what has died is noticed, and started again when its pause is over; logs are kept short."""
        each("supervisor", self.children, self._tend, self._book, lambda child: child.program.name)

    def _tend(self, child: Child) -> None:
        now = time.monotonic()
        if child.due is None and child.process.poll() is not None:
            self._bury(child, now)
        elif child.due is not None and now >= child.due:
            child.process, child.born, child.due = spawn(child.program), now, None
            self.restarts += 1
        trim(child.program.log)

    def stubborn(self) -> list[Program]:
        """Those that do not stay alive."""
        return [child.program for child in self.children if child.deaths >= STUBBORN]

    def stop(self) -> None:
        """Ask each to leave, in order. Interrupted, it kills what is left: the second Ctrl-C is in a hurry."""
        remaining = sorted(self.children, key=attrgetter("leaves"))
        try:
            for _, together in groupby(remaining, attrgetter("leaves")):
                stop([(child.program, child.process) for child in together])
        finally:
            for child in remaining:
                end_group(child.process)
        self.children.clear()

    @staticmethod
    def _bury(child: Child, now: float) -> None:
        end_group(child.process)  # what it left behind must not work on beside its successor
        child.deaths = 1 if now - child.born > HEALTHY else child.deaths + 1
        child.due = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (child.deaths - 1))
