"""The arena: where strangers' bots run. This is its theory of operation.

    worker  --orders-->  zygote  --fork-->  bot, bot, bot ...
       |                                     |
       '------ stdin, stdout, stderr --------'

**Processes.** The worker starts one trusted helper, the zygote: the base Python, isolated (-s -P -S -B), with no
environment but a fixed hash seed and the names of games from outside, holding one end of a SEQPACKET socket pair and
nothing else. It settles into its tier (tiers.py, namespaces.py), imports what bots commonly import, and then waits for
orders. For each order it forks; the child locks itself in (child.py) and runs the bot's file, or becomes another
program if the order names one (program.py). Forking a warm process is what makes a confined bot start faster than an
unconfined Python would, and it is why the zygote may know no secret: every bot begins as a copy of its memory. After
some hundreds of bots it is retired and a new one takes over, so that no memory layout is lived with for long.

**Messages.** All are JSON, one a packet.
    zygote -> worker, once:   {"landlock": version, "group": name or ""}, or {"failed": sentence}
    worker -> zygote:         {"bundle", "entry", "limits", "program", "far"}, with four descriptors: the bot's
                              standard input, output and error, and one end of its *life line*, a stream socket pair
    zygote -> worker:         {} with a process descriptor of the bot, or {"failed": sentence}
The worker makes the pipes, talks to the bot through them directly, and kills it through the process descriptor, which
cannot name another process by mistake; while it is not asked it is stopped. (Of a zygote in another container, `far`,
it can do none of this: there the life line carries the numbers of signals, a byte each, and the child's clocks as open
files. See service.py.) On the life line the child writes
{"ready": true} when it is locked in, just before it closes its copy and runs foreign code, or {"failed": sentence} if
it could not be. To wait for the bot is to shut down the worker's half: only then does the zygote reap it (till then
its CPU clock can be read), write how it ended, and close. So the holder of the other end (box.py) learns the end of
each bot without disturbing the others, tells a failure of ours from one of the bot's, and knows by a silent end of
file that the zygote itself was lost. The bot has no way to write there.

**Death.** The zygote watches a process descriptor of the worker and exits with it; bots die with the zygote, as
members of its process namespace or by their parent-death signal. Closing the order socket means only: no more orders,
finish the bots that run (a retired zygote does). To close the arena the zygote is killed.

**Proof.** Which tier works is not deduced but tried, strongest first: a zygote is started, and a self-test bot
(selftest.py, probe.py) attacks it from the inside, on every start of every zygote. A tier that fails to start or to
hold is refused; if none is left, or none at or above the asked minimum, there is no arena. Nothing falls back silently.
"""

import importlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any, Self

from workers.sandbox import cgroups, selftest, syscalls
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.program import Program, bad
from workers.sandbox.tiers import DEV, PLANS, Plan
from workers.sandbox.wasm import TIER as WASM

CHECKOUT = Path(__file__).resolve().parents[2]
START = "import sys; sys.path.insert(0, sys.argv[1]); from workers.sandbox.zygote import main; main()"
PATIENCE_S = 60  # how long the zygote, which answers within milliseconds, may be starved by the machine
UNSAFE = "UNSAFE"  # what is stored with a match that was played without a sandbox
EXTRAS = {"landlock": "landlock", "cgroup": "group"}  # and what the zygote's greeting says of each
TIERS = (*dict.fromkeys(plan.tier for plan in PLANS), WASM)  # the last one needs no arena: workers/bot_runner.py


Source = Callable[[tuple[str, ...]], "Zygote"]  # gives a proved zygote for programs that read these


class Arena:
    """Boxes for bots, in the strongest tier that was seen to hold. For all threads of the process that started it."""

    def __init__(self, store: Path, plan: Plan, bots_per_zygote: int, source: Source | None = None) -> None:
        self.store, self.plan, self.tier = store, plan, UNSAFE if plan.tier == DEV else plan.tier
        self._bots_per_zygote = bots_per_zygote
        self._lock = threading.Lock()
        self._retired: list[Zygote] = []
        self._source = source or (lambda reads: launch(plan, store, reads))
        first = self._source(())
        self.extras = first.extras  # what the kernel adds here to every tier: of "landlock" and "cgroup"
        self._zygotes: dict[tuple[str, ...], Zygote] = {(): first}  # by what its programs read besides

    @classmethod
    def start(
        cls, store: Path, *, minimum: str = "landlock", tier: str | None = None, bots_per_zygote: int = 500
    ) -> "Arena":
        """An arena whose bots are the folders of `store`, in the strongest tier that holds, or in `tier` exactly.

        Raises SandboxError if no tier from `minimum` up holds (`no_sandbox`), or the one asked for does not
        (`tier_not_here`). "dev" is no sandbox: it is never tried unless named, here and by ARENA_UNSAFE=1.
        """
        store, refusals = store.resolve(strict=True), []
        exactly = DEV if minimum == DEV else tier
        for plan in plans_of(exactly) if exactly else plans_down_to(minimum):
            try:
                return cls(store, plan, bots_per_zygote)
            except SandboxError as refusal:
                users = "a user for each bot" if plan.own_user else "one user for all bots"
                refusals.append(f"{plan.tier} ({users}): {refusal}")
        if exactly:
            raise SandboxError("tier_not_here", f"The tier '{exactly}' does not work here. {' '.join(refusals)}")
        sentence = f"No sandbox at or above '{minimum}' works on this machine, so no bot will be run. "
        raise SandboxError("no_sandbox", sentence + " ".join(refusals))

    def spawn(
        self, bundle: str, entry: str, limits: Limits, program: Program | None = None, packages: Sequence[str] = ()
    ) -> Box:
        """Start the file `entry` of the folder `bundle` of the store, confined. It may still be starting on return.

        With a `program` that is executed instead, and what `entry` is to it its arguments say. Else it is Python, and
        may import the `packages` that lie in these folders (packages.py) besides the standard library.
        """
        _check_entry(self.store, bundle, entry)
        if program:
            check_program(self.store, program, self.plan, self.extras)
        with self._lock:
            return self._zygote_for(program.reads if program else tuple(packages)).spawn(bundle, entry, limits, program)

    @property
    def counts_threads(self) -> bool:
        """Whether a bot may have several threads: only where something can count them."""
        return self.plan.counts_threads or "cgroup" in self.extras

    def end_programs(self) -> None:
        """End the zygotes of all but plain Python, with their bots: the next bot that needs one starts it."""
        with self._lock:
            for reads in self._zygotes.keys() - {()}:
                self._zygotes.pop(reads).kill()

    def close(self) -> None:
        """End all bots and the zygotes."""
        for zygote in (*self._retired, *self._zygotes.values()):
            zygote.kill()

    def _zygote_for(self, reads: tuple[str, ...]) -> "Zygote":
        """The zygote for programs that read these: they are built into it, so that they are there for nobody else."""
        present = self._zygotes.get(reads)
        if present and present.alive() and present.bots_made < self._bots_per_zygote:
            return present
        self._zygotes[reads] = self._source(reads)
        if present:
            present.retire()
            self._retired = [zygote for zygote in (*self._retired, present) if zygote.alive()]
        return self._zygotes[reads]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Zygote:
    """Our end of one zygote: of our own, or (`far`) of an arena in another container."""

    far = False

    def __init__(self, orders: socket.socket) -> None:
        self.bots_made = 0
        self.extras: tuple[str, ...] = ()
        self.orders = orders
        orders.settimeout(PATIENCE_S)

    def spawn(self, bundle: str, entry: str, limits: Limits, program: Program | None = None) -> Box:
        self.bots_made += 1
        plain = {"bundle": bundle, "entry": entry, "limits": asdict(limits), "program": program and asdict(program)}
        order = json.dumps(plain | {"far": self.far}).encode()
        (their_in, our_in), (our_out, their_out), (our_err, their_err) = (os.pipe() for _ in range(3))
        our_life, their_life = (end.detach() for end in socket.socketpair())
        bot_ends, own_ends = (their_in, their_out, their_err, their_life), (our_in, our_out, our_err, our_life)
        try:
            _, (handle,) = self._ask(order, bot_ends)
        except BaseException:
            for end in own_ends:
                os.close(end)
            raise
        finally:
            for end in bot_ends:
                os.close(end)
        return Box(*own_ends, handle, far=self.far)

    def _ask(self, order: bytes, descriptors: Sequence[int]) -> tuple[dict[str, Any], list[int]]:
        try:
            socket.send_fds(self.orders, [order], descriptors)
            return self.receive()
        except OSError as error:
            self.kill()
            raise lost(str(error)) from error
        except SandboxError:
            raise
        except BaseException:
            self.kill()  # interrupted: its answer would be taken for that to the next order
            raise

    def receive(self) -> tuple[dict[str, Any], list[int]]:
        message, handles, _, _ = socket.recv_fds(self.orders, 4096, 1, socket.MSG_CMSG_CLOEXEC)
        if not message:
            raise lost("it closed the connection")
        answer = json.loads(message)
        if "failed" in answer:
            raise SandboxError("box_not_built", f"{answer['failed'].removesuffix('.')}.")
        return answer, handles

    def alive(self) -> bool:
        raise NotImplementedError

    def retire(self) -> None:
        self.orders.close()

    def kill(self) -> None:
        """Kill it with all its bots."""
        raise NotImplementedError


class Own(Zygote):
    """A child of ours."""

    def __init__(self, orders: socket.socket, process: subprocess.Popen[bytes]) -> None:
        super().__init__(orders)
        self.process, self.group = process, ""

    def alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        self.orders.close()
        self.process.kill()
        self.process.wait()
        if self.group:
            cgroups.clear(self.group)


def launch(plan: Plan, store: Path, reads: Sequence[str], *masters: int) -> Own:
    """Start a zygote and prove it. It ends when any of its masters does: we, and whom these descriptors stand for."""
    with own_process_descriptor() as us:
        orders, zygote_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with zygote_end:
            zygote = Own(orders, start_zygote(plan, store, zygote_end.fileno(), [us, *masters], reads))
    try:
        greeting, _ = zygote.receive()
        zygote.group = greeting["group"]
        zygote.extras = tuple(name for name, is_there in EXTRAS.items() if greeting[is_there])
        selftest.prove_confinement(zygote.spawn, store, CHECKOUT, plan, zygote.extras)
    except BaseException:
        zygote.kill()
        raise
    return zygote


def start_zygote(
    plan: Plan, store: Path, orders: int, masters: Sequence[int], reads: Sequence[str]
) -> subprocess.Popen[bytes]:
    games = games_from_outside()
    python = getattr(sys, "_base_executable", sys.executable)  # not the virtual environment's: it has other libraries
    settings = (
        str(CHECKOUT),
        str(store),
        json.dumps(asdict(plan)),
        str(orders),
        json.dumps(masters),
        json.dumps([*reads, *games.values()]),
        json.dumps(games),
    )
    return subprocess.Popen(
        [python, "-s", "-P", "-S", "-B", "-c", START, *settings],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        # The same seed, the same play; this is why it is not -I, which would ignore it.
        env={"PYTHONHASHSEED": "0", "BOARDROOM_GAMES": ",".join(games)},
        cwd="/",
        pass_fds=(orders, *masters),
        start_new_session=True,  # so that Ctrl-C in a terminal reaches the worker alone
    )


def games_from_outside() -> dict[str, str]:
    """Packages and folders of the games from outside, which every bot reads.

    Imported late: this module is in the zygote too, and there no engine may be loaded before it has settled.
    """
    games = importlib.import_module("engine.games")
    return {outside.package: str(outside.folder.resolve()) for outside in games.OUTSIDE}


@contextmanager
def own_process_descriptor() -> Iterator[int]:
    try:
        handle = os.pidfd_open(os.getpid())
    except (OSError, AttributeError) as error:
        needs = "it takes Linux 5.3, a Python built for it, and a container that allows it"
        sentence = f"There is no pidfd_open, by which bots are watched and ended: {needs} (here: {error})."
        raise SandboxError("no_pidfd", sentence) from error
    try:
        yield handle
    finally:
        os.close(handle)


def plans_of(tier: str) -> list[Plan]:
    if tier != DEV:
        return [plan for plan in plans_down_to(tier) if plan.tier == tier]
    insist_on_none()
    return [Plan(DEV, own_user=False)]


def insist_on_none() -> None:
    """Raises SandboxError (`unsafe`) unless the setting and ARENA_UNSAFE both ask for no sandbox; then warns of it."""
    if os.environ.get("ARENA_UNSAFE") != "1":
        raise SandboxError(
            "unsafe", "The tier 'dev' is no sandbox. If you trust every bot, set ARENA_UNSAFE=1 as well."
        )
    print(f"{UNSAFE}: no sandbox. A bot may do whatever this user may. For trusted bots only.", file=sys.stderr)


def plans_down_to(minimum: str) -> list[Plan]:
    if minimum not in TIERS:
        sentence = f"'{minimum}' is not a tier of the sandbox; the tiers are, strongest first: {', '.join(TIERS)}."
        raise SandboxError("unknown_tier", sentence)
    if not syscalls.NUMBERS:
        machines = " and ".join(syscalls.KNOWN)
        sentence = f"The arena needs Linux on {machines}; this is {sys.platform} on {syscalls.MACHINE}."
        raise SandboxError("unknown_machine", sentence)
    strong_enough = TIERS[: TIERS.index(minimum) + 1]
    return [plan for plan in PLANS if plan.tier in strong_enough and (os.geteuid() == 0 or not plan.own_user)]


def _check_entry(store: Path, bundle: str, entry: str) -> None:
    parts = PurePosixPath(entry).parts
    inside = bundle not in ("", ".", "..") and "/" not in bundle and parts and ".." not in parts and parts[0] != "/"
    if not inside or (store / bundle).is_symlink() or not (store / bundle / entry).is_file():
        sentence = f"The store has no bundle '{bundle}' with a file '{entry}' in it."
        raise SandboxError("no_such_entry", sentence)


def check_program(store: Path, program: Program, plan: Plan, extras: Sequence[str]) -> None:
    if plan.tier == "pure":
        raise bad("in the tier 'pure' there is Python alone")
    if program.forks and "cgroup" not in extras:
        raise bad("it starts processes, and here no cgroup can count them")
    if program.writes and (not (store / program.writes).is_dir() or (store / program.writes).is_symlink()):
        raise bad(f"the store has no folder '{program.writes}' for it to write")
    if absent := [path for path in program.reads if not Path(path).exists()]:
        raise bad(f"what it reads is not here: {', '.join(absent)}")


def lost(reason: str) -> SandboxError:
    return SandboxError("arena_lost", f"The process that keeps the bots of this worker does not answer: {reason}.")
