"""The families of Shangzhou-Gold."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bots.imagine import AnyMatch
from bots.rungs.flat import Flat
from bots.rungs.knowledge import Knowledge
from bots.rungs.players import Ladder, Player, Reflex
from bots.rungs.tree import Tree
from bots.samples import shangzhou_greedy, shangzhou_random, shangzhou_search
from engine.core import Question, Seat
from engine.games.shangzhou import see
from engine.records import Record


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> Sequence[Record]:
    return list(shangzhou_search.candidates(see(match.at, seat), question))


def lead(match: AnyMatch, seat: Seat) -> float:
    return shangzhou_search.promise(match.at, seat)


KNOWS: Final = Knowledge("shangzhou", answers, shangzhou_search.policy, lead, scale=15)
FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, shangzhou_random.choose),
    "greedy": partial(Reflex, shangzhou_greedy.choose),
    "flat": partial(Flat, KNOWS),
    "tree": partial(Tree, KNOWS),
}
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {"noise": 0.6}),
    ("greedy", {"noise": 0.37}),
    ("greedy", {"noise": 0.3}),
    ("greedy", {"noise": 0.24}),
    ("greedy", {"noise": 0.19}),
    ("greedy", {"noise": 0.145}),
    ("greedy", {"noise": 0.105}),
    ("greedy", {"noise": 0.073}),
    ("greedy", {"noise": 0.044}),
    ("greedy", {"noise": 0.02}),
    ("greedy", {}),
)
