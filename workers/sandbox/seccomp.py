"""Seccomp: the system calls a bot may make, as a filter the kernel runs before each of them.

It is an allow-list. What is not on it does not exist (ENOSYS, so that libc falls back to older calls); a few calls
are refused with the error a program expects; a call through a foreign or 32-bit interface, whose numbers mean other
things, kills the process. Never allowed: new processes and programs, sockets of any kind (but for Node and Java a pair
of stream ends inside the process), signals or limits for others, io_uring, ptrace, keys, mounts, namespaces, shared
memory by name.

Nor may bots speak to each other by what they all can see. So there are no file locks and leases, no figures of the
whole machine or its disks, nothing about other processes by their numbers, nothing that drops a file from the
machine's memory, and no futex on a page of a file: there two processes that map the same file meet, though neither
can write to it. The filter sees numbers and not pages, so either futexes are the process's own (FUTEX_PRIVATE_FLAG),
or it maps no file at all. The first is nearly enough for Python and Node: only waiting for the end of a thread, which
glibc does by a shared futex, and for another thread's `static` in C++ turn into asking again and again, and that is
over soon. The second is for static programs (program.py), of which any may wait in `std::future`, and for long.
"""

import ctypes
import errno
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workers.sandbox import syscalls

MEMORY = "brk mprotect munmap mremap msync membarrier"
STREAMS = "read readv write writev lseek close fstat"
FILES = """
    pread64 preadv pwrite64 pwritev close_range open openat access faccessat faccessat2 stat lstat newfstatat statx
    readlink readlinkat getdents64 getcwd chdir fchdir fsync fdatasync dup dup2 dup3 sendfile umask"""
CLOCKS = "nanosleep gettimeofday time times getitimer setitimer alarm"
WAITING = """
    poll ppoll select pselect6 pause eventfd2 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2"""
SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack restart_syscall"""
ONESELF = """
    getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp uname getrlimit
    getrusage getcpu sched_yield set_robust_list set_tid_address rseq getrandom exit exit_group"""
ALWAYS = f"{MEMORY} {STREAMS} {FILES} {CLOCKS} {WAITING} {SIGNALS} {ONESELF}"

# All there is in the `pure` tier: no file, no descriptor but the three it has.
PURE = f"""
    {STREAMS} dup dup2 dup3 brk mprotect munmap mremap poll ppoll select pselect6 nanosleep gettimeofday time
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall getpid gettid getuid geteuid getgid getegid
    getresuid getresgid getgroups getppid getrandom sched_yield rseq set_robust_list exit exit_group"""
PURE_CHECKED = (
    *("ioctl", "fcntl", "prctl", "prlimit64", "madvise", "getsid"),
    *("clock_gettime", "clock_getres", "clock_nanosleep"),
)
FILE_CALLS = "open openat access faccessat faccessat2 stat lstat newfstatat statx readlink readlinkat getcwd chdir"

# Only where the bot has a temporary folder, and no file but those in it could be changed.
WRITING = """
    creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 truncate ftruncate fallocate fchmod fchmodat
    utimensat"""
# Only where the bot cannot name a process but itself.
KILLING = "kill tkill tgkill"
# Only for a bot that is a program of its own. The numbers of pipes and sockets come from one counter of the machine, by
# which each sees how many others make; but Go before 1.21 needs a pipe, and Python has what it needs without (bell.py).
EXECUTING = "arch_prctl pipe2"
# Only for such a program that is not static: Node and Java need them.
PIPES = "pipe shutdown getsockname getpeername getsockopt"
PAIRS = ("recvfrom", "sendto", "socketpair")
# Only where a cgroup counts its processes.
FORKING = "fork vfork wait4 waitid"

KILL, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000  # REFUSE carries an errno
MISSING, FORBIDDEN, NO_ACCESS = REFUSE | errno.ENOSYS, REFUSE | errno.EPERM, REFUSE | errno.EACCES
REFUSED = {"fork": FORBIDDEN, "vfork": FORBIDDEN, "execve": FORBIDDEN, "clone": FORBIDDEN, "socket": NO_ACCESS}
REFUSED |= dict.fromkeys(("pipe", "pipe2", "socketpair"), FORBIDDEN)

Arguments = Mapping[int, Sequence[int]]  # which argument, and the values it may have

CLOCK_IDS = tuple(range(12))  # the machine's and one's own; those of other processes have other numbers
# No advice by which pages leave the machine's memory for others too, or are shared with others when they look alike.
ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)

# By a number of its own too a process may not ask: what tells its threads from others' would tell who there is. To
# glibc, which asks by those of threads (pthread_getattr_np), these calls are then missing, and it does without.
OF_ONESELF = ("sched_getaffinity", "sched_getparam", "sched_getscheduler")

# Calls allowed only with these values of these arguments (the kernel reads all of them as 32 bits).
CHECKED: dict[str, Arguments] = {
    "clock_getres": {0: CLOCK_IDS},
    "clock_gettime": {0: CLOCK_IDS},
    "clock_nanosleep": {0: CLOCK_IDS},
    "fcntl": {1: (0, 1, 2, 3, 4, 1030, 1032)},  # duplicate; flags; size of a pipe. No locks, leases, notices, owners.
    "getpgid": {0: (0,)},  # of oneself, as in the next
    "getsid": {0: (0,)},
    "ioctl": {1: (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)},  # is it a terminal, bytes waiting, file flags
    "madvise": {2: ADVICE},
    "prctl": {0: (2, 3, 15, 16, 23, 39, 0x53564D41)},  # names of threads and memory; reading one's own privileges
    "prlimit64": {0: (0,)},  # of oneself
    "recvfrom": {3: (0, 0x02, 0x40)},  # peek, do not wait. Never out of band: a source of kernel bugs for nothing.
    "sched_getaffinity": {0: (0,)},
    "sched_getparam": {0: (0,)},
    "sched_getscheduler": {0: (0,)},
    "sendto": {3: (0, 0x40, 0x4000, 0x4040)},  # do not wait, no signal
    "socketpair": {0: (1,), 1: (1, 0x801, 0x80001, 0x80801)},  # AF_UNIX, SOCK_STREAM with its flags
}
# `clone` with exactly the flags that libc asks for, or Go's runtime.
A_THREAD = (0x3D0F00, 0x7D0F00, 0xD0F00, 0x50F00)  # pthread_create in glibc and in musl; Go on x86-64 and on ARM
A_PROCESS = (0x1200011, 0x4111, 17)  # fork, posix_spawn, and fork in musl

AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000  # x86-64 only: a second set of numbers for the same calls

FLAG = tuple[int, int, int]  # an argument, a bit that must be set in it, and the answer where it is not
PRIVATE: FLAG = (1, 128, REFUSE | errno.EAGAIN)  # of futex: libc looks whether it must wait at all, and asks again
ANONYMOUS: FLAG = (3, 0x20, FORBIDDEN)  # of mmap: no file

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand
LOAD, EQUAL, AT_LEAST, ANY_BIT, JUMP, RETURN = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16  # in struct seccomp_data


@dataclass(frozen=True)
class Policy:
    """What differs between tiers."""

    threads: bool
    writing: bool
    killing: bool
    executing: bool = False
    forking: bool = False
    pure: bool = False  # no files at all
    alone: bool = False  # a static program, from a copy of its own: it maps no file, and is the only one it executes

    @property
    def piping(self) -> bool:
        return self.executing and not self.alone

    def free(self) -> list[str]:
        """The calls allowed whatever their arguments."""
        unflagged = "futex" if self.alone else "mmap"
        if self.pure:
            return f"{PURE} {unflagged}".split()
        execute = f"{EXECUTING} {'execveat' if self.alone else 'execve'}"
        more = {unflagged: True, WRITING: self.writing, KILLING: self.killing, execute: self.executing}
        more |= {FORKING: self.forking, PIPES: self.piping}
        return " ".join((ALWAYS, *(names for names, is_allowed in more.items() if is_allowed))).split()

    def checked(self) -> dict[str, Arguments]:
        """The calls allowed with some arguments only."""
        flags = (A_THREAD if self.threads else ()) + (A_PROCESS if self.forking else ())
        names = PURE_CHECKED if self.pure else [name for name in CHECKED if self.piping or name not in PAIRS]
        checked = {name: CHECKED[name] for name in names}
        return checked | ({"clone": {0: flags}} if flags else {})

    def flagged(self) -> dict[str, FLAG]:
        """The calls allowed with a certain bit only: between them, no futex is on the page of a file."""
        return {"mmap": ANONYMOUS} if self.alone else {"futex": PRIVATE}

    def refused(self) -> dict[str, int]:
        """The calls that exist and fail as a program expects. Where no file can be opened, none may look missing."""
        return REFUSED | (dict.fromkeys(FILE_CALLS.split(), NO_ACCESS) if self.pure else {})


def compile_filter(policy: Policy, machine: str = syscalls.MACHINE) -> bytes:
    """The filter's program for a machine. It asks for the call's number by halving, about eight questions a call."""
    numbers = syscalls.KNOWN[machine]
    cases = sorted((numbers[name], answer) for name, answer in _answers(policy).items() if name in numbers)
    guard = [(LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, AUDIT_ARCHITECTURE[machine]), _give(KILL)]
    guard += [(LOAD, 0, 0, NUMBER_AT), (AT_LEAST, 0, 1, X32), _give(KILL)]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in guard + _search(cases))


def _answers(policy: Policy) -> dict[str, list[Instruction]]:
    return (
        {name: [_give(refusal)] for name, refusal in policy.refused().items()}
        | {name: [_give(ALLOW)] for name in policy.free()}
        | {name: check_arguments(values, refusal_code(name)) for name, values in policy.checked().items()}
        | {name: check_flag(*flag) for name, flag in policy.flagged().items()}
    )


def _search(cases: list[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Find the call's number, already loaded, among sorted cases and answer it; a number not found is missing."""
    if len(cases) == 1:
        number, answer = cases[0]
        return [(EQUAL, 0, len(answer), number), *answer, _give(MISSING)]
    middle = len(cases) // 2
    below, above = _search(cases[:middle]), _search(cases[middle:])
    return [(AT_LEAST, 0, 1, cases[middle][0]), (JUMP, 0, 0, len(below)), *below, *above]


def refusal_code(name: str) -> int:
    """The answer to a call whose arguments do not fit."""
    return MISSING if name in OF_ONESELF else FORBIDDEN


def check_arguments(values: Arguments, refusal: int) -> list[Instruction]:
    """Allow if each argument has one of its values; each value that fits jumps over the refusal to the next check."""
    program: list[Instruction] = []
    for argument, allowed in values.items():
        program.append((LOAD, 0, 0, ARGUMENTS_AT + 8 * argument))
        program += [(EQUAL, len(allowed) - i, 0, value) for i, value in enumerate(allowed)]
        program.append(_give(refusal))
    return [*program, _give(ALLOW)]


def check_flag(argument: int, bit: int, refusal: int) -> list[Instruction]:
    return [(LOAD, 0, 0, ARGUMENTS_AT + 8 * argument), (ANY_BIT, 0, 1, bit), _give(ALLOW), _give(refusal)]


def _give(answer: int) -> Instruction:
    return (RETURN, 0, 0, answer)


class FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def install(program: bytes) -> None:
    """Bind this thread and all it starts, for good. Needs no_new_privs."""
    filled = FilterProgram(len(program) // 8, program)
    syscalls.check_result("seccomp", syscalls.libc.syscall(syscalls.NUMBERS["seccomp"], 1, 0, ctypes.byref(filled)))
