"""The self-test bot. It runs inside a box, tries what a hostile bot would try, and prints what worked.

Ordinary attacks are left to tests/hostile; here are those few that show each layer to be in place.
"""

import ctypes
import fcntl
import json
import mmap
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import bots  # noqa: F401 - a box without these two is no use
import engine  # noqa: F401

HARMLESS = {"HOME", "LANG", "PATH", "TMPDIR"}
PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS = 2, 3, 39
SIGKILL = 9
MAP_LOCKED = 0x2000


def read(path: str) -> None:
    with Path(path).open("rb") as file:
        file.read(1)


def write(path: str) -> None:
    with Path(path).open("ab") as file:
        file.write(b"x")


def look(path: str) -> None:
    next(Path(path).iterdir(), None)


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def signal(pid: int) -> None:
    if pid in (0, os.getpid()):
        raise ProcessLookupError("there is nobody but ourselves")
    os.kill(pid, 0)


def socket_of(family: int, kind: int) -> None:
    socket.socket(family, kind).close()


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=1).close()


def start_threads(number: int) -> None:
    """Besides the one we have; all are alive together."""
    enough = threading.Event()
    try:
        for _ in range(number):
            threading.Thread(target=enough.wait).start()
    finally:
        enough.set()


def lock_memory() -> None:
    mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_LOCKED)


def need(holds: bool) -> None:
    """For a layer that can be looked at only from its good side."""
    if holds:
        raise PermissionError("as it should be")


def limits_hold() -> bool:
    return resource.getrlimit(resource.RLIMIT_CORE) == (1, 1) and resource.getrlimit(resource.RLIMIT_STACK)[1] > 0


def privileges_are_gone() -> bool:
    prctl = ctypes.CDLL(None).prctl
    return bool(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 and prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0)


def dies_with_parent() -> bool:
    asked = ctypes.c_int()
    ctypes.CDLL(None).prctl(PR_GET_PDEATHSIG, ctypes.byref(asked), 0, 0, 0)
    return asked.value == SIGKILL


def attempts(targets: dict[str, Any]) -> Iterable[tuple[str, Callable[[], object]]]:
    yield "read /etc/passwd", lambda: read("/etc/passwd")
    yield "list /proc", lambda: look("/proc")
    yield "read a process's files", lambda: read("/proc/self/environ")
    yield "see the environment", lambda: need(set(os.environ) <= HARMLESS)
    yield "fork", fork
    yield "run a program", lambda: os.execv(sys.executable, [sys.executable, "-V"])
    yield "connect to a loopback port", lambda: connect(targets["tcp_port"])
    yield "open a unix socket", lambda: socket_of(socket.AF_UNIX, socket.SOCK_STREAM)
    yield "open an internet socket", lambda: socket_of(socket.AF_INET, socket.SOCK_DGRAM)
    yield "write to its own folder", lambda: write("own.txt")
    yield "write to its own code", lambda: write(__file__)
    yield "write to /", lambda: write("/own.txt")
    yield "take more memory than its limit", lambda: mmap.mmap(-1, targets["memory"])
    yield "start more threads than its limit", lambda: start_threads(targets["threads"])
    yield "lock memory, by a capability", lock_memory
    yield "read what is closed to its owner, by a capability", lambda: read("closed.txt")
    yield "keep privileges", lambda: need(privileges_are_gone())
    yield "keep the worker's user", lambda: need(os.getuid() >= targets["first_user"])
    yield "outlive its parent", lambda: need(dies_with_parent())
    yield "keep the worker's limits", lambda: need(limits_hold())
    yield "inherit a descriptor", lambda: fcntl.fcntl(3, fcntl.F_GETFD)
    for pid in (os.getppid(), *targets["processes"]):
        yield f"signal process {pid}", lambda pid=pid: signal(pid)  # type: ignore[misc]
    for path in targets["files"]:
        yield f"read {path}", lambda path=path: read(path)  # type: ignore[misc]
    for path in targets["folders"]:
        yield f"list {path}", lambda path=path: look(path)  # type: ignore[misc]
    if targets["landlock"]:
        yield "list /", lambda: look("/")
    if targets["alone"]:
        yield "see other processes", lambda: need(os.getpid() == 1)
        yield "see the host's files", lambda: need(not any(map(os.path.exists, ("/etc", "/proc", "/sys"))))


def works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, RuntimeError):  # the last is what a thread that cannot start gives
        return False
    return True


def honest_work(threads: int, *, files: bool) -> None:
    """What a bot must be able to do; a box in which it cannot is no use."""
    if files:
        read(__file__)
    if "TMPDIR" in os.environ:
        write(os.environ["TMPDIR"] + "/note")
    start_threads(threads - 1)


if __name__ == "__main__":
    wanted = json.loads(sys.stdin.readline())
    honest_work(wanted["threads"], files=wanted["files_of_its_own"])
    print(json.dumps({"broken": [name for name, attempt in attempts(wanted) if works(attempt)]}))
