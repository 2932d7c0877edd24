"""Run as a program: a match worker on what looks like macOS, as far as its own code can tell.

What only Linux has is taken away before anything of ours is imported, and whoever asks for it nevertheless fails, as it
would there. Reads an order from standard input and writes the report of its first match. The bots' processes are real.
"""

import ctypes
import ctypes.util
import errno
import fcntl
import importlib
import json
import os
import pkgutil
import platform
import resource
import select
import selectors
import signal
import socket
import subprocess  # noqa: F401 - this and the others so marked choose by the system's name when they are imported
import sys
import tempfile  # noqa: F401
import time
import urllib.request  # noqa: F401
import zoneinfo  # noqa: F401
from pathlib import Path
from types import ModuleType
from typing import Any

ONLY_LINUX = {
    os: ("pidfd_", "unshare", "setns", "sched_", "memfd_", "eventfd", "getres", "setres", "O_PATH", "O_TMPFILE"),
    select: ("epoll", "EPOLL"),
    selectors: ("Epoll",),
    socket: ("SOCK_SEQPACKET", "SOCK_CLOEXEC", "MSG_CMSG_CLOEXEC", "AF_NETLINK", "AF_VSOCK", "AF_PACKET", "AF_ALG"),
    signal: ("pidfd_send_signal", "SIGRTM", "SIGPWR", "SIGSTKFLT", "SIGPOLL"),
    resource: ("RLIMIT_MSGQUEUE", "RLIMIT_SIGPENDING", "RLIMIT_RTPRIO", "RLIMIT_NICE", "RLIMIT_OFILE", "prlimit"),
    fcntl: ("F_OFD_", "F_SETPIPE", "F_ADD_SEALS", "F_NOTIFY", "F_SETLEASE"),
}
NOT_TO_IMPORT = (
    "workers.__main__",  # would start a worker
    "workers.sandbox.wasm.build",  # these three import what the extra brings, or what a component finds inside of it
    "workers.sandbox.wasm.guest",
    "workers.sandbox.wasm.runner",
)


def forget(module: ModuleType, beginnings: tuple[str, ...]) -> None:
    for name in [name for name in vars(module) if name.startswith(beginnings)]:
        delattr(module, name)


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse it: there is no /proc, and no such function in the system's library."""
    if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith("/proc"):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), arguments[0])
    if event.startswith("ctypes.dlsym") and arguments[-1] in ("prctl", "unshare", "setns"):
        raise AttributeError(arguments[-1])


def pretend() -> None:
    for module, beginnings in ONLY_LINUX.items():
        forget(module, beginnings)
    real_stat, real_clock = os.stat, time.clock_gettime

    def stat(path: Any, **how: Any) -> os.stat_result:
        refuse("open", (path,))
        return real_stat(path, **how)

    def clock_gettime(clock: int) -> float:
        if clock < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))  # the clock of another process
        return real_clock(clock)

    vars(os)["stat"], vars(time)["clock_gettime"] = stat, clock_gettime
    vars(selectors)["DefaultSelector"] = selectors.PollSelector
    vars(sys)["platform"] = "darwin"
    vars(platform).update(system=lambda: "Darwin", machine=lambda: "arm64")
    sys.addaudithook(refuse)


def import_everything() -> None:
    for room in ("bots", "workers", "tournaments.ops.launcher"):
        path = importlib.import_module(room).__path__
        for module in pkgutil.walk_packages(path, f"{room}."):
            if module.name not in NOT_TO_IMPORT and ".samples." not in module.name:
                importlib.import_module(module.name)


def main() -> None:
    pretend()
    assert not Path("/proc/self").exists()
    assert not hasattr(ctypes.CDLL(None), "prctl")
    import_everything()
    place, match, orders, records, pack = (
        importlib.import_module(name)
        for name in (
            "workers.process_setup",
            "workers.match",
            "workers.orders",
            "engine.records",
            "workers.sandbox.wasm.pack",
        )
    )
    if "without-the-pack" in sys.argv:
        vars(pack)["HOME"] = Path("/nowhere")
    place._open()
    order = orders.read_order(json.load(sys.stdin))
    report = match.report_match(order, order.matches[0], place.kit())
    place._close()
    json.dump(records.to_plain(report), sys.stdout)


if __name__ == "__main__":
    main()
