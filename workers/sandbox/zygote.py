"""The zygote: a small trusted process that makes boxes. See arena.py for the whole picture.

It is started by arena.py with nothing to keep secret, since each bot begins as a copy of its
memory. It loads the modules that bots commonly import, so that a bot need not.
"""

import errno
import gc
import importlib
import importlib.util
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from workers.sandbox import cgroups, child, landlock, packages, seccomp, syscalls
from workers.sandbox.cgroups import Groups
from workers.sandbox.limits import Limits
from workers.sandbox.namespaces import Namespaces
from workers.sandbox.program import Program
from workers.sandbox.pure import Pure
from workers.sandbox.tiers import DEV, Dev, Plan, Tier, TierClass

TIERS: dict[str, TierClass] = {"namespaces": Namespaces, "landlock": Tier, "pure": Pure, DEV: Dev}

LARGEST_MESSAGE = 65536
M_ARENA_MAX = -8


@dataclass(frozen=True)
class ConfinedBot:
    """A child that its box has not waited for yet."""

    pid: int
    handle: int
    life: int  # where its box asks for its end, and is told
    group: str


class Zygote:
    def __init__(self, orders: socket.socket, masters: list[int], tier: Tier) -> None:
        self.orders, self.masters, self.tier = orders, masters, tier
        self.filters = {tier.policy: seccomp.compile_filter(tier.policy)}
        self.bots: dict[
            int, ConfinedBot
        ] = {}  # by the descriptor that is watched: the life line, and once asked, the process
        self.closing, self.bots_made = False, 0
        self.poll = select.poll()
        self.poll.register(orders, select.POLLIN)
        for master in masters:
            self.poll.register(master, select.POLLIN)

    def serve(self) -> child.Birth:
        """Make boxes until told to stop. Returns only in a new child, so that nothing of this is on its stack."""
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor in self.masters:
                    self.leave()  # it is dead
                elif descriptor in self.bots:
                    self.attend(self.bots[descriptor], descriptor)
                elif birth := self.take_order():
                    return birth
            if self.closing and not self.bots:
                self.leave()

    def take_order(self) -> child.Birth | None:
        message, descriptors, _, _ = socket.recv_fds(self.orders, LARGEST_MESSAGE, 4, socket.MSG_CMSG_CLOEXEC)
        if not message:  # the worker has closed its end: no more orders, finish what is running
            self.poll.unregister(self.orders)
            self.closing = True
            return None
        order, (*stdio, life) = json.loads(message), descriptors
        self.bots_made += 1
        program = Program(**order["program"]) if order["program"] else None
        limits, group = Limits(**order["limits"]), f"bot-{self.bots_made}"
        birth = child.Birth(order["bundle"], order["entry"], limits, program, group, order["far"], stdio, life)
        self.filter_for(birth)
        try:
            if self.tier.groups:
                self.tier.groups.make(group, limits)
            pid = self.tier.fork()
        except OSError as error:
            self.refuse(error, birth)
        else:
            if pid == 0:
                return birth
            handle = os.pidfd_open(pid)
            self.watch(ConfinedBot(pid, handle, life, group), life)
            socket.send_fds(self.orders, [b"{}"], [handle])
        for end in stdio:
            os.close(end)
        return None

    def filter_for(self, birth: child.Birth) -> bytes:
        """Compiled once, by the zygote: the child finds it there."""
        policy = birth.policy(self.tier.policy)
        if policy not in self.filters:
            self.filters[policy] = seccomp.compile_filter(policy)
        return self.filters[policy]

    def refuse(self, error: OSError, birth: child.Birth) -> None:
        os.close(birth.life)
        if self.tier.groups:
            self.tier.groups.remove(birth.group)
        self.orders.send(failure(error))

    def watch(self, bot: ConfinedBot, descriptor: int) -> None:
        self.bots[descriptor] = bot
        self.poll.register(descriptor, select.POLLIN)

    def attend(self, bot: ConfinedBot, descriptor: int) -> None:
        """First its box waits for it, then it has ended; until both are so it stays, as a zombie with a clock."""
        if descriptor == bot.life and (signals := read_signals(bot.life)):
            return _send(bot, signals)
        self.poll.unregister(descriptor)
        del self.bots[descriptor]
        if descriptor == bot.life:
            return self.watch(bot, bot.handle)
        return bury(bot, self.tier.groups)

    def leave(self) -> NoReturn:
        """Leave with all bots. (If we are killed they die too, but their groups are left for others to remove.)"""
        for bot in self.bots.values():
            signal.pidfd_send_signal(bot.handle, signal.SIGKILL)
        for bot in self.bots.values():
            bury(bot, self.tier.groups)
        if self.tier.groups:
            self.tier.groups.close()
        os._exit(0)


def read_signals(life: int) -> bytes:
    """Numbers of signals, a byte each; none at the end of what the box says, which may be dead itself."""
    try:
        return os.read(life, 16)
    except ConnectionResetError:
        return b""


def _send(bot: ConfinedBot, signals: bytes) -> None:
    """Signal a bot that its box cannot reach: as the box does, for reasons given there."""
    for number in signals:
        with suppress(ProcessLookupError):
            if number == signal.SIGKILL:
                signal.pidfd_send_signal(bot.handle, number)
            else:
                os.killpg(bot.pid, number)


def bury(bot: ConfinedBot, groups: Groups | None) -> None:
    """Tell its box how a bot ended."""
    os.close(bot.handle)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(bot.pid, signal.SIGKILL)  # the processes that it has left behind
    _, status, usage = os.wait4(bot.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    report = {
        "code": code if code >= 0 else None,
        "signal": -code if code < 0 else None,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "max_rss_kb": usage.ru_maxrss,
        "ran_out": groups is not None and groups.ran_out(bot.group),
    }
    if groups:
        groups.remove(bot.group)  # with any process it has left behind
    with suppress(BrokenPipeError):  # the box is gone too
        os.write(bot.life, json.dumps(report).encode() + b"\n")
    os.close(bot.life)


def import_ahead(names: list[str]) -> list[str]:
    """Import these and return the names of all modules that came with them."""
    before = set(sys.modules)
    for name in names:
        importlib.import_module(name)
    return sorted(set(sys.modules) - before)


def add_games(folders: dict[str, str]) -> None:
    """Let the engine import the games from outside, which the environment names, from their folders."""
    if folders:
        sys.meta_path.append(packages.Finder(folders))


def shared_modules() -> list[str]:
    """The modules of every game, and those that bots are written with."""
    engine = importlib.import_module("engine")
    games = [module.name for module in pkgutil.walk_packages(engine.__path__, "engine.")]
    sdk = ["bots.sdk", "bots.protocol", "bots.plain_answers"] if importlib.util.find_spec("bots.sdk") else []
    return ["engine", *(name for name in games if not name.endswith("__main__")), "bots", *sdk]


def share_one_heap() -> None:
    """Or glibc would set aside 64 MB of a bot's address space for each of its threads."""
    if hasattr(syscalls.libc, "mallopt"):
        syscalls.libc.mallopt(M_ARENA_MAX, 1)


def be_first_to_go() -> None:
    """Let the kernel kill a bot first when the machine runs out of memory."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise


def main() -> None:
    checkout, store = Path(sys.argv[1]), Path(sys.argv[2])
    plan = Plan(**json.loads(sys.argv[3]))
    orders, masters = socket.socket(fileno=int(sys.argv[4])), json.loads(sys.argv[5])
    tier = TIERS[plan.tier](plan, checkout, store, json.loads(sys.argv[6]))
    try:
        zygote, modules = _begin(tier, orders, masters, json.loads(sys.argv[7]))
    except Exception as error:  # noqa: BLE001 - it is reported, and ends us
        orders.send(failure(error))
        return
    birth = zygote.serve()
    orders.detach()  # its number is about to be closed, and may become a descriptor of the bot's
    try:
        folder, copy = child.confine_bot(tier, zygote.filter_for(birth), birth)
    except BaseException as error:  # noqa: BLE001 - whatever it is, no bot may run
        os.write(birth.life, failure(error))
        os._exit(1)
    if birth.program:
        child.execute(folder, birth.program, copy, tier)
    child.run_bot(folder, birth.entry, tier, modules)


def failure(error: BaseException) -> bytes:
    return json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode() + b"\n"


def _begin(
    tier: Tier, orders: socket.socket, masters: list[int], games: dict[str, str]
) -> tuple[Zygote, child.Modules]:
    be_first_to_go()
    share_one_heap()
    tier.use(cgroups.find_groups())
    tier.settle()
    sys.path[0] = tier.code
    add_games(games)
    with packages.silenced():
        loaded = import_ahead([*tier.modules, *packages.offer_packages(tier.packages), *shared_modules()])
    modules = child.Modules.of(loaded)
    zygote = Zygote(orders, masters, tier)
    sys.path_importer_cache.clear()  # once for all: a bot that took it apart would copy the pages it lies in
    gc.collect()
    gc.freeze()  # so that a bot's garbage collector does not copy our memory by touching it
    orders.send(
        json.dumps({"landlock": landlock.landlock_version(), "group": tier.groups.name if tier.groups else ""}).encode()
    )
    return zygote, modules
