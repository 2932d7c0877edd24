"""Programs of the site as forks of `up`, which has loaded what they need: each would spend a second on that again.

A fork is made before `up` has a thread, a session of the database or a connection to the broker. It runs what the
program's command names, in a session of its own, and ends there: nothing of `up` goes on in it. Only first starts are
forks: whoever dies is started again by its command. Match workers never are: a fork remembers what `up` knows, and
they must know no secret.
"""

import ctypes
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Never

from tournaments.launcher.subprocess_group import ROOT, Process, Program, die_with, open_log, spawn

TRACERS = ("SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT")  # they have threads, which a fork would lack
HEARD = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
FORKING = Event()  # set while a child is being forked: what a signal handler raises then is lost
LOOK = 0.01  # seconds between two looks at a fork that is waited for
ARGUMENTS = slice(45, 47)  # where /proc/N/stat says, behind the name, that they begin and end: proc_pid_stat(5)


class Fork:
    """A child of ours, as the supervisor needs it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(LOOK)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def can_fork(environment: Mapping[str, str]) -> bool:
    """Return whether programs can be forked: on macOS libraries of the system do not survive it."""
    return sys.platform == "linux" and not any(environment.get(name) for name in TRACERS)


def start(program: Program) -> Process:
    """Start a program as a fork if that can be, else by its command."""
    if not can_fork(program.environment):
        return spawn(program)
    return fork(lambda: _execute(program), program.log, program.orphan_signal, title=program.command)


def fork(
    act: Callable[[], object], log: Path, orphan_signal: signal.Signals, *, title: tuple[str | Path, ...] = ()
) -> Fork:
    """A child that does `act` and ends. Call this from the main thread, as `spawn`. Returns when it has left our
    session, so that it can be stopped with its group."""
    parent = os.getpid()
    ready, left = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)  # a signal to the child must not be taken for one to us
    FORKING.set()
    try:
        if not (pid := os.fork()):
            _child(act, parent, log, orphan_signal, title)
    finally:
        FORKING.clear()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
    os.close(left)
    os.read(ready, 1)  # nothing: the child has closed its end
    os.close(ready)
    return Fork(pid)


def _child(
    act: Callable[[], object], parent: int, log: Path, orphan_signal: signal.Signals, title: tuple[str | Path, ...]
) -> Never:
    code = 1
    try:
        os.setsid()
        _forget_handlers()
        _redirect(log)
        _rename(title)
        die_with(parent, orphan_signal)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # our locks, and the pipe that says that we are ready
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
        code = _code_of(act)
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _forget_handlers() -> None:
    """Reset signal handlers as `exec` does: what is ignored stays so."""
    for number in HEARD:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def _redirect(log: Path) -> None:
    with Path(os.devnull).open("rb") as nothing, open_log(log) as written:
        for source, target in ((nothing, 0), (written, 1), (written, 2)):
            os.dup2(source.fileno(), target)


def _rename(title: tuple[str | Path, ...]) -> None:
    """Name the process for `ps`: where the kernel reads our arguments, as far as they reached."""
    with suppress(OSError, ValueError):
        begin, end = map(int, Path("/proc/self/stat").read_text().rpartition(")")[2].split()[ARGUMENTS])
        if title and end > begin:
            text = b"\0".join(os.fsencode(part) for part in title)[: end - begin - 1]
            ctypes.memmove(begin, text.ljust(end - begin, b"\0"), end - begin)


def _code_of(act: Callable[[], object]) -> int:
    """The exit code, as an interpreter would end with it."""
    try:
        act()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        return 130
    except BaseException:  # noqa: BLE001  the border of a process
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _execute(program: Program) -> None:
    """Do what Python does with the command: run a module, or a file, with its arguments."""
    os.environ.clear()
    os.environ.update(program.environment)
    os.chdir(ROOT)
    _, first, *arguments = map(str, program.command)
    sys.argv = arguments if first == "-m" else [first, *arguments]
    if first == "-m":
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(first, run_name="__main__")
