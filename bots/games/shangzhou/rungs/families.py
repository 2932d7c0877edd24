"""The families of Shangzhou-Gold."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bots.games.shangzhou.samples import greedy, random, search
from bots.imagine import AnyMatch
from bots.rungs.flat import Flat
from bots.rungs.knowledge import Knowledge
from bots.rungs.players import Ladder, Player, Reflex
from bots.rungs.tree import Tree
from engine.core import Question, Seat
from engine.games.shangzhou import see
from engine.records import Record


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> Sequence[Record]:
    return list(search.candidates(see(match.at, seat), question))


def lead(match: AnyMatch, seat: Seat) -> float:
    return search.promise(match.at, seat)


KNOWS: Final = Knowledge("shangzhou", answers, search.policy, lead, scale=15)
FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, random.choose),
    "greedy": partial(Reflex, greedy.choose),
    "flat": partial(Flat, KNOWS),
    "tree": partial(Tree, KNOWS),
}
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {"noise": 0.66}),
    ("greedy", {"noise": 0.32}),
    ("greedy", {"noise": 0.28}),
    ("greedy", {"noise": 0.233}),
    ("greedy", {"noise": 0.19}),
    ("greedy", {"noise": 0.152}),
    ("greedy", {"noise": 0.12}),
    ("greedy", {"noise": 0.088}),
    ("greedy", {"noise": 0.058}),
    ("greedy", {"noise": 0.026}),
    ("greedy", {}),
)
