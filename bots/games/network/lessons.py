"""How the worth of positions of Network is learnt: the policy of its rungs plays against itself, and then a search that
goes by what was learnt, which knows more of a position."""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.network.rungs import families, worth
from bots.games.network.rungs.minimax import Minimax
from bots.imagine import AnyMatch
from bots.rungs.lessons import Lesson, Teacher
from engine.core import Question, Seat
from engine.dice import Dice
from engine.records import Record

CLOSE: Final = 12  # dollars: who leads by more has won


class Searcher(Teacher):
    """Searches, at times takes one of the answers it looked at by lot, and knows where the search ended."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.player = Minimax(weights=weights)

    def answer(self, match: AnyMatch, seat: Seat, question: Question[Any], dice: Dice, every_nth: int) -> Record:  # noqa: ARG002
        self.root = self.player.searched(match.copy())
        return dice.pick(self.root.answers) if every_nth and dice.below(every_nth) == 0 else self.root.best()

    def lead(self) -> int:
        return self.root.leads[0]


LESSONS: Final[Sequence[Lesson]] = [
    Lesson(worth.signs, lambda _weights: Teacher(families.policy), (2, 3, 4, 6), 3000, CLOSE),
    Lesson(worth.signs, Searcher, (3, 7, 20), 300, CLOSE, 1),
]
