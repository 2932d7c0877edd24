"""The `namespaces` tier: the host's files, processes and network are not forbidden to the bot; they are not there.

The zygote moves, once, into namespaces of its own and makes a small read-only root of nothing but the libraries, the
shared packages, the store of bundles and two devices. It is the first process of its process namespace, so that the
kernel kills all bots when it dies. Each bot is the first process of yet another one, has its own view of the files
(its bundle and an empty temporary folder; the store is taken out) and its own count of threads.
"""

import os
import socket
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from workers.sandbox import syscalls
from workers.sandbox.limits import Limits
from workers.sandbox.privileges import FIRST_USER, die_with_parent, drop_bounding_capabilities, take_user
from workers.sandbox.seccomp import Policy
from workers.sandbox.tiers import SHARED_PACKAGES, Plan, Tier, library_folders

NEWNS, NEWCGROUP, NEWUTS, NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
SHARED_BY_ALL = NEWNS | NEWUTS | NEWIPC | NEWPID | NEWNET
KINDS = ("mnt", "uts", "ipc", "pid", "net")

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
READ_ONLY, NO_SETUID, NO_DEVICES, NO_EXECUTING = 1, 2, 4, 8  # attributes for mount_setattr
OPEN_TREE_CLONE, MOVE_MOUNT_FROM_HANDLE, MNT_DETACH = 1, 4, 2
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000

BOT, CODE, STORE, SCRATCH, WRITES = "/bot", "/boardroom", "/store", "/scratch", "/writes"
DEVICES = ("/dev/null", "/dev/urandom")
NEW_ROOT = "/tmp"  # noqa: S108 - nothing is written there: it is only a place to put the new root on
OUTSIDE = 0  # the number of a parent that lives outside of one's process namespace
MOST_TEMPORARY_FILES = 1024


class Namespaces(Tier):
    def __init__(self, plan: Plan, checkout: Path, store: Path, reads: Sequence[str] = ()) -> None:
        super().__init__(plan, checkout, store, reads)
        self.checkout, self.code, self.temporary = str(checkout), CODE, SCRATCH
        self.over = hidden_targets([*library_folders(), *self.reads])
        self.reads = [path for path in self.reads if path not in self.over.values()]
        self.parent = OUTSIDE
        self.read = [*library_folders(), *self.reads, CODE, BOT, "/dev/urandom"]
        self.write = [SCRATCH, "/dev/null"]
        self.policy = Policy(threads=plan.counts_threads, writing=True, killing=True)
        self.mounts = mounts()

    def settle(self) -> None:
        outside = kinds_now()
        enter(as_user=not self.plan.own_user)
        become_first_process()
        if still := [kind for kind in KINDS if kinds_now()[kind] == outside[kind]]:
            raise OSError(f"still in the host's namespaces: {', '.join(still)}")
        socket.sethostname("box")
        self.proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self.handles = (*self.handles, self.proc)
        self.build_root()

    def build_root(self) -> None:
        mount(None, "/", None, MS_REC | MS_PRIVATE)
        over, seen = self.over, outermost([*library_folders(), *self.reads])
        links = {path: Path(path).readlink() for path in seen if Path(path).is_symlink()}
        sources = {path: path for path in seen if path not in links}
        sources |= {f"{CODE}/{name}": f"{self.checkout}/{name}" for name in SHARED_PACKAGES}
        # All are picked before the new root is put up, for it hides whatever lies below it.
        handles = {target: pick(source, READ_ONLY | NO_SETUID | NO_DEVICES) for target, source in sources.items()}
        handles |= {link: pick(target, READ_ONLY | NO_SETUID | NO_DEVICES) for link, target in over.items()}
        handles |= {device: pick(device, READ_ONLY | NO_SETUID) for device in DEVICES}
        handles[STORE] = pick(self.store, NO_SETUID | NO_DEVICES)  # what a bot sees of it is made read-only for each
        places = {target: Path(sources.get(target, target)).is_dir() or target == STORE for target in handles}
        mount("tmpfs", NEW_ROOT, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
        os.chdir(NEW_ROOT)
        for path in (BOT, CODE, SCRATCH, WRITES):
            Path(path[1:]).mkdir()
        os.umask(0o466)  # what only leads to something below it can be passed, and not listed
        for target, handle in handles.items():
            if target not in over:
                make_place(target[1:], folder=places[target])
            _put(handle, target[1:])
        for target, text in links.items():
            Path(target[1:]).parent.mkdir(parents=True, exist_ok=True)
            Path(target[1:]).symlink_to(text)
        enter_root()

    def fork(self) -> int:
        # Only a process in its original process namespace may ask for a new one for its next child.
        syscalls.call("setns", self.processes, NEWPID)
        syscalls.call("unshare", NEWPID)
        return os.fork()

    def show(self, bundle: str, writes: str | None, limits: Limits) -> str:
        syscalls.call("unshare", NEWNS | NEWCGROUP)
        room = f"size={limits.temp_mb}m,nr_inodes={MOST_TEMPORARY_FILES},mode=1777"
        mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, room)
        _put(pick(f"{STORE}/{bundle}", READ_ONLY | NO_SETUID | NO_DEVICES), BOT)
        if writes:
            _put(pick(f"{STORE}/{writes}", NO_SETUID | NO_DEVICES), WRITES)
            self.writes, self.write = WRITES, [*self.write, WRITES]
        syscalls.call("umount2", STORE.encode(), MNT_DETACH)
        _prove(self.mounts)
        os.chdir(BOT)
        return BOT

    def execute_no_file(self) -> None:
        restrict(AT_FDCWD, "/", AT_RECURSIVE, NO_EXECUTING)

    def open_own(self, name: str) -> int:
        return os.open(f"self/{name}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self.proc)

    def change_user(self) -> None:
        if self.plan.own_user:
            take_user()
            return
        # A user namespace of its own, so that its threads are counted alone and it owns no other namespace.
        user, group = os.geteuid(), os.getegid()
        syscalls.call("unshare", NEWUSER)
        map_user(FIRST_USER, user, group, self.proc)
        drop_bounding_capabilities()


def mounts() -> dict[str, int]:
    """Mounts by place, with their flags as statvfs reports them."""
    files = dict.fromkeys(("/", BOT, *(f"{CODE}/{name}" for name in SHARED_PACKAGES), *library_folders()))
    library = dict.fromkeys(files, os.ST_RDONLY | os.ST_NOSUID | os.ST_NODEV)
    return (
        library
        | dict.fromkeys(DEVICES, os.ST_RDONLY | os.ST_NOSUID)
        | {SCRATCH: os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC}
    )


def _prove(mounts: Mapping[str, int]) -> None:
    """Raise OSError unless all have their flags. Asked in each process that is confined: a bot may not ask."""
    for path, flags in mounts.items():
        if os.statvfs(path).f_flag & flags != flags:
            raise OSError(f"{path} is mounted without its flags")


def outermost(paths: Iterable[str]) -> list[str]:
    """The paths without those below another of them; a link to a folder is not that folder."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths)):
        if not any(path.startswith(f"{above}/") and not Path(above).is_symlink() for above in kept):
            kept.append(path)
    return kept


def hidden_targets(paths: Sequence[str]) -> dict[str, str]:
    """Files, by link, that are read by links in folders that are shown, and lie themselves in one that is not: they
    are put on the links, so that nothing else of their folders is there, nor any sign of these."""
    links = {path: str(Path(path).resolve()) for path in paths if Path(path).is_symlink()}
    shown = outermost(path for path in paths if path not in links.values())
    return {
        link: target
        for link, target in links.items()
        if link not in shown and not any(f"{target}/".startswith(f"{folder}/") for folder in shown)
    }


def make_place(path: str, *, folder: bool) -> None:
    if folder:
        Path(path).mkdir(parents=True, exist_ok=True)
    else:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()


def kinds_now() -> dict[str, Path]:
    return {kind: Path(f"/proc/self/ns/{kind}").readlink() for kind in KINDS}


def enter(*, as_user: bool) -> None:
    """New namespaces for this process; the process namespace begins with its next child."""
    user, group = os.geteuid(), os.getegid()
    syscalls.call("unshare", SHARED_BY_ALL | (NEWUSER if as_user else 0))
    if as_user:
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        map_user(0, user, group, proc)
        os.close(proc)


def map_user(inside: int, user: int, group: int, proc: int) -> None:
    """Give this process, new in its user namespace, the one user it has there."""
    for file, text in (("setgroups", "deny"), ("uid_map", f"{inside} {user} 1"), ("gid_map", f"{inside} {group} 1")):
        handle = os.open(f"self/{file}", os.O_WRONLY, dir_fd=proc)
        os.write(handle, text.encode())
        os.close(handle)


def become_first_process() -> None:
    """Go on in a child. The old process only waits, so that the process that started it has a child to wait for."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        os._exit(abs(os.waitstatus_to_exitcode(status)))
    die_with_parent(OUTSIDE)


def enter_root() -> None:
    """Make the current folder the root, and let go of the old one: it is put below the new, then taken away."""
    syscalls.call("pivot_root", b".", b".")
    syscalls.call("umount2", b".", MNT_DETACH)
    os.chdir("/")
    restrict(AT_FDCWD, "/", 0, READ_ONLY | NO_SETUID | NO_DEVICES)


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [text.encode() if text is not None else None for text in (source, target, kind, options)]
    syscalls.call("mount", *texts[:3], flags, texts[3])


def pick(source: str, attributes: int) -> int:
    """A handle on a copy of the tree of mounts at `source`, restricted and not yet to be seen anywhere."""
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | AT_RECURSIVE
    handle = syscalls.call("open_tree", AT_FDCWD, source.encode(), flags)
    restrict(handle, "", AT_EMPTY_PATH | AT_RECURSIVE, attributes)
    return handle


def _put(handle: int, target: str) -> None:
    syscalls.call("move_mount", handle, b"", AT_FDCWD, target.encode(), MOVE_MOUNT_FROM_HANDLE)
    os.close(handle)


def restrict(handle: int, path: str, flags: int, attributes: int) -> None:
    request = struct.pack("QQQQ", attributes, 0, MS_PRIVATE, 0)
    syscalls.call("mount_setattr", handle, path.encode(), flags, request, len(request))
