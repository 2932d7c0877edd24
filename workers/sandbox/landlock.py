"""Landlock: a process gives up, for good, every file and every TCP port but those it names. Needs Linux 5.13."""

import os
import stat
import struct
from collections.abc import Iterable

from workers.sandbox import syscalls

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
MAKE_SPECIAL = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12  # devices, sockets, pipes, symbolic links
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
BIND_AND_CONNECT_TCP = 3
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
ASK_VERSION = 1
PATH_BENEATH = 1

READ = READ_FILE | READ_DIR
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE  # what a rule about a plain file may speak of


def landlock_version() -> int:
    """The kernel's Landlock interface, or 0 where there is none. Only this call can tell: no file is a sure sign."""
    try:
        return syscalls.call("landlock_create_ruleset", None, 0, ASK_VERSION)
    except OSError:
        return 0


def file_rights(abi: int) -> int:
    """The rights on files that this kernel can take away."""
    newer = ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEVICE))
    return (1 << 13) - 1 | sum(right for since, right in newer if abi >= since)


def confine_files(read: Iterable[str], write: Iterable[str], *, executing: bool = False) -> None:
    """Let this thread and all it starts only read below `read`, and read and write below `write`, for good.

    Where `executing`, it may also run what it may read; of what it may write it runs nothing.
    """
    abi = landlock_version()
    rights = file_rights(abi)
    network = BIND_AND_CONNECT_TCP if abi >= 4 else 0
    scopes = SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0
    handled = struct.pack("QQQ", rights, network, scopes)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    ruleset = syscalls.call("landlock_create_ruleset", handled, len(handled), 0)
    for path in read:
        _allow(ruleset, path, READ | EXECUTE if executing else READ)
    for path in write:
        _allow(ruleset, path, rights & ~(EXECUTE | MAKE_SPECIAL | IOCTL_DEVICE))
    syscalls.call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def prove_landlock() -> None:
    """Raise OSError unless it is in force: a kernel, or what stands in for one, may say yes and do nothing.

    Asked in each process that is confined, since what is in force here cannot be seen later where no file can be named.
    """
    try:
        os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except PermissionError:
        return
    raise OSError("the kernel said that Landlock is in force, and it is not: the root folder could still be opened")


def _allow(ruleset: int, path: str, rights: int) -> None:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not stat.S_ISDIR(os.fstat(handle).st_mode):
        rights &= ON_FILES
    syscalls.call("landlock_add_rule", ruleset, PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
    os.close(handle)
