"""Keeps programs running: restarts those that die, and at the end stops all of them in order."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from tournaments.ops.launcher.subprocess_group import Process, Program, end_group, spawn_program, stop, trim
from workers.isolation import Memory, handle_each

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0  # seconds before a dead one is started again: twice as long each time
HEALTHY = 30.0  # seconds alive, after which earlier deaths no longer count
PAUSES = (1.0, 5.0, 10.0)  # seconds before a program that could not be started (too little memory) is tried again
UNSTABLE = 4  # deaths in a row that are reported


@dataclass(slots=True)
class Child:
    program: Program
    process: Process
    started: float = field(default_factory=time.monotonic)
    deaths: int = 0  # in a row
    due: float | None = None  # when it is restarted, while it is dead

    @property
    def stop_order(self) -> int:
        return self.program.stop_order


class Supervisor:
    def __init__(self) -> None:
        self.children: list[Child] = []
        self.restarts = 0
        self._failures = Memory(PAUSES, sets_aside=False)

    def start(self, programs: Iterable[Program]) -> None:
        for program in programs:
            self.adopt(program, spawn_program(program))

    def adopt(self, program: Program, process: Process) -> None:
        self.children.append(Child(program, process))

    def tend(self) -> None:
        """Call this often: restarts what has died when its pause is over, and keeps logs short."""
        handle_each("supervisor", self.children, self._tend, self._failures, lambda child: child.program.name)

    def _tend(self, child: Child) -> None:
        now = time.monotonic()
        if child.due is None and child.process.poll() is not None:
            self._plan_restart(child, now)
        elif child.due is not None and now >= child.due:
            child.process, child.started, child.due = spawn_program(child.program), now, None
            self.restarts += 1
        trim(child.program.log)

    def unstable(self) -> list[Program]:
        """Programs that do not stay alive."""
        return [child.program for child in self.children if child.deaths >= UNSTABLE]

    def stop(self) -> None:
        """Stop each, in order. Interrupted by a second Ctrl-C, it kills what is left."""
        remaining = sorted(self.children, key=attrgetter("stop_order"))
        try:
            for _, together in groupby(remaining, attrgetter("stop_order")):
                stop([(child.program, child.process) for child in together])
        finally:
            for child in remaining:
                end_group(child.process)
        self.children.clear()

    @staticmethod
    def _plan_restart(child: Child, now: float) -> None:
        end_group(child.process)  # what it left behind must not work on beside its successor
        child.deaths = 1 if now - child.started > HEALTHY else child.deaths + 1
        child.due = now + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (child.deaths - 1))
