"""The families of Network."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bots.imagine import AnyMatch
from bots.rungs.flat import Flat
from bots.rungs.knowledge import Knowledge, lead_of
from bots.rungs.network_linear import Linear
from bots.rungs.players import Ladder, Lesson, Player, Reflex
from bots.rungs.tree import Tree
from bots.samples import network_greedy, network_random, network_search
from engine.core import Question, Seat
from engine.games.network import NETWORK, see
from engine.records import Record

USUAL: Final = Linear()


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return USUAL.choose(see(match.at, seat), question)


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> Sequence[Record]:
    """What the policy would do, and what else is worth a try."""
    view = see(match.at, seat)
    first = USUAL.choose(view, question)
    tried: list[Record] = network_search.candidates(view, question)  # type: ignore[arg-type]
    return [first, *(answer for answer in tried if answer != first)]


def lead(match: AnyMatch, seat: Seat) -> float:
    """In dollars of net worth, as if the match ended now."""
    return lead_of(NETWORK.scores(match.at), seat)


def linear(**numbers: float) -> Reflex:
    return Reflex(Linear(**numbers).choose)


KNOWS: Final = Knowledge("network", answers, policy, lead, scale=15)
FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, network_random.choose),
    "greedy": partial(Reflex, network_greedy.choose),
    "linear": linear,
    "flat": partial(Flat, KNOWS),
    "tree": partial(Tree, KNOWS),
}
LEARNT: Final = Lesson(
    "linear",
    (
        "city=0.0:3.0:12",
        "dues=0.0:2.0:6",
        "room=-1.0:0.0:2",
        "upkeep=-6.0:0.0:4",
        "sale=-4.0:6.0:24",
        "poor=-6.0:2.0:12",
        "extra=-6.0:0.0:6",
        "mine=-4.0:6.0:20",
        "rest=-6.0:0.0:6",
    ),
    steps=500,
    sets=6,
)
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {"noise": 0.45}),
    ("flat", {"ahead": 6, "noise": 0.58}),
    ("linear", {"noise": 0.4}),
    ("flat", {"ahead": 6, "noise": 0.34}),
    ("flat", {"ahead": 6, "noise": 0.24}),
    ("flat", {"ahead": 6, "noise": 0.16}),
    ("flat", {"ahead": 6, "noise": 0.1}),
    ("flat", {"ahead": 6, "noise": 0.06}),
    ("flat", {"ahead": 6, "noise": 0.03}),
    ("flat", {"ahead": 6}),
    ("tree", {"playouts": 60, "ahead": 6}),
)
