"""Giving up what a process may do to the rest of the machine."""

import os
import secrets
import signal
import struct

from workers.sandbox import syscalls

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 4, 24, 38, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
CAPABILITIES_VERSION_3 = 0x20080522
FIRST_USER = 2_000_000_000  # far from the numbers that people, packages and container engines are given
USERS = 1 << 31


def die_with_parent(parent: int) -> None:
    """Be killed when the process that made this one ends. Changing user afterwards would undo it."""
    syscalls.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError("the parent ended before this could be asked, or is not where it should be")


def take_user() -> None:
    """Be a host user and group that no other process is, whichever worker it belongs to, by lot: a number that counts
    processes would say how many there were."""
    user = FIRST_USER + secrets.randbelow(USERS)
    drop_bounding_capabilities()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_bounding_capabilities() -> None:
    """Drop them, so that nothing this process runs can regain a capability."""
    for capability in range(64):
        try:
            syscalls.prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # past the last one, or an ordinary user, who has none to lose
            return


def drop_privileges() -> None:
    """No capabilities, none to be gained by running a program, and no debugger: not even for the same user."""
    drop_bounding_capabilities()
    syscalls.call("capset", struct.pack("Ii", CAPABILITIES_VERSION_3, 0), bytes(24))
    syscalls.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    syscalls.prctl(PR_SET_DUMPABLE, 0)
    syscalls.prctl(PR_SET_NO_NEW_PRIVS, 1)
