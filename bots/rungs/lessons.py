"""How the worth of a game's positions is learnt (`bots.command.learn_worth`): who plays, and what is looked at."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from bots.imagine import AnyMatch, Policy
from engine.core import Question, Seat
from engine.dice import Dice
from engine.records import Record

EVERY: Final = 3  # answers: two positions beside each other tell the same
Row = list[int]


class Lesson(NamedTuple):
    """`signs`: what of a position counts, by seat; `teacher`: who plays, by the weights learnt before; `by_lot`: one
    answer of so many (0: none), by match; `most`: a lead beyond it counts as it; `spacing`: one position of so many."""

    signs: Callable[[Any], Sequence[Row]]
    teacher: Callable[[Row], "Teacher"]
    by_lot: Sequence[int]
    matches: int
    most: int = 1000
    spacing: int = EVERY


class Teacher:
    """Answers for all seats by a policy, at times by lot."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def answer(self, match: AnyMatch, seat: Seat, question: Question[Any], dice: Dice, every_nth: int) -> Record:
        return question.draw(dice) if every_nth and dice.below(every_nth) == 0 else self.policy(match, seat, question)

    def lead(self) -> int | None:
        """Return the first seat's lead before the latest answer, in the unit of a weight, if the teacher knows it."""
        return None
