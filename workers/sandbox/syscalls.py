"""The kernel's system calls: their numbers, and a way to make the ones that libc has no function for.

The numbers are part of the kernel's stable interface (arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h). Only calls that the sandbox makes or speaks of are here. Two architectures are
known; on any other, and on another system, the sandbox refuses to start: a filter without numbers would be none.
"""

import ctypes
import os
import platform
import sys
from collections.abc import Mapping


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in (pair.split("=") for pair in text.split())}


X86_64 = _table("""
    access=21 alarm=37 arch_prctl=158 brk=12 capset=126 chdir=80 clock_getres=229 clock_gettime=228
    clock_nanosleep=230 clone=56 close=3 close_range=436 creat=85 dup2=33 dup3=292 dup=32 epoll_create1=291
    epoll_create=213 epoll_ctl=233 epoll_pwait2=441 epoll_pwait=281 epoll_wait=232 eventfd2=290 execve=59 execveat=322
    exit=60 exit_group=231 faccessat2=439 faccessat=269 fallocate=285 fchdir=81 fchmod=91 fchmodat=268 fcntl=72
    fdatasync=75 fork=57 fstat=5 fstatfs=138 fsync=74 ftruncate=77 futex=202 getcpu=309 getcwd=79 getdents64=217
    getegid=108 geteuid=107 getgid=104 getgroups=115 getitimer=36 getpeername=52 getpgid=121 getpgrp=111 getpid=39
    getppid=110 getrandom=318 getresgid=120 getresuid=118 getrlimit=97 getrusage=98 getsid=124 getsockname=51
    getsockopt=55 gettid=186 gettimeofday=96 getuid=102 ioctl=16 kill=62 landlock_add_rule=445
    landlock_create_ruleset=444 landlock_restrict_self=446 lseek=8 lstat=6 madvise=28 membarrier=324 mkdir=83
    mkdirat=258 mmap=9 mount=165 mount_setattr=442 move_mount=429 mprotect=10 mremap=25 msync=26 munmap=11
    nanosleep=35 newfstatat=262 open=2 open_tree=428 openat=257 pause=34 pipe2=293 pipe=22 pivot_root=155 poll=7
    ppoll=271 prctl=157 pread64=17 preadv=295 prlimit64=302 pselect6=270 pwrite64=18 pwritev=296 read=0 readlink=89
    readlinkat=267 readv=19 recvfrom=45 rename=82 renameat2=316 renameat=264 restart_syscall=219 rmdir=84 rseq=334
    rt_sigaction=13 rt_sigpending=127 rt_sigprocmask=14 rt_sigreturn=15 rt_sigsuspend=130 rt_sigtimedwait=128
    sched_getaffinity=204 sched_getparam=143 sched_getscheduler=145 sched_yield=24 seccomp=317 select=23 sendfile=40
    sendto=44 set_robust_list=273 set_tid_address=218 setitimer=38 setns=308 shutdown=48
    sigaltstack=131 socket=41 socketpair=53 stat=4 statfs=137 statx=332 tgkill=234 time=201 times=100
    tkill=200 truncate=76 umask=95 umount2=166 uname=63 unlink=87 unlinkat=263 unshare=272 utimensat=280 vfork=58
    wait4=61 waitid=247 write=1 writev=20
""")
AARCH64 = _table("""
    brk=214 capset=91 chdir=49 clock_getres=114 clock_gettime=113 clock_nanosleep=115 clone=220 close=57
    close_range=436 dup3=24 dup=23 epoll_create1=20 epoll_ctl=21 epoll_pwait2=441 epoll_pwait=22 eventfd2=19
    execve=221 execveat=281 exit=93 exit_group=94 faccessat2=439 faccessat=48 fallocate=47 fchdir=50 fchmod=52
    fchmodat=53 fcntl=25 fdatasync=83 fstat=80 fstatfs=44 fsync=82 ftruncate=46 futex=98 getcpu=168 getcwd=17
    getdents64=61 getegid=177 geteuid=175 getgid=176 getgroups=158 getitimer=102 getpeername=205 getpgid=155
    getpid=172 getppid=173 getrandom=278 getresgid=150 getresuid=148 getrlimit=163 getrusage=165 getsid=156
    getsockname=204 getsockopt=209 gettid=178 gettimeofday=169 getuid=174 ioctl=29 kill=129 landlock_add_rule=445
    landlock_create_ruleset=444 landlock_restrict_self=446 lseek=62 madvise=233 membarrier=283 mkdirat=34 mmap=222
    mount=40 mount_setattr=442 move_mount=429 mprotect=226 mremap=216 msync=227 munmap=215 nanosleep=101
    newfstatat=79 open_tree=428 openat=56 pipe2=59 pivot_root=41 ppoll=73 prctl=167 pread64=67 preadv=69
    prlimit64=261 pselect6=72 pwrite64=68 pwritev=70 read=63 readlinkat=78 readv=65 recvfrom=207 renameat2=276
    renameat=38 restart_syscall=128 rseq=293 rt_sigaction=134 rt_sigpending=136 rt_sigprocmask=135 rt_sigreturn=139
    rt_sigsuspend=133 rt_sigtimedwait=137 sched_getaffinity=123 sched_getparam=121 sched_getscheduler=120
    sched_yield=124 seccomp=277 sendfile=71 sendto=206 set_robust_list=99 set_tid_address=96 setitimer=103 setns=268
    shutdown=210 sigaltstack=132 socket=198 socketpair=199 statfs=43 statx=291 tgkill=131
    times=153 tkill=130 truncate=45 umask=166 umount2=39 uname=160 unlinkat=35 unshare=97 utimensat=88 wait4=260
    waitid=95 write=64 writev=66
""")

KNOWN: Mapping[str, dict[str, int]] = {"x86_64": X86_64, "aarch64": AARCH64}
MACHINE = platform.machine()
NUMBERS = KNOWN.get(MACHINE, {}) if sys.platform == "linux" else {}  # this machine's

libc = ctypes.CDLL(None, use_errno=True)
if NUMBERS:
    libc.syscall.restype = ctypes.c_long


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call by its name. Raises OSError as the functions of `os` do, with the call's name in it."""
    widened = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return check_result(name, libc.syscall(ctypes.c_long(NUMBERS[name]), *widened))


def check_result(name: str, result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def prctl(option: int, *arguments: int) -> int:
    """Call prctl with every argument in full: the kernel looks at all five of some options."""
    padded = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    return check_result(f"prctl {option}", libc.prctl(option, *padded))
