"""Becoming a bot: a fresh child of the zygote locks itself in, step by step, and then runs the bot's file."""

import atexit
import gc
import os
import socket
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from workers import priority
from workers.sandbox import syscalls
from workers.sandbox.bell import bells
from workers.sandbox.limits import Limits
from workers.sandbox.privileges import die_with_parent
from workers.sandbox.program import Program
from workers.sandbox.seccomp import Policy
from workers.sandbox.tiers import Tier

READY = b'{"ready": true}\n'
CANNOT_RUN = 126  # the exit code by which a shell, too, says that a program could not be executed


@dataclass(frozen=True)
class Birth:
    """All that a new child is told. `stdio` becomes its standard descriptors; on `life` it says that it is ready."""

    bundle: str
    entry: str
    limits: Limits
    program: Program | None
    group: str  # its control group, if there are any
    far: bool  # whether its box cannot read its clocks, and is given them
    stdio: list[int]
    life: int

    def policy(self, ordinary: Policy) -> Policy:
        """The system calls this one may make, where Python bots may make the ordinary ones."""
        if not self.program:
            return ordinary
        writing = ordinary.writing or self.program.writes is not None
        program = self.program
        return replace(ordinary, executing=True, forking=program.forks, writing=writing, alone=program.alone)


@dataclass(frozen=True)
class Modules:
    """What the zygote has loaded, sorted out before it forks: whoever looks at a name gets a page of memory of its own,
    and a bot that looked through all of them would begin with a hundred more of these."""

    of_zygote: Sequence[str]
    offered: Mapping[str, Sequence[str]]  # to bots, by the first part of their names

    @classmethod
    def of(cls, loaded: Iterable[str]) -> "Modules":
        offered: dict[str, list[str]] = {}
        for name in loaded:
            offered.setdefault(first_part(name), []).append(name)
        return cls([name for name in sys.modules if first_part(name) == "workers"], offered)


def first_part(name: str) -> str:
    return name.partition(".")[0]


def confine_bot(tier: Tier, filtering: bytes, birth: Birth) -> tuple[str, int | None]:
    """Lock this process in for good, and say so. The folder of the bundle, and the copy of a program that is alone.

    The order matters: folders before privileges are lost, the user before the parent's death signal (changing user
    clears it), no_new_privs before the two filters that need it, and seccomp last, since it forbids the rest.
    """
    os.setsid()
    priority.keep_in_session()
    os.umask(0 if birth.program and birth.program.writes else 0o077)  # what is built, its next user and the worker read
    for descriptor, end in enumerate(birth.stdio):
        os.dup2(end, descriptor)
    keep_only(birth.life, *tier.handles)
    if tier.groups:
        tier.groups.join(birth.group)
    if birth.far:
        give_clocks(tier, birth.life)
    program, policy = birth.program, birth.policy(tier.policy)
    folder = tier.show(birth.bundle, program.writes if program else None, birth.limits)
    copy = None
    if program and program.alone:
        copy = copy_of(program.arguments(folder, tier.writes)[0])
        tier.execute_no_file()
    tier.change_user()
    keep_only(birth.life, *([copy] if copy else []))
    die_with_parent(tier.parent)
    reserves_mb = program.reserves_mb if program else tier.reserves_mb
    birth.limits.apply(count_threads=tier.plan.counts_threads, writable=policy.writing, reserves_mb=reserves_mb)
    tier.lock(policy, filtering)
    os.write(birth.life, READY)
    os.close(birth.life)
    return folder, copy


def copy_of(path: str) -> int:
    """The program in memory of its own. Where bots execute one file, each page of it is a place where they can meet."""
    copy = os.memfd_create("bot")
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while size > (copied := os.lseek(copy, 0, os.SEEK_CUR)):
            if not os.sendfile(copy, file.fileno(), None, size - copied):
                raise OSError(f"{path} became shorter while it was copied")
    return copy


def give_clocks(tier: Tier, life: int) -> None:
    clocks = [tier.open_own(name) for name in ("stat", "schedstat")]
    with socket.socket(fileno=os.dup(life)) as line:
        socket.send_fds(line, [b'{"clocks": true}\n'], clocks)
    for clock in clocks:
        os.close(clock)


def keep_only(*descriptors: int) -> None:
    """Close all but standard input, output, error and these."""
    for low, high in pairwise((2, *sorted(descriptors), 1 << 31)):
        if high - low > 1:
            syscalls.call("close_range", low + 1, high - 1, 0)


def environment(folder: str, tier: Tier) -> dict[str, str]:
    """The environment of a bot, and all that it is told of its surroundings."""
    temporary = {"TMPDIR": tier.temporary} if tier.temporary else {}
    return {"HOME": tier.temporary or folder, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", **temporary}


def execute(folder: str, program: Program, copy: int | None, tier: Tier) -> NoReturn:
    """Become the program, or the copy of it. If it cannot be run, that is for its author to see."""
    arguments = program.arguments(folder, tier.writes)
    try:
        os.execve(arguments[0] if copy is None else copy, arguments, environment(folder, tier))
    except OSError as error:
        os.write(2, f"{arguments[0]} cannot be run: {error.strerror}\n".encode())
        os._exit(CANNOT_RUN)


def run_bot(folder: str, entry: str, tier: Tier, modules: Modules) -> None:
    """Run the bot's file as the main program of an ordinary Python, in so far as it can tell."""
    os.environ.clear()  # Python itself may have set a locale
    os.environ.update(environment(folder, tier))
    socket.socketpair = bells  # type: ignore[assignment]  # all that asyncio asks of it
    path = f"{folder}/{entry}"
    prepare_modules(tier.names(folder), modules)
    sys.argv[:] = [path]
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = path
    tier.find_modules(folder, main)
    atexit.register(end_bot)  # the first, so the last to be called
    try:
        exec(compile(tier.source(path), path, "exec", dont_inherit=True), main.__dict__)  # noqa: S102
    except BaseException as error:
        atexit.unregister(end_bot)  # for it ends with code 0
        if not isinstance(error, Exception):
            raise
        # Whatever a bot raises, its author sees it without our frame.
        traceback.print_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
        sys.exit(1)


def end_bot() -> NoReturn:
    """End without taking apart all that is loaded, which would first have to be copied. Threads are over by now."""
    sys.modules["__main__"].__dict__.clear()  # which writes what is in open files
    gc.collect()
    with suppress(Exception):  # the bot may have closed or replaced it
        sys.stdout.flush()
    os._exit(0)


def prepare_modules(names: Iterable[str], modules: Modules) -> None:
    """Forget the zygote's own modules, and those loaded ahead for the bots of which this bot brings its own."""
    for brought in {first_part(name) for name in names}:
        for name in modules.offered.get(brought, ()):
            del sys.modules[name]
    sys.path_importer_cache.clear()  # it remembers folders that cannot be seen any more
    for name in modules.of_zygote:
        del sys.modules[name]
