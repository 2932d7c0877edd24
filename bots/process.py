"""A bot's process, wherever it runs, and the ordinary kind for play at home."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent  # where the packages `engine` and `bots` lie


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended, by an exit code or by a signal, and what it used."""

    code: int | None
    signal: int | None
    cpu_s: float
    max_rss_kb: int


class Process(Protocol):
    """A running bot. Whoever it is handed to owns our ends of the three pipes, and closes them.

    Until `wait` it stays at least a zombie, so that its clocks can be read to the end.
    """

    @property
    def pid(self) -> int: ...  # as seen from here

    @property
    def stdin(self) -> int: ...

    @property
    def stdout(self) -> int: ...

    @property
    def stderr(self) -> int: ...

    def kill(self) -> None:
        """Kill it and all it started. Harmless if it has ended."""
        ...

    def wait(self) -> Exit:
        """Block until it has ended, and reap it; called once."""
        ...


class Local:
    """An ordinary process of this machine: NO sandbox, it may do whatever you may. For bots you trust."""

    def __init__(self, entry: Path) -> None:
        """Run the Python file `entry` with this interpreter."""
        child_in, self.stdin = os.pipe()
        self.stdout, child_out = os.pipe()
        self.stderr, child_err = os.pipe()
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self._child = subprocess.Popen(
            [sys.executable, str(entry)],
            stdin=child_in,
            stdout=child_out,
            stderr=child_err,
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},  # the same seed, the same play
            start_new_session=True,  # Ctrl-C is for us; and one kill reaches all that it starts
        )
        for fd in (child_in, child_out, child_err):
            os.close(fd)
        self.pid = self._child.pid

    def kill(self) -> None:
        if self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self) -> Exit:
        _, status, used = os.wait4(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._child.returncode = code
        rss_kb = used.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
        return Exit(code if code >= 0 else None, -code if code < 0 else None, used.ru_utime + used.ru_stime, rss_kb)


def ended(pid: int, wait_ms: int) -> bool:
    """Whether the process ends of itself within `wait_ms`. Where this cannot be told (not Linux): yes."""
    if not hasattr(os, "pidfd_open"):
        return True
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(wait_ms))
    finally:
        os.close(handle)


def share_one_core(number: int) -> None:
    """Keep this process, and the bots it starts from now on, on one core: they take turns, and waking another core
    costs ten times more than the answer's way through a pipe. Does nothing where that cannot be set."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {cores[number % len(cores)]})
