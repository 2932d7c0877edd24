"""The core. A game is a position (plain data) and its rules (a generator of questions).

The generator is a disposable cursor: drop it at any question, begin it afresh on a copy of the position, and it
walks over what is done and asks the same question again. Two laws make this true: every loop eats a work list kept
in the position, and every draw is stored in the position before the question that follows it.
"""

from collections.abc import Callable, Generator, Mapping
from functools import cache
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from engine.dice import Dice
from engine.errors import Portable
from engine.reading import Mismatch, Reader, reader
from engine.records import Record, RecordError
from engine.sentences import Sentence, list_sentence

Seat = int
A = TypeVar("A", bound=Record)
T = TypeVar("T")
P = TypeVar("P", bound="Position")


class IllegalAction(Portable):
    """An answer the rules refuse; `reason` is a sentence that says why and what would be right."""

    def __init__(self, seat: Seat, reason: Sentence) -> None:
        super().__init__(f"seat {seat}: {reason}")
        self.seat, self.reason = seat, reason


class Question(Record, Generic[A]):
    """A question to a seat. Its fields describe the legal answers, so it is also the bot's action space."""

    __slots__ = ()
    answers: ClassVar[object]  # the record type, or union of tagged record types, that can answer

    def read(self, data: object) -> A:
        """Return the answer that plain `data` spells. Raises RecordError (wrong shape) with a sentence."""
        kind: Any = type(self)
        try:
            return _reader(kind)(data)  # type: ignore[no-any-return]
        except Mismatch as refused:
            raise RecordError(
                Sentence("answer%(where)s %(reason)s", where=refused.where, reason=refused.reason)
            ) from None

    def error(self, action: A) -> Sentence | None:
        """Return why `action` is not legal, in a sentence with numbers, or None if it is."""
        raise NotImplementedError

    def default(self) -> A:
        """Return the legal answer used when a seat gives none."""
        raise NotImplementedError

    def stand_in(self) -> A:
        """Return the legal answer of a seat that has forfeited: the default, unless the game has a rule for that."""
        return self.default()

    def draw(self, dice: Dice) -> A:
        """Return a legal answer at random, every kind of answer being likely enough to be seen."""
        raise NotImplementedError


@cache
def _reader(question: Any) -> Reader:
    """Return the reader of its answers, kept by question: unions of types are slow to look up."""
    return reader(question.answers)


class Event(Record):
    """Something that happened. Public unless the class says otherwise."""

    __slots__ = ()

    def seen_by(self, seat: Seat) -> "Event | None":  # noqa: ARG002 - most events are public
        """Return the event as `seat` sees it while the match runs: whole, in part, or not at all (None)."""
        return self


class Position(Protocol):
    """All that a game remembers: ints, strings, lists and records of them. `dice` is never shown to a seat."""

    dice: Dice
    heard: list[Event] | None  # events not yet collected; None when nobody listens. Not part of the position.

    def copy(self) -> Self: ...


Questions = Mapping[Seat, Question[Record]]
Answers = Mapping[Seat, Record]
Flow = Generator[Questions, Answers, T]


Part = Callable[[P], Flow[None] | None]  # of the rules: one that asks nobody is a plain function


def ask(seat: Seat, question: Question[A]) -> Flow[A]:
    """Ask one seat and return its answer, typed by the question."""
    answers = yield {seat: question}  # type: ignore[dict-item]
    return answers[seat]  # type: ignore[return-value]


def ask_all(questions: Mapping[Seat, Question[A]]) -> Flow[Mapping[Seat, A]]:
    """Ask several seats at once; none learns another's answer before all are in."""
    return (yield questions)  # type: ignore[misc, return-value]


def tell(position: Position, event: Event) -> None:
    """Send `event` to the listeners."""
    if position.heard is not None:
        position.heard.append(event)


class Match(Generic[P]):
    """A position and a cursor: the open questions, and how answers move it on. Over when no question is open."""

    __slots__ = ("at", "flow", "questions", "rules")

    def __init__(self, rules: Callable[[P], Flow[None]], at: P, asked: Questions | None = None) -> None:
        """Begin the rules, unless `asked` are the questions that they ask there: then not before the first answer."""
        self.rules, self.at = rules, at
        self.flow: Flow[None] | None = rules(at) if asked is None else None
        self.questions: Questions = next(self.flow, {}) if self.flow else asked or {}

    @property
    def over(self) -> bool:
        return not self.questions

    def apply(self, answers: Answers) -> None:
        """Apply one answer for each seat that is asked. Raises IllegalAction and changes nothing if one is refused."""
        questions = self.questions
        for seat, question in questions.items():
            if seat not in answers:
                raise IllegalAction(seat, Sentence("is asked and gave no answer"))
            if reason := question.error(answers[seat]):
                raise IllegalAction(seat, reason)
        if len(answers) > len(questions):
            raise IllegalAction(max(answers.keys() - questions.keys()), self._not_asked())
        self.move(answers)

    def move(self, answers: Answers) -> None:
        """Apply answers that are known to be legal: `read` has given them, or the questions themselves."""
        if self.flow is None:
            self.flow = self.rules(self.at)
            next(self.flow, None)
        try:
            self.questions = self.flow.send(answers)
        except StopIteration:
            self.questions = {}

    def read(self, seat: Seat, data: object) -> Record:
        """Return the legal answer that plain `data` spells for `seat`. Raises IllegalAction with the reason."""
        if seat not in self.questions:
            raise IllegalAction(seat, self._not_asked())
        try:
            action = self.questions[seat].read(data)
        except RecordError as error:
            raise IllegalAction(seat, error.reason) from None
        if reason := self.questions[seat].error(action):
            raise IllegalAction(seat, reason)
        return action

    def _not_asked(self) -> Sentence:
        asked = list_sentence(sorted(self.questions), Sentence("nobody, the match is over"))
        return Sentence("is not asked now; asked: %(listed)s", listed=asked)

    def hear(self) -> list[Event]:
        """Return the events since the last call, oldest first, secrets included; none if nobody listens."""
        if not self.at.heard:
            return []
        heard, self.at.heard = self.at.heard, []
        return heard

    def copy(self) -> "Match[P]":
        """Return an independent match at the same question, with nobody listening.

        A position that was changed by hand begins anew instead: `Match(rules, at)`.
        """
        return Match(self.rules, self.at.copy(), self.questions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the position and its questions: the cursor begins anew, as in a copy."""
        return Match, (self.rules, self.at, self.questions)
