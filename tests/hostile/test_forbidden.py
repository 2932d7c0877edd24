"""What no bot may do. Each attempt is a line of Python, made by a bot in a real box, next to a victim that plays on."""

import json
import os
import platform
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, urlsplit

import pytest

from tests.hostile.boxes import bundle, hear, run, start
from workers.sandbox.arena import CHECKOUT, Arena
from workers.sandbox.tiers import Plan

# Numbers of system calls that are in nobody's table: the sandbox has no need to know them.
X86_64 = {
    "msgget": 68, "shmget": 29, "semget": 64, "flock": 73, "mknod": 133,
    "chroot": 161, "ptrace": 101, "personality": 135, "init_module": 175, "add_key": 248,
    "keyctl": 250, "mq_open": 240, "unshare": 272, "perf_event_open": 298, "process_vm_readv": 310,
    "setns": 308, "bpf": 321, "userfaultfd": 323, "memfd_create": 319, "setpriority": 141,
    "sched_setaffinity": 203, "sched_setscheduler": 144, "ioprio_set": 251, "mlock": 149, "settimeofday": 164,
    "mount": 165, "execve": 59, "symlinkat": 266, "linkat": 265, "chown": 92,
    "setuid": 105, "setsid": 112, "rt_sigqueueinfo": 129, "seccomp": 317, "clone": 56,
    "prctl": 157, "modify_ldt": 154, "sethostname": 170, "sysinfo": 99, "mincore": 27,
    "inotify_init1": 294, "sched_getparam": 143, "sched_getscheduler": 145, "sched_rr_get_interval": 148,
    "sched_getattr": 315, "getpriority": 140, "ioprio_get": 252, "get_robust_list": 274, "kcmp": 312,
    "move_pages": 279, "migrate_pages": 256, "process_vm_writev": 311, "capget": 125,
    "socketpair": 53, "timerfd_create": 283, "signalfd4": 289,
}  # fmt: skip
AARCH64 = {
    "msgget": 186, "shmget": 194, "semget": 190, "flock": 32, "mknod": 33,
    "chroot": 51, "ptrace": 117, "personality": 92, "init_module": 105, "add_key": 217,
    "keyctl": 219, "mq_open": 180, "unshare": 97, "perf_event_open": 241, "process_vm_readv": 270,
    "setns": 268, "bpf": 280, "userfaultfd": 282, "memfd_create": 279, "setpriority": 140,
    "sched_setaffinity": 122, "sched_setscheduler": 119, "ioprio_set": 30, "mlock": 228, "settimeofday": 170,
    "mount": 40, "execve": 221, "symlinkat": 36, "linkat": 37, "chown": 54,
    "setuid": 146, "setsid": 157, "rt_sigqueueinfo": 138, "seccomp": 277, "clone": 220,
    "prctl": 167, "modify_ldt": 999, "sethostname": 161, "sysinfo": 179, "mincore": 232,
    "inotify_init1": 26, "sched_getparam": 121, "sched_getscheduler": 120, "sched_rr_get_interval": 127,
    "sched_getattr": 275, "getpriority": 141, "ioprio_get": 31, "get_robust_list": 100, "kcmp": 272,
    "move_pages": 239, "migrate_pages": 238, "process_vm_writev": 271, "capget": 90,
    "socketpair": 199, "timerfd_create": 85, "signalfd4": 74,
}  # fmt: skip
SAME_EVERYWHERE = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "pidfd_open": 434, "clone3": 435, "openat2": 437, "pidfd_getfd": 438,
    "process_madvise": 440, "landlock_create_ruleset": 444, "memfd_secret": 447,
}  # fmt: skip
NUMBERS = (X86_64 if platform.machine() == "x86_64" else AARCH64) | SAME_EVERYWHERE

PRELUDE = """
import ctypes, fcntl, json, mmap, os, resource, signal, socket, struct, sys, time
attempts, numbers, victim, port, neighbour, checkout, servers = json.loads(%s)
libc = ctypes.CDLL(None, use_errno=True)
space = ctypes.create_string_buffer(4096)
room = ctypes.addressof(space)
def call(name, *arguments):
    if libc.syscall(numbers[name], *map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), name)
def itself():
    return os.open(__file__, os.O_RDONLY)
def reach(family, address):
    socket.socket(family).connect(tuple(address) if isinstance(address, list) else address)
def outcome(attempt):
    try:
        exec(attempt)
    except OSError:
        return "refused"
    return "MANAGED"
"""
BOT = PRELUDE % "sys.stdin.readline()" + "print(json.dumps({attempt: outcome(attempt) for attempt in attempts}))"

FILES = [
    "open('/etc/passwd')",
    "open('/etc/shadow')",
    "open('/proc/self/environ')",
    "open('/proc/self/maps')",
    "open(f'/proc/{victim}/status')",
    "open(f'/proc/{victim}/mem', 'r+b')",
    "os.listdir('/proc')",
    "os.listdir('/')",
    "os.listdir('/home')",
    "os.listdir('/sys')",
    "os.listdir('/dev/shm')",
    "os.listdir('..')",
    "os.listdir('/store')",
    "open(neighbour)",
    "open('../' + '/'.join(neighbour.split('/')[-2:]))",
    "open(checkout + '/workers/sandbox/arena.py')",
    "open(checkout + '/manage.py')",
    "open('/boardroom/manage.py')",
    "os.listdir(checkout + '/tournaments')",
    "os.listdir(checkout)",
    "open(__file__, 'a')",
    "open('new.txt', 'w')",
    "open('/new.txt', 'w')",
    "open('/usr/lib/new.txt', 'w')",
    "open('/dev/sda', 'rb')",
    "open('/dev/mem', 'rb')",
    "open('/dev/tty')",
    "open('/tmp/new.txt', 'w')",
    "os.unlink(__file__)",
    "os.rename(__file__, 'other.py')",
    "os.chmod(__file__, 0o777)",
    "os.utime(__file__)",
    "os.truncate(__file__, 0)",
    "os.mkdir('folder')",
    "os.symlink('/etc/passwd', 'link')",
    "os.link(__file__, 'link')",
    "os.mkfifo('pipe')",
    "os.chroot('/')",
    "os.listxattr(__file__)",
]
PROCESSES = [
    "os.fork()",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.execv('/bin/sh', ['sh'])",
    "os.execv(sys.executable, ['python'])",
    "os.setsid()",
    "os.setuid(0)",
    "os.setgroups([0])",
    "os.nice(-5)",
    "os.kill(victim, 0)",
    "os.kill(victim, signal.SIGKILL)",
    "os.kill(os.getppid() or victim, 0)",
    "os.kill(-1, signal.SIGKILL)",
    "os.killpg(victim, signal.SIGKILL)",
    "os.pidfd_open(victim)",
    "os.setpriority(os.PRIO_PROCESS, victim, 19)",
    "os.sched_setaffinity(victim, {0})",
    "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "resource.prlimit(victim, resource.RLIMIT_NOFILE, (1, 1))",
    "call('ptrace', 16, victim, 0, 0)",
    "call('ptrace', 0x4206, victim, 0, 0)",
    "call('process_vm_readv', victim, 0, 0, 0, 0, 0)",
    "call('rt_sigqueueinfo', victim, 9, 0)",
    "call('pidfd_send_signal', 0, 9, 0, 0)",
    "call('pidfd_getfd', 0, 0, 0)",
    "call('clone', 17, 0, 0, 0, 0)",
    "call('clone', 0x3D0F00 | 0x10000000, 0, 0, 0, 0)",
    "call('clone3', 0, 0)",
    "call('setpriority', 0, 0, -5)",
    "call('ioprio_set', 1, 0, 0)",
]
NETWORK = [
    "reach(*servers['REDIS_URL'])",
    "reach(*servers['DATABASE_URL'])",
    "socket.create_connection(('127.0.0.1', port), 1)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "socket.socket(16, socket.SOCK_RAW)",  # netlink
    "socket.socket(17, socket.SOCK_RAW)",  # packets
    "socket.socket(38, socket.SOCK_SEQPACKET)",  # the kernel's cryptography
    "socket.socket(40, socket.SOCK_STREAM)",  # vsock
    *(f"call('socketpair', 1, {kind:#x}, 0, room)" for kind in (1, 2, 5, 0x80801)),
]
KERNEL = [
    *(f"call('io_uring_{verb}', 1, 0, 0, 0)" for verb in ("setup", "enter", "register")),
    *(f"call('{name}', 0, 0, 0, 0, 0)" for name in ("bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key")),
    *(f"call('{name}', 0, 64, 0o1666)" for name in ("shmget", "msgget", "semget")),
    *(f"call('{name}', 0, 0, 0, 0, 0)" for name in ("mq_open", "memfd_create", "memfd_secret", "init_module", "mount")),
    *(f"call('{name}', 0, 0, 0, 0, 0)" for name in ("open_tree", "move_mount", "fsopen", "openat2", "setns")),
    *(f"call('unshare', {flag:#x})" for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000)),
    *(
        f"call('{name}', 0, 0, 0)"
        for name in ("chroot", "personality", "mlock", "settimeofday", "sethostname", "seccomp")
    ),
    *(f"call('{name}', 0, 0, 0)" for name in ("landlock_create_ruleset", "process_madvise", "modify_ldt", "mknod")),
    "call('prctl', 4, 1, 0, 0, 0)",  # may be debugged again
    "call('prctl', 1, 0, 0, 0, 0)",  # may outlive its parent
    "call('prctl', 22, 2, 0, 0, 0)",
    "fcntl.flock(itself(), fcntl.LOCK_EX)",
    "fcntl.lockf(itself(), fcntl.LOCK_SH)",
    "fcntl.fcntl(itself(), 1024, fcntl.F_RDLCK)",  # a lease
    "fcntl.fcntl(itself(), 8, 0)",  # an owner to be signalled
    "fcntl.fcntl(1, 1031, 1 << 20)",  # a larger pipe
    "fcntl.ioctl(0, 0x5412, b'x')",  # typing for the terminal
]


# What is the same for all: one bot could change it and another look.
SHARED = [
    "call('sysinfo', ctypes.addressof(ctypes.create_string_buffer(128)))",
    "call('mincore', 0, 0, 0)",
    "call('inotify_init1', 0)",
    "time.clock_gettime(~victim << 3 | 2)",
    "time.clock_getres(~victim << 3 | 2)",
    "os.getpgid(victim)",
    "os.getsid(victim)",
    "os.sched_getaffinity(victim)",
    "os.getpriority(os.PRIO_PROCESS, victim)",
    "resource.prlimit(victim, resource.RLIMIT_NOFILE)",
    *(f"call('{name}', victim, room, room)" for name in ("sched_getparam", "sched_getscheduler", "get_robust_list")),
    *(f"call('{name}', victim, room, 48, 0)" for name in ("sched_getattr", "sched_rr_get_interval", "move_pages")),
    "call('ioprio_get', 1, victim)",
    "call('kcmp', victim, victim, 2, 0, 0)",
    "call('migrate_pages', victim, 0, 0, 0)",
    "call('process_vm_writev', victim, 0, 0, 0, 0, 0)",
    "call('pidfd_open', victim, 0)",
    "call('capget', ctypes.addressof(ctypes.create_string_buffer(struct.pack('Ii', 0x20080522, victim), 8)), room)",
    "os.statvfs('/')",
    "os.statvfs('.')",
    "os.fstatvfs(0)",
    "os.pipe()",
    "os.pipe2(0)",
    "os.memfd_create('x')",
    "call('timerfd_create', 1, 0)",
    "call('signalfd4', -1, room, 8, 0)",
    "os.posix_fadvise(itself(), 0, 0, os.POSIX_FADV_DONTNEED)",
    "mmap.mmap(-1, 4096).madvise(12)",  # share it with others if theirs looks alike
    "mmap.mmap(-1, 4096).madvise(20)",  # may leave memory
    "mmap.mmap(-1, 4096).madvise(21)",  # leaves memory
]

FORBIDDEN = {"shared": SHARED, "files": FILES, "processes": PROCESSES, "network": NETWORK, "kernel": KERNEL}


def servers() -> dict[str, tuple[int, str | tuple[str, int]]]:
    """Return where the Redis and the PostgreSQL of this run listen: the family of sockets, and the address."""
    return {variable: listens(urlsplit(os.environ[variable])) for variable in ("REDIS_URL", "DATABASE_URL")}


def listens(url: SplitResult) -> tuple[int, str | tuple[str, int]]:
    port = url.port or (6379 if url.scheme.startswith("redis") else 5432)
    folder = parse_qs(url.query).get("host", [""])[0]
    if url.scheme == "unix" or folder.startswith("/"):
        return int(socket.AF_UNIX), f"{folder}/.s.PGSQL.{port}" if folder else url.path
    return int(socket.AF_INET), (url.hostname or "localhost", port)


@contextmanager
def targets(arena: Arena, victim: int, attempts: list[str]) -> Iterator[str]:
    """Yield all that a bot must know to make these attempts, as JSON."""
    neighbour = arena.store / bundle(arena, "secret = 1") / "bot.py"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        yield json.dumps([attempts, NUMBERS, victim, port, str(neighbour), str(CHECKOUT), servers()])
    assert neighbour.read_text() == "secret = 1"


@pytest.mark.parametrize("variable", ["REDIS_URL", "DATABASE_URL"])
def test_the_servers_that_bots_must_not_reach_can_be_reached_from_here(variable: str) -> None:
    family, address = servers()[variable]
    with socket.socket(family) as line:
        line.connect(address)


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("kind", FORBIDDEN)
def test_a_bot_is_refused(arena: Arena, victim: int, kind: str) -> None:
    with targets(arena, victim, FORBIDDEN[kind]) as places:
        output, errors, _ = run(arena, BOT, f"{places}\n")
    assert output, errors
    assert json.loads(output) == dict.fromkeys(FORBIDDEN[kind], "refused")


def test_a_bot_sees_nothing_of_the_workers_environment(arena: Arena) -> None:
    output, _, _ = run(arena, "import json, os; print(json.dumps(sorted(os.environ)))")
    assert set(json.loads(output)) <= {"HOME", "LANG", "PATH", "TMPDIR"}
    assert set(os.environ) - {"HOME", "LANG", "PATH", "TMPDIR"}, "the worker has nothing to hide, so nothing was shown"


def test_the_user_of_a_bot_does_not_say_how_many_processes_there_were(arena: Arena, plan: Plan) -> None:
    if plan.own_user:
        with ExitStack() as boxes:
            both = [boxes.enter_context(start(arena, "import os; print(os.getuid()); input()")) for _ in range(2)]
            users = [int(hear(box)) for box in both]
            assert users[1] - users[0] != both[1].pid - both[0].pid


def test_a_bot_has_only_its_three_pipes(arena: Arena) -> None:
    look = "from fcntl import *\nfor n in range(2000):\n    try: fcntl(n, F_GETFD); print(n)\n    except OSError: pass"
    assert run(arena, look)[0] == "0\n1\n2\n"


@pytest.mark.parametrize("limit", ["AS", "CPU", "FSIZE", "NOFILE", "STACK", "CORE", "MEMLOCK", "MSGQUEUE"])
def test_a_bot_cannot_raise_its_limits(arena: Arena, limit: str) -> None:
    attempt = f"import resource as r; r.setrlimit(r.RLIMIT_{limit}, (r.getrlimit(r.RLIMIT_{limit})[0] + 1,) * 2)"
    _, complaints, end = run(arena, attempt)
    assert (end.code, "not allowed to raise maximum limit" in complaints) == (1, True)


FOREIGN = {"x32": "import ctypes; ctypes.CDLL(None).syscall(0x40000027)"}
if platform.machine() == "x86_64":
    FOREIGN["int 0x80"] = (
        "import ctypes, mmap; m = mmap.mmap(-1, 4096, prot=7); m.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')\n"
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()"
    )


@pytest.mark.parametrize("route", FOREIGN)
def test_a_system_call_by_a_foreign_way_kills(arena: Arena, route: str) -> None:
    assert run(arena, FOREIGN[route])[2].signal == 31  # SIGSYS


def test_what_a_bot_writes_is_gone_with_it(arena: Arena) -> None:
    note = "import os; print(os.path.exists(n := os.environ.get('TMPDIR', '/tmp') + '/note')); open(n, 'w')"
    first, second = run(arena, note), run(arena, note)
    assert first[0] == second[0] == "False\n"
    assert not (Path(tempfile.gettempdir()) / "note").exists()
