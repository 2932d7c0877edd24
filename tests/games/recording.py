"""What makes a recorded game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.core import Question
from engine.dice import Dice
from engine.records import Record

Policy = Callable[[Question[Any], Dice], Record]


def drawn(question: Question[Any], dice: Dice) -> Record:
    answer: Record = question.draw(dice)
    return answer


@dataclass(frozen=True)
class Recording:
    """A match to record: the seed is its name, every seat answers by `policy`.

    With `faults`, the bot of the last seat did not start, and one answer in 32 of the others is illegal.
    """

    options: dict[str, object]
    policy: Policy = drawn
    faults: bool = False
