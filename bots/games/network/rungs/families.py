"""The families of Network."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bots.games.network.rungs.linear import Linear
from bots.games.network.rungs.minimax import Minimax
from bots.games.network.rungs.worth import FINE, worths
from bots.games.network.samples import greedy, random, search
from bots.imagine import AnyMatch, Policy
from bots.rungs.flat import Flat
from bots.rungs.knowledge import Knowledge, lead_of
from bots.rungs.players import Ladder, Lesson, Player, Reflex
from bots.rungs.tree import Tree
from engine.core import Question, Seat
from engine.dice import QuickDice
from engine.games.network import NETWORK, see
from engine.records import Record, canonical

USUAL: Final = Linear()
HUNDRED: Final = 100  # a share of doubt is counted in answers of so many


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return USUAL.choose(see(match.at, seat), question)


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> Sequence[Record]:
    """Return what the policy would do, and what else is worth a try."""
    view = see(match.at, seat)
    first = USUAL.choose(view, question)
    tried: list[Record] = search.candidates(view, question)  # type: ignore[arg-type]
    return [first, *(answer for answer in tried if answer != first)]


def lead(match: AnyMatch, seat: Seat) -> float:
    """Return the lead in dollars of net worth, as the match is likely to end."""
    if match.over:
        return lead_of(NETWORK.scores(match.at), seat)
    return lead_of(worths(match.at), seat) / FINE


def doubting(doubt: float) -> Policy:
    """The policy, but a share of the answers is by lot: what only works if all go on as we think is not worth much."""
    share = round(doubt * HUNDRED)

    def wavering(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
        is_by_lot = share > 0 and match.at.dice.below(HUNDRED) < share
        return question.draw(match.at.dice) if is_by_lot else policy(match, seat, question)

    return wavering


class Doubter(Tree):
    """Searches a tree with doubt in its play-outs. Their chance is drawn from what it sees: it is new on each map."""

    def __init__(self, doubt: float = 0.0, **numbers: float) -> None:
        super().__init__(replace(KNOWS, policy=doubting(doubt)), **numbers)

    def choose(self, view: Any, question: Any) -> Record:
        self.mind.dice = QuickDice.of(f"doubt {canonical(view)}")
        return super().choose(view, question)


def linear(**numbers: float) -> Reflex:
    return Reflex(Linear(**numbers).choose)


KNOWS: Final = Knowledge("network", answers, policy, lead, scale=6)
FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, random.choose),
    "greedy": partial(Reflex, greedy.choose),
    "linear": linear,
    "flat": partial(Flat, KNOWS),
    "tree": Doubter,
    "minimax": Minimax,
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
OPTIONS: Final[Mapping[str, object]] = {"map": "generated"}  # of the field: else all deals have one map
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {}),
    ("minimax", {"playouts": 60, "doubt": 7.5}),
    ("minimax", {"playouts": 60, "doubt": 5.4}),
    ("minimax", {"playouts": 60, "doubt": 4.4}),
    ("linear", {}),
    ("minimax", {"playouts": 60, "doubt": 2.5}),
    ("minimax", {"playouts": 60, "doubt": 1.9}),
    ("tree", {"playouts": 40, "ahead": 1, "doubt": 0.1, "curiosity": 0.15}),
    ("minimax", {"playouts": 60, "doubt": 0.55}),
    ("minimax", {"playouts": 170, "doubt": 0.3}),
    ("minimax", {"playouts": 300, "doubt": 0.2}),
)
