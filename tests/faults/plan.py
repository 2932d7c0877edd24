"""What will go wrong, and when: drawn from a seed before anything starts."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

from tests.faults.steps import STEPS

PROCESSES = ("web", "dispatcher", "recorder", "worker", "postgres", "valkey")
BY_SIGNAL = ("kill", "freeze", "restart")
AT_STEPS = ("kill at", "freeze at", "database restarts at", "broker forgets at")
BESIDES = {
    "broker": ("wiped", "killed, its memory kept", "killed, its memory lost"),
    "database": ("shut down fast", "shut down at once", "every connection ended"),
    "wire": ("stalled", "cut", "replies lost"),
    "zombie": ("comes back with an old lease",),
    "clock": ("dispatcher", "recorder", "worker"),
    "disk": ("full",),
}
POISON = "poison"
POISONS = (
    *("bad ladder", "bad event", "bad webhook", "bad envelope", "bad replay"),
    *("bad header", "slow readers", "slow uploaders", "silent streams", "liar with a key"),
    *("long forms", "long text", "long log", "many notices", "greedy ladder", "sleeping bots"),
    *("heavy builds", "strangers' roster"),
)
SHORTEST, LONGEST, ZOMBIE = 0.2, 2.5, 7.0  # seconds; the last is longer than a lease of these runs
TOGETHER = 3
SKEWS = (-600.0, -60.0, 60.0, 600.0)


@dataclass(frozen=True, slots=True)
class Fault:
    kind: str
    where: str  # a process, a step, or what happens to it
    number: int  # picks among processes of one kind
    seconds: float  # how long it lasts, if it lasts; of a clock: how wrong it goes

    def __str__(self) -> str:
        return f"{self.kind}: {self.where}"


DECK = (
    *((kind, where) for kind in BY_SIGNAL for where in PROCESSES),
    *((kind, step.name) for kind in AT_STEPS for step in STEPS),
    *((kind, where) for kind, places in BESIDES.items() for where in places),
)
CLASSICS = (  # what has undone others, in every run
    ("kill at", "match played, report not sent"),
    ("broker", "killed, its memory lost"),
    ("database restarts at", "set on paper, nothing leased"),
    ("zombie", "comes back with an old lease"),
    ("kill at", "order taken"),
    ("kill at", "bots started"),
    ("kill at", "set played, order not acknowledged"),
    ("disk", "full"),
)


def plan(seed: int, faults: int, poison: int = 0) -> list[Fault]:
    """The classics; and then every kind at every place once, before any comes twice. Of a hundred so many are poison,
    every kind of it once before any comes twice."""
    return list(islice(_mixed(seed, poison), faults))


def groups(seed: int, poison: int = 0, only: str = "") -> Iterator[list[Fault]]:
    """The plan without an end, in groups of one to three that come one upon the other; of one kind of poison, if only
    that is wanted."""
    drawn = (fault for fault in _mixed(seed, poison) if fault.where == only or not only)
    sizes = random.Random(seed)
    while True:
        yield list(islice(drawn, sizes.randint(1, TOGETHER)))


def _mixed(seed: int, poison: int) -> Iterator[Fault]:
    faults, poisons = _drawn(random.Random(seed)), _poisons(random.Random(seed))
    for number in count():
        is_poison = (number + 1) * poison // 100 > number * poison // 100
        yield next(poisons if is_poison else faults)


def _poisons(dice: random.Random) -> Iterator[Fault]:
    """The number picks the case, of those that have some: each comes before any comes twice."""
    begin = dice.randrange(1 << 16)
    for number in count(begin):
        for name in dice.sample(POISONS, len(POISONS)):
            yield Fault(POISON, name, number, 0.0)


def _drawn(dice: random.Random) -> Iterator[Fault]:
    hand: Sequence[tuple[str, str]] = CLASSICS
    while True:
        for kind, where in hand:
            seconds = {"clock": dice.choice(SKEWS), "zombie": ZOMBIE}.get(kind, dice.uniform(SHORTEST, LONGEST))
            yield Fault(kind, where, dice.randrange(1 << 16), round(seconds, 2))
        hand = dice.sample(DECK, len(DECK))
