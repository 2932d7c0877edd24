"""`python3 -m tests.faults.stepped PROGRAM ...`: a process of the platform that can be made to end at a named step.

The code that runs is the product's own; some of its functions are wrapped from outside before it starts. The
environment says more: FAULTS_SKEW moves the clocks of this process by so many seconds, and a match worker with
FAULTS_TWICE hands in every report twice.
"""

import importlib
import os
import runpy
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.faults.steps import STEPS, Step, Trap

FOLDER, SKEW, TWICE = "FAULTS_FOLDER", "FAULTS_SKEW", "FAULTS_TWICE"
SOON = 0.2  # seconds before a worker says what it has in hand: in these runs all matches are short
PULSE = 1.0  # seconds; as often in a lease of these runs as in one of the platform's


def main() -> None:
    sys.argv = sys.argv[1:]
    program = sys.argv[0]
    prepare({"django": "dispatcher", "tournaments.ledger.recording": "recorder", "workers": "worker"}[program])
    runpy.run_module(program, run_name="__main__", alter_sys=True)


def prepare(program: str) -> None:
    skew(float(os.environ.get(SKEW, "0")))
    if program != "worker":
        importlib.import_module("django").setup()
    trap = Trap(Path(os.environ[FOLDER]))
    for step in STEPS:
        if step.program == program:
            wrap(step, trap)
    if program == "worker":
        importlib.import_module("workers.heartbeat").EVERY = PULSE  # type: ignore[attr-defined]
        importlib.import_module("workers.set_progress").SOON = SOON  # type: ignore[attr-defined]
    if program == "worker" and os.environ.get(TWICE):
        importlib.import_module("tests.faults.again").deliver_twice(Path(os.environ[FOLDER]))


def wrap(step: Step, trap: Trap) -> None:
    name, function = step.function.split(":")
    module = importlib.import_module(name)
    wrapped = getattr(module, function)

    def passing(*given: Any, **named: Any) -> Any:
        if not step.after:
            trap.spring(step)
        result = wrapped(*given, **named)
        if step.after:
            trap.spring(step)
        return result

    setattr(module, function, passing)


def skew(seconds: float) -> None:
    """Shift what this process takes for the time of day by so much, and put what only goes forward ahead."""
    if not seconds:
        return
    shifted(time, "time", seconds)
    shifted(time, "monotonic", abs(seconds))
    if "DJANGO_SETTINGS_MODULE" in os.environ:
        shifted(importlib.import_module("django.utils.timezone"), "now", timedelta(seconds=seconds))


def shifted(module: Any, name: str, by: Any) -> None:
    right: Callable[[], float | datetime] = getattr(module, name)
    setattr(module, name, lambda: right() + by)


if __name__ == "__main__":
    main()
