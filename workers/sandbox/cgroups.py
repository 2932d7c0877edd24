"""Control groups: where we may make them, the memory and the processes of a bot are bounded all together.

Address space bounds one process, and pages of a temporary folder belong to none; a group counts them all. Each arena
makes a group below the one it is in, and a group in that for each bot, in version 2 of the interface (one tree) or in
version 1 (a tree for each controller). Its folders are reached through descriptors, since the zygote soon sees no
/sys. A group is locked while its arena lives, so that the next one to start can tell what a dead one has left.
"""

import fcntl
import os
import secrets
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from workers.sandbox.limits import MB, Limits

CONTROLLERS = ("memory", "pids")
PREFIX = "boardroom-"
CROWD = f"{PREFIX}processes"  # where those go who are in the way of groups with controllers (version 2)
MARGIN_MB = 32  # memory besides the bot's own: of pipes, of page tables, of the kernel for it
TRIAL = "trial"
PATIENCE_S = 5.0
TRIES = 3  # another arena that starts may take a group of ours for one left behind, in the moment before it is locked


@dataclass(frozen=True)
class Tree:
    """One hierarchy: the group that this process is in, and what it can bound there."""

    folder: Path
    controllers: tuple[str, ...]
    unified: bool

    def limits(self, limits: Limits) -> Iterator[tuple[str, int, bool]]:
        """Files to write, with the number, and whether it has to succeed (not every kernel counts swap)."""
        memory = (limits.memory_mb + limits.temp_mb + MARGIN_MB) * MB
        if "memory" in self.controllers and self.unified:
            yield from (("memory.max", memory, True), ("memory.oom.group", 1, True), ("memory.swap.max", 0, False))
        elif "memory" in self.controllers:
            yield "memory.limit_in_bytes", memory, True
            yield "memory.memsw.limit_in_bytes", memory, False
        if "pids" in self.controllers:
            yield "pids.max", limits.threads, True


class Groups:
    """The groups of one arena."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        """Raises OSError where they cannot be made."""
        self.name, self.trees = PREFIX + secrets.token_hex(4), tuple(trees)
        self.parents = tuple(os.open(tree.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for tree in self.trees)
        self.handles: tuple[int, ...] = ()
        for tree, parent in zip(self.trees, self.parents, strict=True):
            os.mkdir(self.name, 0o755, dir_fd=parent)
            handle = os.open(self.name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)
            fcntl.flock(handle, fcntl.LOCK_EX)
            self.handles += (handle,)
            if tree.unified:
                enable(handle, tree.controllers)

    def prove(self) -> None:
        """Do with a child of ours what will be done with bots. Raises OSError."""
        self.make(TRIAL, Limits())
        child = os.fork()
        if not child:
            with suppress(OSError):
                self.join(TRIAL)
                os._exit(0)
            os._exit(1)
        _, status = os.waitpid(child, 0)
        self.remove(TRIAL)
        if status:
            raise PermissionError("no process can be put into a group")

    def make(self, bot: str, limits: Limits) -> None:
        for tree, handle in zip(self.trees, self.handles, strict=True):
            os.mkdir(bot, 0o755, dir_fd=handle)
            for file, number, needed in tree.limits(limits):
                with suppress(*(() if needed else (OSError,))):
                    _put(handle, f"{bot}/{file}", str(number))

    def join(self, bot: str) -> None:
        """Join the group of `bot`, in the child."""
        for handle in self.handles:
            _put(handle, f"{bot}/cgroup.procs", "0")

    def ran_out(self, bot: str) -> bool:
        """Whether the kernel killed in it for want of memory."""
        return any(kills(handle, bot) for handle in self.handles)

    def remove(self, bot: str) -> None:
        """Remove the group of `bot` with all that is left in it."""
        for handle in self.handles:
            remove(handle, bot)

    def close(self) -> None:
        """Remove the arena's group, when all bots are gone."""
        for parent in self.parents:
            remove(parent, self.name)


def find_groups() -> Groups | None:
    """Groups that bound both memory and processes, or None where we may not make them. Clears up after dead arenas."""
    trees = own_trees()
    for tree in trees:
        sweep(tree.folder)
    if {name for tree in trees for name in tree.controllers} < set(CONTROLLERS):
        return None
    for _ in range(TRIES):
        with suppress(OSError):
            return proved(trees)
    return None


def proved(trees: list[Tree]) -> Groups:
    """Raises OSError where they cannot be made, or do not hold."""
    for tree in trees:
        if tree.unified:
            _make_room(tree)
    groups = Groups(trees)
    try:
        groups.prove()
    except OSError:
        groups.close()
        raise
    return groups


def clear(name: str) -> None:
    """Remove the groups of an arena that has just been killed, once it is gone."""
    for tree in own_trees():
        with suppress(FileNotFoundError), _opened(tree.folder / name) as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            _take_away(tree.folder / name, handle)


def own_trees() -> list[Tree]:
    """The hierarchies that have a controller we want, by where they are mounted and where we are in them."""
    groups, trees = dict(_places()), []
    for line in read_control("/proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        root, mounted_at = before.split()[3:5]
        kind, _, options = after.split()[:3]
        unified = kind == "cgroup2"
        names = [""] if unified else [name for name in options.split(",") if name in CONTROLLERS]
        if kind not in ("cgroup", "cgroup2") or not names or names[0] not in groups:
            continue
        folder = Path(mounted_at) / os.path.relpath(groups[names[0]], root)
        if folder.name == CROWD:
            folder = folder.parent  # an arena before has moved us down, and it is there that groups are made
        offered = read_control(f"{folder}/cgroup.controllers").split() if unified else names
        if controllers := tuple(name for name in CONTROLLERS if name in offered):
            trees.append(Tree(folder, controllers, unified))
    return trees


def _places() -> Iterator[tuple[str, str]]:
    """Pairs of a controller ("" stands for version 2) and our group in its tree."""
    for line in read_control("/proc/self/cgroup").splitlines():
        _, names, place = line.split(":", 2)
        yield from ((name, place) for name in names.split(","))


def _make_room(tree: Tree) -> None:
    """Version 2 wants a group either to have processes or to share out its controllers: move the processes down."""
    with _opened(tree.folder) as handle:
        try:
            enable(handle, tree.controllers)
        except OSError:
            if not may_rearrange(tree.folder):
                raise
            with suppress(FileExistsError):
                os.mkdir(CROWD, 0o755, dir_fd=handle)
            for pid in get(handle, "cgroup.procs").split():
                _put(handle, f"{CROWD}/cgroup.procs", pid)
            enable(handle, tree.controllers)


def may_rearrange(folder: Path) -> bool:
    """Whether the group is ours to arrange: the root that a container sees, or one that systemd has delegated."""
    if any(place == "/" for name, place in _places() if not name):
        return True
    for attribute in ("user.delegate", "trusted.delegate"):
        with suppress(OSError):
            return os.getxattr(folder, attribute) == b"1"
    return False


def enable(handle: int, controllers: Iterable[str]) -> None:
    _put(handle, "cgroup.subtree_control", " ".join(f"+{name}" for name in controllers))


def sweep(folder: Path) -> None:
    """Remove the groups of arenas that ended, and the processes left in them."""
    for left in folder.glob(f"{PREFIX}*"):
        if left.name == CROWD:
            continue
        with suppress(OSError), _opened(left) as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: its arena lives
            _take_away(left, handle)


def _take_away(arena: Path, handle: int) -> None:
    for bot in [entry.name for entry in arena.iterdir() if entry.is_dir()]:
        remove(handle, bot)
    arena.rmdir()


def remove(parent: int, group: str) -> None:
    """Kill what is in it and take it away. What was killed may take a moment to go."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return os.rmdir(group, dir_fd=parent)
        except FileNotFoundError:
            return None
        except OSError:
            if time.monotonic() > deadline:
                raise
        for pid in map(int, get(parent, f"{group}/cgroup.procs").split()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL) if pid else None
        time.sleep(0.001)


def kills(handle: int, bot: str) -> bool:
    for file in ("memory.events", "memory.oom_control"):
        with suppress(FileNotFoundError):
            lines = get(handle, f"{bot}/{file}").splitlines()
            return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)
    return False


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def _put(folder: int, file: str, text: str) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


def get(folder: int, file: str) -> str:
    with open(os.open(file, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder), encoding="utf-8") as opened_file:  # noqa: PTH123
        return opened_file.read()


def read_control(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
