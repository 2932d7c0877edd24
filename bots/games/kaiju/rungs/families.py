"""The families of Kaiju Incorporated."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from bots.games.kaiju.rungs.linear import Linear
from bots.games.kaiju.rungs.worth import FINE, worth
from bots.games.kaiju.samples import greedy, random, search
from bots.imagine import AnyMatch
from bots.rungs.flat import Flat
from bots.rungs.knowledge import Knowledge, lead_of
from bots.rungs.players import Ladder, Lesson, Player, Reflex
from bots.rungs.tree import Tree
from engine.core import Question, Seat
from engine.games.kaiju import KAIJU
from engine.records import Record

USUAL: Final = Linear()


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return USUAL.answer(match.at, seat, question)


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> Sequence[Record]:
    """Return all legal answers, the likely best first."""
    first = policy(match, seat, question)
    return [first, *(answer for answer in search.answers(question) if answer != first)]


def lead_now(match: AnyMatch, seat: Seat) -> float:
    """Return the lead in Victory points, as if the match ended now."""
    return lead_of(KAIJU.scores(match.at), seat)


def lead(match: AnyMatch, seat: Seat) -> float:
    """Return the lead in Victory points, as the match is likely to end."""
    if match.over:
        return lead_now(match, seat)
    return lead_of([worth(match.at, other) for other in range(match.at.options.players)], seat) / FINE


def linear(**numbers: float) -> Reflex:
    return Reflex(Linear(**numbers).choose)


KNOWS: Final = Knowledge("kaiju", answers, policy, lead, scale=12)
FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, random.choose),
    "greedy": partial(Reflex, greedy.choose),
    "linear": linear,
    "flat": partial(Flat, KNOWS),
    "tree": partial(Tree, KNOWS),
}
LEARNT: Final = Lesson(
    "linear",
    (
        "research=0.5:2:6",
        "kaiju=-3:-0.7:0.5",
        "pays=1:2.5:8",
        "fades=-0.1:0:0.5",
        "home=0:1.5:6",
        "rivals=0:1:2",
        "relief=0:4:8",
        "barrier=0:1.5:8",
        "crash=0:6:12",
    ),
    steps=200,
    sets=5,
)
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {"noise": 0.4}),
    ("greedy", {"noise": 0.27}),
    ("greedy", {"noise": 0.19}),
    ("greedy", {"noise": 0.11}),
    ("linear", {"noise": 0.04}),
    ("flat", {"ahead": 2, "noise": 0.25}),
    ("flat", {"ahead": 2, "noise": 0.11}),
    ("flat", {"ahead": 2, "noise": 0.06}),
    ("flat", {"ahead": 2, "noise": 0.01}),
    ("flat", {"futures": 4, "ahead": 6}),
    ("tree", {"playouts": 40, "ahead": 3, "curiosity": 0.15}),
)
