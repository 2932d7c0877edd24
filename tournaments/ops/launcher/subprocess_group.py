"""Child processes: each leads its own process group, writes its own log, and dies with its parent."""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import BinaryIO

from tournaments.ops.launcher.unprivileged import become_nobody, is_root

ROOT = Path(__file__).resolve().parents[3]
PR_SET_PDEATHSIG = 1
LOG_BYTES = 10 << 20
LAST = 9
Process = subprocess.Popen[bytes]
SPAWNING = Event()  # set while a program is being started: what a signal handler raises then is lost


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, and how to stop it."""

    name: str
    command: tuple[str | Path, ...]
    environment: Mapping[str, str]
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGKILL  # sent by the kernel when the parent is gone (Linux)
    refuses_root: bool = False
    stop_timeout: float = 10.0  # seconds from the stop signal to SIGKILL
    stop_order: int = 0  # those with the lowest number stop first, together


def spawn_program(program: Program) -> Process:
    """Start it. Call this from the main thread: the orphan signal comes when the calling thread ends."""
    parent, drop = os.getpid(), program.refuses_root and is_root()

    def prepare() -> None:
        if drop:
            become_nobody()
        die_with(parent, program.orphan_signal)  # a change of user clears it, so it comes last

    SPAWNING.set()
    try:
        with open_log(program.log) as log:
            return subprocess.Popen(
                [str(part) for part in program.command],
                cwd=ROOT,
                env=program.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=prepare,  # noqa: PLW1509
            )
    finally:
        SPAWNING.clear()


def die_with(parent: int, orphan_signal: signal.Signals) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, orphan_signal, 0, 0, 0)
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def open_log(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    trim(path)
    return path.open("ab")


def trim(path: Path) -> None:
    """Set a long log aside, and forget the one set aside before it. Processes that append to it may go on meanwhile."""
    with contextlib.suppress(OSError):  # a full disk must not stop those who write the log
        if path.stat().st_size > LOG_BYTES:
            shutil.copyfile(path, path.with_suffix(".old.log"))
            os.truncate(path, 0)


def stop(running: Sequence[tuple[Program, Process]]) -> None:
    """Stop them all; those still running after their stop timeout are killed, and so is the rest of their groups."""
    for program, process in running:
        if process.poll() is None:
            process.send_signal(program.stop_signal)
    deadline = time.monotonic() + max((program.stop_timeout for program, _ in running), default=0)
    for _, process in running:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0, deadline - time.monotonic()))
        end_group(process)


def end_group(process: Process) -> None:
    """Kill what is left of its process group: the leader, or children that it left when it died."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
