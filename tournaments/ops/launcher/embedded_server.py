"""The base of PostgreSQL and Valkey: a unix socket, a log, and a start that waits for the first answer."""

import hashlib
import os
import re
import secrets
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

from tournaments.ops.launcher.server_start import Progress, Say, ServerWait, complain, log_tail
from tournaments.ops.launcher.subprocess_group import Program, end_group, spawn_program, stop

ENDS_BY_CHANCE = 2  # of its process in one start, such as beside a predecessor that is still leaving the folder
SOCKET_PATH = re.compile(r"[\w./-]{1,80}", re.ASCII)  # the kernel takes about 104 bytes; URLs want plain characters


class ServerError(Exception):
    """A built-in server that cannot run; the message says why and where to look."""


class Server(ABC):
    """A server that lives in one folder and is reached through a unix socket alone: no port is opened."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder, self.log = folder.absolute(), log.absolute()
        self.sockets = socket_folder(self.folder)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str: ...

    @property
    @abstractmethod
    def program(self) -> Program: ...

    @abstractmethod
    def answers(self) -> bool: ...

    @abstractmethod
    def prepare(self) -> None:
        """Make what a first start needs; do nothing at later ones."""

    def mend(self, report: Say) -> None:  # noqa: B027  only servers whose files may be given up have something to do
        """Set aside what may keep it from starting, when it has ended several times."""

    def start(self, say: Say = complain) -> None:
        """Return when it answers, however long that takes while it works; `say` gets messages about the wait.

        A predecessor whose parent was killed a moment ago is given time to leave.
        """
        self.stop()
        self.process = None
        self._until(answering=False, say=say, problem="another one still runs on the same folder")
        self.prepare()
        self.process = spawn_program(self.program)
        self._until(answering=True, say=say, problem="it does not answer")

    def stop(self) -> None:
        if self.process:
            stop([(self.program, self.process)])
        self.tidy()

    def tidy(self) -> None:
        """Remove a folder that was made for its socket alone, after its end."""
        if self.sockets != self.folder:
            with suppress(OSError):  # it was never made, or a killed server's socket is still in it
                self.sockets.rmdir()

    def _until(self, *, answering: bool, say: Say, problem: str) -> None:
        wait, ends = ServerWait(f"{self.program.name}: {problem}", say, self.log), 0
        progress = Progress(self.log)
        while self.answers() != answering:
            progress.leader = self.process.pid if self.process else None
            if not wait.goes_on(progress):
                self._give_up(problem)
            if self.process and self.process.poll() is not None:  # its predecessor may still be leaving the folder
                ends += 1
                if ends == ENDS_BY_CHANCE + 1:
                    self.mend(say)
                self._restart(wait)

    def _restart(self, wait: ServerWait) -> None:
        if not wait.ended():
            self._give_up("it ends again and again")
        time.sleep(0.25)
        self.process = spawn_program(self.program)

    def _give_up(self, problem: str) -> None:
        if self.process:
            end_group(self.process)
        raise ServerError(f"{self.program.name} did not start: {problem}. Its log is {self.log}:\n{log_tail(self.log)}")


def socket_folder(folder: Path) -> Path:
    """The folder itself if its path fits into a socket's address, else one of ours below the temporary folder."""
    folder = folder.absolute()
    if SOCKET_PATH.fullmatch(str(folder)):
        return folder
    name = f"boardroom-{os.geteuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"
    short = Path(tempfile.gettempdir()) / name
    return short if SOCKET_PATH.fullmatch(str(short)) else Path("/tmp") / name  # noqa: S108  checked before use


def secret_in_file(path: Path) -> str:
    """A random secret kept in a file. Two processes that make it at once both get the first one's."""
    if not path.exists():
        fresh = path.with_name(f".{path.name}-{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            path.hardlink_to(fresh)
        fresh.unlink()
    return path.read_text()


def make_private(folder: Path, owner: int) -> None:
    """Make the folder, or refuse one that another user made."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != owner or folder.stat().st_mode & 0o022:
        raise ServerError(f"{folder} must belong to us alone; remove it, or choose another folder with --data.")
