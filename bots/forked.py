"""Python bots at home as copies of a process that has loaded the SDK and the game: `bots/fork_server.py`.

Each match has fresh copies with pipes of their own, as it would have fresh interpreters; nothing passes from one to
another. On Linux alone: elsewhere, and for other languages, `started` gives ordinary processes.
"""

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bots.interrupts import held
from bots.process import OUTSIDE, ROOT, Exit, Local, Process, cpu_clock_of, delay_s, ended, for_python, is_runnable
from engine.referee import PlatformFault

CHUNK = 64 << 10
BEGIN = "import sys; bare = set(sys.modules); from bots.fork_server import main; main(*sys.argv[1:], bare)"
Pipe = tuple[int, int]
_running: list["Server"] = []


@contextlib.contextmanager
def forking(game: str, environment: Mapping[str, str]) -> Iterator[None]:
    """While it lasts, `started` forks Python bots of that game. For one thread."""
    if not OUTSIDE:
        yield
        return
    with contextlib.closing(Server(game, environment)) as server:
        _running.append(server)
        try:
            yield
        finally:
            _running.remove(server)


class Start(NamedTuple):
    """A bot to start: where, by which command, and what it finds in its environment."""

    folder: Path
    command: Sequence[str]
    environment: Mapping[str, str]


def started(bots: Sequence[Start]) -> list[Process]:
    """The processes of a match, without a sandbox: all, or none is left. Raises OSError and PlatformFault."""
    processes = dict[int, Process]()
    with contextlib.ExitStack() as in_vain:
        if copied := [number for number, bot in enumerate(bots) if is_copied(bot)]:
            processes.update(zip(copied, _running[-1].start([bots[number] for number in copied]), strict=True))
        for process in processes.values():
            in_vain.callback(given_up, process)
        for number, bot in enumerate(bots):
            if number not in processes:
                processes[number] = Local(bot.folder, "", bot.command, environment=bot.environment)
                in_vain.callback(given_up, processes[number])
        in_vain.pop_all()
    return [processes[number] for number in range(len(bots))]


def is_copied(bot: Start) -> bool:
    return bool(_running) and len(bot.command) == 2 and bot.command[0] == sys.executable


def given_up(process: Process) -> None:
    process.kill()
    process.wait()


class Server:
    """Our end of it. It ends, and its bots with it, when this process has closed the line or is gone itself."""

    def __init__(self, game: str, environment: Mapping[str, str]) -> None:
        self.environment = for_python(environment)
        self.leaving = set[int]()  # bots that are told to end and have not been waited for
        self.gone = dict[int, Exit]()  # and those that have, until somebody asks how they ended
        self.line, far_end = socket.socketpair()
        with held(), far_end:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BEGIN, str(far_end.fileno()), game],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=self.environment,
                start_new_session=True,  # Ctrl-C is for us
                pass_fds=[far_end.fileno()],
            )

    def start(self, bots: Sequence[Start]) -> list["Forked"]:
        """Start all bots of a match at once: each order, and each fork after it, costs the server copies of what it
        touches."""
        pipes = [os.pipe() for _ in range(3 * len(bots))]
        near_ends = [(stdin[1], stdout[0], stderr[0]) for stdin, stdout, stderr in in_threes(pipes)]
        far_ends = [end for stdin, stdout, stderr in in_threes(pipes) for end in (stdin[0], stdout[1], stderr[1])]
        try:
            pids = self.asked({"bots": [self.told(bot) for bot in bots]}, far_ends)["pids"]
        except BaseException:
            for end in itertools.chain(*near_ends):
                os.close(end)
            raise
        finally:
            for end in far_ends:
                os.close(end)
        return [Forked(self, pid, ends) for pid, ends in zip(pids, near_ends, strict=True)]

    def told(self, bot: Start) -> dict[str, Any]:
        variables = for_python(bot.environment)
        environment = None if variables == self.environment else variables
        return {"folder": str(bot.folder), "file": bot.command[1], "environment": environment}

    def wait(self, pid: int) -> Exit:
        """How a bot ended; all that are leaving are waited for at once."""
        if pid not in self.gone:
            pids = [*self.leaving.union([pid])]
            for ended, how in zip(pids, self.asked({"wait": pids})["ended"], strict=True):
                self.gone[ended] = exit_of(**how)
            self.leaving.clear()
        return self.gone.pop(pid)

    def asked(self, order: Mapping[str, Any], pipes: Sequence[int] = ()) -> dict[str, Any]:
        """Return the server's answer. Raises OSError, which may be the bot's, and PlatformFault if the server is
        gone."""
        line = json.dumps(order).encode() + b"\n"
        try:
            with held():  # or the answer would be taken for that to the next order
                self.line.sendall(line[socket.send_fds(self.line, [line], pipes) :])
                data = self.line.recv(CHUNK)
        except (BrokenPipeError, ConnectionResetError):
            data = b""
        if not data:
            raise PlatformFault("the process that Python bots are forked from was killed; is memory short?")
        answer: dict[str, Any] = json.loads(data)
        if "failed" in answer:
            raise OSError(*answer["failed"])
        return answer

    def close(self) -> None:
        with held():
            self.line.close()
            self.process.wait()


def in_threes(pipes: Sequence[Pipe]) -> Iterator[tuple[Pipe, Pipe, Pipe]]:
    return zip(pipes[::3], pipes[1::3], pipes[2::3], strict=True)


def exit_of(code: int, cpu_s: float, max_rss_kb: int) -> Exit:
    return Exit(code if code >= 0 else None, -code if code < 0 else None, cpu_s, max_rss_kb)


class Forked:
    """A Python bot: a process that the server has forked, and reaps."""

    def __init__(self, server: Server, pid: int, ends: tuple[int, int, int]) -> None:
        self._server, self.pid, self._reaped = server, pid, False
        self.stdin, self.stdout, self.stderr = ends
        self._ours: Sequence[int] = ends
        self._clock = cpu_clock_of(pid)

    def cpu_s(self) -> float:
        return time.clock_gettime(self._clock)

    def delay_s(self) -> float:
        return delay_s(self.pid)

    def is_runnable(self) -> bool:
        return is_runnable(self.pid)

    def note_memory(self) -> None:
        """Do nothing: the process's end tells all, for it was never another program."""

    def pause(self) -> None:
        """Nothing: at home a bot may think while others are asked."""

    def resume(self) -> None:
        """Nothing: it was never stopped."""

    @property
    def is_reaped(self) -> bool:
        return self._reaped or self.pid in self._server.gone

    def kill(self) -> None:
        if self.is_reaped:
            return
        self._server.leaving.add(self.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has no session of its own yet, nor children
                os.kill(self.pid, signal.SIGKILL)

    def ended(self, patience_s: float = 0) -> bool:
        try:
            return self.is_reaped or ended(self.pid, patience_s)
        except ProcessLookupError:
            return True  # the server is gone, and others have reaped it

    def wait(self) -> Exit:
        with held():  # or it would be waited for again, and there is nobody any more
            try:
                return self._server.wait(self.pid)
            finally:
                self._reaped = True
                ends, self._ours = self._ours, ()
                for end in ends:
                    os.close(end)
