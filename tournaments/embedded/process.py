"""Child processes: each leads its own process group, writes its own log, and dies with its parent."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tournaments.embedded.nobody import become_nobody, is_root

ROOT = Path(__file__).resolve().parent.parent.parent
PR_SET_PDEATHSIG = 1
LOG_BYTES = 10 << 20
PATIENCE = 10.0  # seconds from the stop signal to SIGKILL


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, and how it is told to leave."""

    name: str
    command: tuple[str | Path, ...]
    environment: Mapping[str, str]
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGKILL  # sent by the kernel when the parent is gone (Linux)
    refuses_root: bool = False


def spawn(program: Program) -> subprocess.Popen[bytes]:
    """Start it. Call this from the main thread: the orphan signal comes when the calling thread ends."""
    parent, drop = os.getpid(), program.refuses_root and is_root()

    def prepare() -> None:
        if drop:
            become_nobody()
        die_with(parent, program.orphan_signal)  # a change of user clears it, so it comes last

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


def die_with(parent: int, orphan_signal: signal.Signals) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, orphan_signal, 0, 0, 0)
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def open_log(path: Path) -> BinaryIO:
    """The log to append to; a long one is first set aside, and the one set aside before it is forgotten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".old.log"))
    return path.open("ab")


def stop(program: Program, process: subprocess.Popen[bytes], patience: float = PATIENCE) -> None:
    """Ask it to leave; after `patience` seconds kill it. Either way nothing of its group stays behind."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        if process.poll() is None:
            process.send_signal(program.stop_signal)
            process.wait(patience)
    end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of its process group: the leader, or children that it left when it died."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
