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
PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS = 2, 3, 23, 39
FUTEX_WAKE = 1  # without the flag that keeps it to one's own process
SIGKILL = 9
MAP_LOCKED = 0x2000


def try_reading(path: str) -> None:
    with Path(path).open("rb") as file:
        file.read(1)


def try_writing(path: str) -> None:
    with Path(path).open("ab") as file:
        file.write(b"x")


def try_listing(path: str) -> None:
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


def _connect(port: int) -> None:
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


def meet(futex: int) -> None:
    """Wake whoever else waits at this place of libc's file."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(futex, ctypes.cast(libc.write, ctypes.c_void_p), FUTEX_WAKE, 1, None, None, 0) < 0:
        raise OSError(ctypes.get_errno(), "futex")


def limits_hold() -> bool:
    return resource.getrlimit(resource.RLIMIT_CORE) == (1, 1) and resource.getrlimit(resource.RLIMIT_STACK)[1] > 0


def privileges_are_gone() -> bool:
    prctl = ctypes.CDLL(None).prctl
    return bool(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 and prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0)


def nothing_can_be_gained() -> bool:
    prctl = ctypes.CDLL(None).prctl
    return not any(prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1 for capability in range(64))


def dies_with_parent() -> bool:
    signal_set = ctypes.c_int()
    ctypes.CDLL(None).prctl(PR_GET_PDEATHSIG, ctypes.byref(signal_set), 0, 0, 0)
    return signal_set.value == SIGKILL


def attempts(targets: dict[str, Any]) -> Iterable[tuple[str, Callable[[], object]]]:
    yield "read /etc/passwd", lambda: try_reading("/etc/passwd")
    yield "list /proc", lambda: try_listing("/proc")
    yield "read a process's files", lambda: try_reading("/proc/self/environ")
    yield "fork", fork
    yield "run a program", lambda: os.execv(sys.executable, [sys.executable, "-V"])
    yield "connect to a loopback port", lambda: _connect(targets["tcp_port"])
    yield "open a unix socket", lambda: socket_of(socket.AF_UNIX, socket.SOCK_STREAM)
    yield "open an internet socket", lambda: socket_of(socket.AF_INET, socket.SOCK_DGRAM)
    yield "write to its own folder", lambda: try_writing("own.txt")
    yield "write to its own code", lambda: try_writing(__file__)
    yield "write to /", lambda: try_writing("/own.txt")
    yield "take more memory than its limit", lambda: mmap.mmap(-1, targets["memory"])
    yield "start more threads than its limit", lambda: start_threads(targets["threads"])
    yield "lock memory, by a capability", lock_memory
    yield "read what is closed to its owner, by a capability", lambda: try_reading("closed.txt")
    yield "meet others at a futex", lambda: meet(targets["futex"])
    yield "inherit a descriptor", lambda: fcntl.fcntl(3, fcntl.F_GETFD)
    for pid in (os.getppid(), *targets["processes"]):
        yield f"signal process {pid}", lambda pid=pid: signal(pid)  # type: ignore[misc]
    for path in targets["files"]:
        yield f"read {path}", lambda path=path: try_reading(path)  # type: ignore[misc]
    for path in targets["folders"]:
        yield f"list {path}", lambda path=path: try_listing(path)  # type: ignore[misc]
    if targets["landlock"]:
        yield "list /", lambda: try_listing("/")


def layers(targets: dict[str, Any]) -> Iterable[tuple[str, Callable[[], bool]]]:
    """Layers that can be looked at only from their good side: the harm without one, and whether it is there."""
    yield "see the environment", lambda: set(os.environ) <= HARMLESS
    yield "keep privileges", privileges_are_gone
    yield "keep the worker's user", lambda: min(os.getresuid()) >= targets["first_user"]
    yield "keep the worker's group", lambda: min(os.getresgid()) >= targets["first_user"]
    yield "stay in the worker's session", lambda: os.getsid(0) == os.getpid()
    yield "outlive its parent", dies_with_parent
    yield "keep the worker's limits", limits_hold
    if targets["own_user"]:
        yield "keep the worker's further groups", lambda: os.getgroups() == []
    if targets["own_user"] or targets["alone"]:
        yield "keep capabilities that it could gain", nothing_can_be_gained
    if targets["alone"]:
        yield "see other processes", lambda: os.getpid() == 1
        yield "see the host's files", lambda: not any(map(os.path.exists, ("/etc", "/proc", "/sys")))
        yield "see the store", lambda: not Path(targets["stored"]).exists()


def works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, RuntimeError):  # the last is what a thread that cannot start gives
        return False
    return True


def _holds(layer: Callable[[], bool]) -> bool:
    """Whether a layer is seen to hold: what cannot be looked at is not proved."""
    try:
        return layer()
    except OSError:
        return False


def honest_work(threads: int, *, files: bool) -> None:
    """Do what a bot must be able to do; a box in which it cannot is no use."""
    if files:
        try_reading(__file__)
    if "TMPDIR" in os.environ:
        try_writing(os.environ["TMPDIR"] + "/note")
    start_threads(threads - 1)


if __name__ == "__main__":
    targets = json.loads(sys.stdin.readline())
    honest_work(targets["threads"], files=targets["files_of_its_own"])
    broken = [name for name, attempt in attempts(targets) if works(attempt)]
    print(json.dumps({"broken": [*broken, *(name for name, layer in layers(targets) if not _holds(layer))]}))
