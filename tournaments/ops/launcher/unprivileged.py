"""Running a program as the user `nobody`, because PostgreSQL refuses to run as root. Other users stay as they are.

First choice: a user namespace, in which root is `nobody` while its files stay root's. Where the kernel or a container
refuses that: setuid, which needs folders that `nobody` can reach.
"""

import ctypes
import functools
import os
import pwd
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

CLONE_NEWUSER = 0x10000000
ANYBODY_MAY_PASS = 0o001


def is_root() -> bool:
    return os.geteuid() == 0


def enter_user_namespace() -> None:
    nobody = pwd.getpwnam("nobody")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWUSER)")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{nobody.pw_uid} 0 1")
    Path("/proc/self/gid_map").write_text(f"{nobody.pw_gid} 0 1")


@functools.cache
def namespaces_work() -> bool:
    """Whether root may enter a user namespace here."""
    if sys.platform != "linux":
        return False
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(["true"], check=False, preexec_fn=enter_user_namespace).returncode == 0
    return False


def become_nobody() -> None:
    if namespaces_work():
        enter_user_namespace()
        return
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)


def needs_open_folders() -> bool:
    return is_root() and not namespaces_work()


def reaches(path: Path) -> bool:
    """Whether the user `nobody` can reach `path`: every existing folder on the way lets anybody pass."""
    return all(folder.stat().st_mode & ANYBODY_MAY_PASS for folder in path.resolve().parents if folder.exists())


def uid() -> int:
    return pwd.getpwnam("nobody").pw_uid


def give_to_nobody(path: Path) -> None:
    os.chown(path, uid(), pwd.getpwnam("nobody").pw_gid)
