"""What all families are: players that are told what happened and choose."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.core import Event
from engine.dice import Dice
from engine.records import Record, canonical

Choose = Callable[[Any, Any], Record]
Ladder = Sequence[tuple[str, Mapping[str, float]]]  # families and their numbers, the weakest first
FINE: Final = 1_000_000  # a share is told apart from the next by one of so many


class Lesson(NamedTuple):
    """How the numbers of a family were learnt: between which bounds, from where, and how long."""

    family: str
    bounds: Sequence[str]  # as `boardroom tune --param` has them
    steps: int
    sets: int  # in each step


class Player(Protocol):
    def choose(self, view: Any, question: Any) -> Record: ...

    def hear(self, events: Sequence[Event]) -> None: ...


class Reflex:
    """Answers by what it sees now alone."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose

    def hear(self, events: Sequence[Event]) -> None:
        """It has no use for them."""


class Noisy:
    """Answers by lot in a `share` of all questions: in 0 of them as `player` does, in 1 of them always by lot."""

    def __init__(self, player: Player, share: float, by_lot: Choose) -> None:
        self.player, self.share, self.by_lot = player, round(share * FINE), by_lot
        self.hear = player.hear

    def choose(self, view: Any, question: Any) -> Record:
        if self.share and Dice.of(f"noise {canonical(view)}").below(FINE) < self.share:
            return self.by_lot(view, question)
        return self.player.choose(view, question)
