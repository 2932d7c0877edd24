"""The contract between site and workers: an `Order` goes out, a `Report` for each of its matches comes back.

Reports travel together with others of their set, and with an `InHand`, which names the matches that are still to come.
A release before this one sends each `Report` by itself, into a queue of its own, and "playing" for every match in hand.

Both are plain data on the wire (`engine.records`), carry a version, and hold all that is needed: a worker asks nobody
but the site for bundles, and the site asks nobody for what a report says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from bots.protocol import RANGES, Clock, Output
from engine.games import GAMES
from engine.records import Record, RecordError, from_plain, show, to_plain
from engine.referee import Fault
from workers.capacity import Capacity, is_capacity
from workers.identity import space_of
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.wasm import TIER

# 2: each match has the secret of its lease; 3: an order may have a patience. A new optional field of a report leaves it
# as it is: this site records what older workers send, and recorders are upgraded before workers.
VERSION = 3
PLAY = "workers.play"  # the task of a worker
RECORD, RECORD_SET = "tournaments.record", "tournaments.record_set"  # and of a recorder: one report, and several
LEASE_KEY = "boardroom:lease:{}"  # by match: its present lease, so that a worker can drop an order that is out of date
TAKEN_KEY, TAKEN_FOR = "boardroom:taken:{}", 120  # by process: the order that it took, for as many seconds
USED, USED_FOR = "boardroom:queues", 3600  # the queues of orders by when one was last sent there; and for how long
OF_SPACE = "space"  # keys of what is for a space's own workers begin with it

# What this release speaks: its rules of every game, and this contract. Releases side by side have queues of their own.
TAG = ",".join(sorted([*(f"{game.name}-{game.version}" for game in GAMES.values()), f"orders-{VERSION}"]))


def rules_of(tag: str) -> dict[str, int]:
    """The rules by game that the release of that tag plays; none, if it cannot read an order of this release."""
    spoken = {what: int(version) for what, _, version in (part.rpartition("-") for part in tag.split(","))}
    return spoken if spoken.pop("orders", None) == VERSION else {}


def reports_of(tag: str) -> str:
    """The queue of reports of that release, each by itself, and of practices."""
    return f"reports:{tag}"


def set_reports_of(tag: str) -> str:
    """The queue of reports that come together; a recorder that reads one by one is not given them."""
    return f"reports:{tag}:sets"


def key_of(space: str, key: str) -> str:
    """The same key for the workers of that space; "" is the site."""
    return f"{OF_SPACE}:{space}:{key}" if space else key


def space_of_queue(queue: str) -> str:
    """The space whose workers read it; "" if the site's do."""
    kind, *parts = queue.split(":")
    return parts[0] if kind == OF_SPACE else ""


def queue_for(needs: Iterable[str], tag: str = "", space: str = "") -> str:
    """The queue of orders whose bots need these languages (`Bundle.need`). Every worker has Python."""
    return branch(key_of(space, f"matches:{tag or TAG}"), needs)


def branch(stem: str, needs: Iterable[str]) -> str:
    """The queue for these languages, of those that begin with `stem`."""
    return ":".join(filter(None, (stem, ",".join(sorted(set(needs) - {"python"})))))


def own_queue(worker: str) -> str:
    """The queue of orders that only this process may play."""
    return key_of(space_of(worker), f"matches:@{worker}")


ORDERS, REPORTS, SET_REPORTS = queue_for(()), reports_of(TAG), set_reports_of(TAG)  # of this release


def queues_for(offers: Iterable[str], used: Iterable[str] = (), stem: str = ORDERS) -> list[str]:
    """The queues that a worker with these languages reads: for Python alone, for each other language, and of those
    `used` for several together, the ones that it can play. All choices of n languages would be 2**n queues.
    """
    languages = sorted(set(offers) - {"python"})
    several = [queue for queue in used if queue.startswith(f"{stem}:") and _needs(queue, stem) <= set(languages)]
    return sorted({stem, *(f"{stem}:{other}" for other in languages if not is_capacity(other)), *several})


def _needs(queue: str, stem: str) -> set[str]:
    return set(queue.removeprefix(f"{stem}:").split(","))


# played: has a replay. void: the platform's fault, play it again. returned: given back unplayed by a worker that
# is leaving. playing: a heartbeat that renews the lease, of a worker that sends one for each match.
Outcome = Literal["played", "void", "returned", "playing"]


@dataclass(slots=True)
class Competitor(Record):
    """Who plays: the public name and version number, and the bundle (SHA-256, hex) that is its code.

    `withdrawn` says why its code is not run, where it is not: then it is absent, and forfeits.
    """

    name: str
    version: int
    bundle: str
    filename: str  # as uploaded: its ending says how to read the bundle
    withdrawn: str = ""


@dataclass(slots=True)
class MatchOrder(Record):
    """One match of a set: its id, the fencing number of the lease, and which competitor sits at each seat.

    `secret` is known to the worker that took the order. Every report and request for a bundle carries it: a worker
    with a key of its own can neither report on orders of others, nor see their bundles.
    """

    match: int
    lease: int
    seats: list[int]
    secret: str = ""


@dataclass(slots=True)
class Order(Record):
    """A set to play: one deal (the seed), several matches with the seats rotated."""

    game: str
    rules: int
    options: dict[str, object]
    seed: str
    competitors: list[Competitor]
    matches: list[MatchOrder]
    clock: Clock
    limits: Limits
    strikes: int
    tier: str = ""  # "wasm" for the deterministic division; else the worker's own, the strongest that works there
    output: Output = field(default_factory=Output)
    patience_ms: int = 0  # wall time after which a match is given back unfinished; 0: when it is over
    version: int = VERSION

    def bots_use(self, seats: int) -> Capacity:
        """The capacity that so many of its bots may use together."""
        return Capacity(seats * self.limits.memory_mb, seats * self.limits.threads)


@dataclass(slots=True)
class Stderr(Record):
    """The last that a seat wrote on stderr; shown to the bot's owner alone."""

    seat: int
    text: str


@dataclass(slots=True)
class Note(Record):
    """What a seat wrote on stderr while it was asked for an answer, by the answer's place in the replay; -1 before the
    first. For the bot's owner alone."""

    seat: int
    answer: int
    text: str


@dataclass(slots=True)
class Report(Record):
    """What became of one match under one lease."""

    match: int
    lease: int
    worker: str
    outcome: Outcome
    reason: str = ""  # why, when void or returned
    replay: bytes = b""  # `engine.replay.write_replay`, when played
    faults: list[Fault] = field(default_factory=list)
    stderr: list[Stderr] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)  # by seat
    took_ms: list[float] = field(default_factory=list)  # by seat: to answer, waiting included
    memory_mb: list[float] = field(default_factory=list)  # by seat: the most that its process used
    seconds: float = 0.0  # wall time of this match at the worker
    tier: str = ""  # of the sandbox
    secret: str = ""  # the order's
    notes: list[Note] = field(default_factory=list)  # none from a worker of before there were any
    faults_data: list[Any] = field(default_factory=list)  # by fault, what its detail was made of; none from old workers
    version: int = VERSION


@dataclass(slots=True)
class Held(Record):
    """A match under a lease, known by its secret."""

    match: int
    lease: int
    secret: str


@dataclass(slots=True)
class InHand(Record):
    """What a worker has of a set, in the order in which it plays: the first is begun. It renews all these leases."""

    worker: str
    held: list[Held]
    version: int = VERSION


def proof_of(secret: str) -> str:
    """That somebody knows the secret, where others might read it."""
    return sha256(secret.encode()).hexdigest()


class Sized(NamedTuple):
    """A report, or what is in hand, as plain data of `size` characters."""

    plain: dict[str, Any]
    size: int


def read_order(plain: object) -> Order:
    """The order that `plain` spells, fit to be played by this engine. Raises RecordError with the reason."""
    if isinstance(plain, dict) and plain.get("version") != VERSION:
        raise RecordError(f"the order has version {show(plain.get('version'))}; this worker reads version {VERSION}")
    try:
        order: Order = from_plain(Order, plain, "order")
    except SandboxError as error:
        raise RecordError(f"order.limits: {error}") from None
    check_order(order)
    return order


def check_order(order: Order) -> None:
    """Raises RecordError if this engine cannot play it."""
    if not (game := GAMES.get(order.game)):
        raise RecordError(f"unknown game {show(order.game)}; this worker plays {', '.join(GAMES)}")
    if order.rules != game.version:
        raise RecordError(f"rules version {order.rules} of {game.name} is asked for; this worker has {game.version}")
    if order.tier not in ("", TIER):
        raise RecordError(f"order.tier is {show(order.tier)}; it must be {TIER!r}, or nothing for the worker's own")
    _check_seats(order, game.read_options(order.options).players)
    _check_ranges(order)


def _check_ranges(order: Order) -> None:
    if order.strikes < 1:
        raise RecordError(f"order.strikes is {order.strikes}; it must be at least 1")
    for part, record in (("clock", order.clock), ("output", order.output)):
        for name, value in to_plain(record).items():
            low, high = RANGES[name]
            if not low <= value <= high:
                raise RecordError(f"order.{part}.{name} is {value}; it must be a whole number from {low} to {high}")


def _check_seats(order: Order, players: int) -> None:
    numbers = range(len(order.competitors))
    for match in order.matches:
        if len(match.seats) != players or any(competitor not in numbers for competitor in match.seats):
            raise RecordError(
                f"match {match.match} has seats {show(match.seats)}; it needs {players} numbers of competitors, "
                f"from 0 to {len(numbers) - 1}"
            )


def refuse_order(plain: object, worker: str, reason: str) -> list[Report]:
    """The answer to an order that cannot be read: one void report for each match that it still names."""
    matches = plain.get("matches") if isinstance(plain, dict) else None
    named = [match for match in matches if isinstance(match, dict)] if isinstance(matches, list) else []
    return [
        Report(match["match"], match["lease"], worker, "void", reason, secret=str(match.get("secret", "")))
        for match in named
        if type(match.get("match")) is int and type(match.get("lease")) is int
    ]
