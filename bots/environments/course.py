"""A match as a sequence of decisions: one seat at a time, each a number out of those that are legal.

Seats that are asked at the same time come one after the other, the lowest first; their answers are held back until
all are in, so that nobody observes another's. An answer of several parts takes several decisions of its seat.
"""

from collections.abc import Sequence
from typing import Any

from bots.environments.encoding import Encoding
from engine.core import Match, Question, Seat
from engine.records import Record
from engine.seats import places_by_score


class Course:
    """`seat` decides next; nobody does (-1) when the match is over."""

    __slots__ = ("_legal", "_mask", "answers", "encoding", "held", "match", "parts", "seat")

    def __init__(
        self,
        encoding: Encoding,
        match: Match[Any],
        held: dict[Seat, Record] | None = None,
        parts: list[int] | None = None,
        answers: int = 0,
    ) -> None:
        self.encoding, self.match = encoding, match
        self.held = held or {}
        self.parts = parts or []
        self.answers = answers  # whole ones so far
        self.seat = min(match.questions.keys() - self.held.keys(), default=-1)
        self._legal: Sequence[int] | None = None
        self._mask: bytes | None = None

    @classmethod
    def begin(cls, encoding: Encoding, seed: str, *, listen: bool = False) -> "Course":
        return cls(encoding, encoding.game.start(encoding.options, seed, listen=listen))

    @property
    def over(self) -> bool:
        return self.seat < 0

    @property
    def question(self) -> Question[Any]:
        return self.match.questions[self.seat]

    def legal(self) -> Sequence[int]:
        """The actions of the seat."""
        if self._legal is None:
            question = self.match.questions[self.seat]
            self._legal = self.encoding.ways[type(question)].legal(question, self.parts)
        return self._legal

    def mask(self) -> bytes:
        """A 1 for each of them, else 0."""
        if self._mask is None:
            self._mask = self.encoding.actions.mask(self.legal())
        return self._mask

    def may(self, action: int) -> bool:
        """Whether it is one of them."""
        return 0 <= action < self.encoding.actions.size and self.mask()[action] == 1

    def act(self, action: int) -> None:
        """One that is legal."""
        question = self.match.questions[self.seat]
        self.parts.append(action)
        self._legal = self._mask = None
        answer = self.encoding.ways[type(question)].answer(question, self.parts)
        if answer is not None:
            self.give(answer)

    def give(self, answer: Record) -> None:
        """The whole answer of the seat, a legal one."""
        self.held[self.seat] = answer
        self.parts, self._legal, self._mask = [], None, None
        self.answers += 1
        match = self.match
        if len(self.held) == len(match.questions):
            held, self.held = self.held, {}
            match.move(held)
            self.seat = min(match.questions, default=-1)
        else:
            self.seat = min(seat for seat in match.questions if seat not in self.held)

    def observed(self, seat: Seat) -> bytes:
        """Return what `seat` observes, whether or not it decides next."""
        encoding, match = self.encoding, self.match
        tail = encoding.tail(match.questions[seat], self.parts) if seat == self.seat else encoding.nothing
        return encoding.packed(match.at, seat, tail)

    def places(self) -> list[int]:
        """Return the places by seat once it is over, as 1, 1, 3."""
        game = self.encoding.game
        return places_by_score((game.ranking or game.scores)(self.match.at))

    def copy(self) -> "Course":
        """An independent one, at the same decision."""
        return Course(self.encoding, self.match.copy(), self.held.copy(), self.parts.copy(), self.answers)

    def __deepcopy__(self, _memo: object) -> "Course":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the decision; legal actions and mask follow from it."""
        return Course, (self.encoding, self.match, self.held, self.parts, self.answers)


def rewards(of_places: Sequence[int]) -> list[float]:
    """Return by seat the share of the others that it beat less the share that beat it: -1 to 1, together 0."""
    rivals = len(of_places) - 1
    return [sum((other > place) - (other < place) for other in of_places) / rivals for place in of_places]
