"""Python bots at home as copies of a process that has loaded the SDK and the game: `bots/fork_server.py`.

Each match has fresh copies with pipes of their own, as it would have fresh interpreters; nothing passes from one to
another. On Linux alone: elsewhere, and for other languages, `started` gives ordinary processes.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bots.interrupts import held
from bots.process import OUTSIDE, ROOT, Exit, Local, Process, cpu_clock_of, delay_s, ended, for_python
from engine.referee import PlatformFault

CHUNK = 64 << 10
BEGIN = "import sys; bare = set(sys.modules); from bots.fork_server import main; main(*sys.argv[1:], bare)"
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


def started(folder: Path, command: Sequence[str], environment: Mapping[str, str]) -> Process:
    """A bot's process, without a sandbox. Raises OSError and PlatformFault."""
    if _running and len(command) == 2 and command[0] == sys.executable:
        return Forked(_running[-1], folder, command[1], environment)
    return Local(folder, "", command, environment=environment)


class Server:
    """Our end of it. It ends, and its bots with it, when this process has closed the line or is gone itself."""

    def __init__(self, game: str, environment: Mapping[str, str]) -> None:
        self.line, theirs = socket.socketpair()
        with held(), theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BEGIN, str(theirs.fileno()), game],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=for_python(environment),
                start_new_session=True,  # Ctrl-C is for us
                pass_fds=[theirs.fileno()],
            )

    def asked(self, order: Mapping[str, Any], pipes: Sequence[int] = ()) -> dict[str, Any]:
        """Its answer. Raises OSError, which may be the bot's, and PlatformFault if the server is gone."""
        line = json.dumps(order).encode() + b"\n"
        try:
            with held():  # or the answer would be taken for that to the next order
                self.line.sendall(line[socket.send_fds(self.line, [line], pipes) :])
                said = self.line.recv(CHUNK)
        except (BrokenPipeError, ConnectionResetError):
            said = b""
        if not said:
            raise PlatformFault("the process that Python bots are forked from was killed; is memory short?")
        answer: dict[str, Any] = json.loads(said)
        if "failed" in answer:
            raise OSError(*answer["failed"])
        return answer

    def close(self) -> None:
        with held():
            self.line.close()
            self.process.wait()


class Forked:
    """A Python bot: a process that the server has forked, and reaps."""

    def __init__(self, server: Server, folder: Path, file: str, environment: Mapping[str, str]) -> None:
        self._server, self._reaped = server, False
        theirs_in, self.stdin = os.pipe()
        self.stdout, theirs_out = os.pipe()
        self.stderr, theirs_err = os.pipe()
        order = {"folder": str(folder), "file": file, "environment": for_python(environment)}
        self._ours = [self.stdin, self.stdout, self.stderr]
        theirs = (theirs_in, theirs_out, theirs_err)
        try:
            self.pid: int = server.asked(order, theirs)["pid"]
        except BaseException:
            self._close()
            raise
        finally:
            for end in theirs:
                os.close(end)
        self._clock = cpu_clock_of(self.pid)

    def cpu_s(self) -> float:
        return time.clock_gettime(self._clock)

    def delay_s(self) -> float:
        return delay_s(self.pid)

    def note_memory(self) -> None:
        """Its end tells all: it was never another program."""

    def kill(self) -> None:
        if not self._reaped:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def ended(self, patience_s: float = 0) -> bool:
        try:
            return ended(self.pid, patience_s)
        except ProcessLookupError:
            return True  # the server is gone, and others have reaped it

    def wait(self) -> Exit:
        self._reaped = True
        try:
            how = self._server.asked({"wait": self.pid})
        finally:
            self._close()
        code = how["code"]
        return Exit(code if code >= 0 else None, -code if code < 0 else None, how["cpu_s"], how["max_rss_kb"])

    def _close(self) -> None:
        while self._ours:
            os.close(self._ours.pop())
