"""A bot's process, wherever it runs, and the ordinary kind for play at home."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

OUTSIDE = sys.platform == "linux"  # whether another process's clocks can be read here
INEXACT_KB = 4096  # Linux counts the memory of a running process on each core apart, and reads it not to the page
ROOT = Path(__file__).resolve().parent.parent  # where the packages `engine` and `bots` lie


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended, by an exit code or by a signal, and what it used."""

    code: int | None
    signal: int | None
    cpu_s: float
    max_rss_kb: int
    ran_out: bool = False  # it, or a process of it, was killed for want of memory: known where a sandbox counts it


def cpu_clock_of(pid: int) -> int:
    """The clock of a process's CPU time, for `time.clock_gettime`: OSError if the process is gone. Linux only.

    `clock_getcpuclockid(3)` makes the number from the pid in this way; Python has no name for it.
    """
    return (~pid << 3) | 2


def delay_s(pid: int) -> float:
    """Seconds the threads of a process were ready to run while others had the core; 0 where the system does not say."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return 0.0
    return sum(thread_delay_s(thread / "schedstat") for thread in threads)


def thread_delay_s(path: Path) -> float:
    """Return the seconds that a thread was ready to run while others had the core; 0 where the system does not say."""
    try:
        return int(path.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def is_runnable(pid: int) -> bool:
    """Return whether a thread of a process has a core, or waits for one or the disk; False where the system does not
    say."""
    try:
        return any(state_in((thread / "stat").read_bytes()) in b"RD" for thread in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return False


def state_in(stat: bytes) -> bytes:
    """Return the letter for what a thread is doing. Its name, which stands before it, may hold anything."""
    return stat.rpartition(b")")[2].split()[0]


def peak_rss_kb(pid: int) -> int:
    """Most memory that a running process has had since its program began; 0 where the system does not say.

    What the kernel says at a process's end counts what started it too, for a fork begins with the memory of its parent.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])
    except (OSError, IndexError, ValueError):
        return 0


def ended(pid: int, patience_s: float) -> bool:
    """Whether a process that nobody has reaped has ended, or does within so many seconds."""
    if not hasattr(os, "pidfd_open"):
        return True  # macOS cannot tell; a bot that closes its output there counts as gone
    handle = os.pidfd_open(pid)
    try:
        return bool(select.select([handle], [], [], patience_s)[0])
    finally:
        os.close(handle)


def for_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with our packages on its path, and the same order of sets each time: the same seed, the
    same play."""
    path = os.pathsep.join(filter(None, (str(ROOT), environment.get("PYTHONPATH"))))
    kept = {name: value for name, value in environment.items() if name != "PYTHONSAFEPATH"}  # bots import their own
    return {**kept, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}


class Process(Protocol):
    """A running bot."""

    @property
    def pid(self) -> int: ...  # as seen from here

    @property
    def stdin(self) -> int: ...  # our ends of its pipes

    @property
    def stdout(self) -> int: ...

    @property
    def stderr(self) -> int: ...

    def cpu_s(self) -> float:
        """CPU seconds of all its threads together. Raises OSError once that is unknown."""
        ...

    def delay_s(self) -> float:
        """Seconds its threads were ready to run while others had the core; 0 where the system does not say."""
        ...

    def is_runnable(self) -> bool:
        """Whether it has a core, or waits for one or the disk; False where the system does not say."""
        ...

    def note_memory(self) -> None:
        """Look at what memory it has had, while it runs, where that cannot be told once it has ended."""
        ...

    def pause(self) -> None:
        """Stop it and all it started until `resume`, where a sandbox can: it is not asked. Harmless if it has ended."""
        ...

    def resume(self) -> None:
        """Let it go on, if it was stopped."""
        ...

    def kill(self) -> None:
        """Kill it and all it started. Harmless if it has ended."""
        ...

    def ended(self, patience_s: float = 0) -> bool:
        """Whether it has ended, or does within so many seconds."""
        ...

    def wait(self) -> Exit:
        """Block until it has ended, reap it and close our ends of the pipes. Called once, after all else."""
        ...


class Local:
    """An ordinary process of this machine: NO sandbox, it may do all that you may. For bots you trust."""

    def __init__(
        self,
        folder: Path,
        entry: str,
        command: Sequence[str] = (),
        *,
        prepare: Callable[[], None] | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """Run a command in `folder`; without one, this interpreter on the Python file `entry` there.

        `prepare` is called in the new process, before it becomes the command.
        """
        child_in, self.stdin = os.pipe()
        self.stdout, child_out = os.pipe()
        self.stderr, child_err = os.pipe()
        self._child = subprocess.Popen(
            command or [sys.executable, str(folder / entry)],
            cwd=folder,
            stdin=child_in,
            stdout=child_out,
            stderr=child_err,
            env=for_python(environment),
            start_new_session=True,  # Ctrl-C is for us; and one kill reaches all that it starts
            preexec_fn=prepare,  # noqa: PLW1509 - it may not ask for anything that another thread holds
        )
        for fd in (child_in, child_out, child_err):
            os.close(fd)
        self.pid = self._child.pid
        self._clock = cpu_clock_of(self.pid) if OUTSIDE else time.CLOCK_MONOTONIC
        self._peak_kb = 0
        self._ours_kb = peak_rss_kb(os.getpid())

    def cpu_s(self) -> float:
        return time.clock_gettime(self._clock)

    def delay_s(self) -> float:
        return delay_s(self.pid)

    def is_runnable(self) -> bool:
        return is_runnable(self.pid)

    def note_memory(self) -> None:
        self._peak_kb = max(self._peak_kb, peak_rss_kb(self.pid))

    def pause(self) -> None:
        """Nothing: at home a bot may think while others are asked."""

    def resume(self) -> None:
        """Nothing: it was never stopped."""

    def kill(self) -> None:
        if self._child.returncode is None:
            self.note_memory()
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def ended(self, patience_s: float = 0) -> bool:
        return ended(self.pid, patience_s)

    def wait(self) -> Exit:
        _, status, used = os.wait4(self.pid, 0)
        for fd in (self.stdin, self.stdout, self.stderr):
            os.close(fd)
        code = os.waitstatus_to_exitcode(status)
        self._child.returncode = code
        rss_kb = used.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
        if self._peak_kb and rss_kb <= self._ours_kb + INEXACT_KB:
            rss_kb = self._peak_kb  # the kernel's figure may be ours
        cpu_s = used.ru_utime + used.ru_stime
        return Exit(code if code >= 0 else None, -code if code < 0 else None, cpu_s, rss_kb)


def share_one_core(number: int) -> None:
    """Keep this process, and the bots it starts from now on, on one core: they take turns, and waking another core
    costs ten times more than to send the answer through a pipe. Does nothing where that cannot be set."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {cores[number % len(cores)]})
