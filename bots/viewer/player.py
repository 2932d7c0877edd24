"""A match moment by moment: changes of the picture, commentary, and standings."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bots.viewer import commentary, guides
from bots.viewer.boards import NOBODY, Board, board_of, recall_of
from bots.viewer.chances import at_the_end, chances, has_chances
from bots.viewer.commentary import Part
from bots.viewer.svg import Markup, Picture
from engine.core import Event, Seat
from engine.replay import Playback, Replay, advance, playback

RECALLED: Final = 200  # events, of which boards may tell
PUBLIC: Final = -1  # nobody's seat: `Event.seen_by` of it leaves what all may know


@dataclass(frozen=True, slots=True)
class Perspective:
    """Whose eyes and ears: the seats whose secrets show, and the seat as which events are heard (None: all of them)."""

    shown: frozenset[Seat] = NOBODY
    ear: Seat | None = PUBLIC

    @classmethod
    def everything(cls, players: int) -> "Perspective":
        return cls(frozenset(range(players)), None)

    @classmethod
    def of(cls, seat: Seat) -> "Perspective":
        return cls(frozenset({seat}), seat)

    def hears(self, event: Event) -> Event | None:
        return event if self.ear is None else event.seen_by(self.ear)


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's answer: its CPU time, and the fault for which the default stands in its place ("" for none)."""

    seat: Seat
    ms: float
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """How a match stands after `at` answers, and what the last of them, given together, made of it."""

    game: str
    at: int
    changes: dict[str, Markup]  # parts of the picture; at the first moment all of them
    story: list[Part]
    worth: list[float]
    turns: list[Turn]
    to_answer: list[Seat]  # who is to answer next; nobody at the end
    says: str  # the picture in a sentence
    words: Mapping[str, str]  # lines of what is on it; at the first moment all of them
    moved: list[str] = field(default_factory=list)  # the parts that others have only pushed to another place


@dataclass(slots=True)
class Projector:
    """Plays a replay, also one whose answers are still coming in, and shows each moment to one perspective.

    `first` and then `next` show every moment. To come to a later one sooner, `begin` and `step` play without drawing;
    then `show` is a moment that has the whole picture.
    """

    replay: Replay
    perspective: Perspective
    run: Playback = field(init=False)
    names: list[str] = field(init=False)
    board: Board = field(init=False)
    picture: Picture | None = field(init=False, default=None)  # the last one drawn
    _gone: set[Seat] = field(init=False, default_factory=set)
    _recent: deque[Event] = field(init=False, default_factory=lambda: deque(maxlen=RECALLED))

    def __post_init__(self) -> None:
        """Raises ReplayError where this engine cannot play it."""
        self.run, self.names = playback(self.replay), commentary.names_of(self.replay)
        self.board = board_of(self.replay.game)

    @property
    def can_go_on(self) -> bool:
        """Whether all seats that are due have answered."""
        waited_for = len(self.run.match.questions)
        return 0 < waited_for <= len(self.replay.answers) - self.run.step

    @property
    def worth(self) -> list[float]:
        return self.board.worth(self.run.match.at)

    def chances(self, worth: Sequence[float]) -> list[float] | None:
        """Return the chances of winning by seat, of seats that stand so (`worth`), from public knowledge; None where a
        game has none."""
        if not has_chances(self.replay.game, self.run.options):
            return None
        position, conduct = self.run.match.at, self.run.conduct
        if self.run.match.over:
            return at_the_end(conduct.result(self.run.game, position).places)
        return chances(self.replay.game, position, worth, [seat for seat, out in enumerate(conduct.forfeits) if out])

    def begin(self) -> list[Part]:
        """The commentary before the first answer."""
        return [*self._hear(), *commentary.opening(self.replay, self.names, self._gone)]

    def step(self) -> tuple[list[Part], list[Turn]]:
        """Advance one step: its commentary and its answers. Raises ReplayError where they do not fit."""
        before = self.run.step
        advance(self.replay, self.run)
        lines: Sequence[Any] = self.replay.answers[before : self.run.step]
        story = [*commentary.faults(lines, self.names, self._gone), *self._hear()]
        return story, [Turn(line[0], *line[2:]) for line in lines]

    def show(self, story: list[Part], turns: list[Turn]) -> Moment:
        """The present moment, drawn; of its picture what has changed since the last one drawn."""
        seen, self.picture = self.picture, self.draw()
        changes, words = self.picture.changes(seen), self.picture.retold(seen)
        moved, to_answer = self.picture.moved(seen), sorted(self.run.match.questions)
        told = (story, self.worth, turns, to_answer, self.picture.says, words, moved)
        return Moment(self.replay.game, self.run.step, changes, *told)

    def draw(self) -> Picture:
        position, game, names = self.run.match.at, self.replay.game, self.names
        picture, recall = self.board.draw(position, names, self.perspective.shown), recall_of(game)
        lines = guides.guide_lines(game, position, names, self.run.match.questions.values())
        parts = recall(position, list(self._recent)) if recall else {}
        return replace(picture, parts=picture.parts | parts, words={**picture.words, **lines})

    def first(self) -> Moment:
        return self.show(self.begin(), [])

    def next(self) -> Moment:
        return self.show(*self.step())

    def moments(self) -> Iterator[Moment]:
        yield self.first()
        while self.can_go_on:
            yield self.next()

    def _hear(self) -> list[Part]:
        events = [event for event in map(self.perspective.hears, self.run.match.hear()) if event]
        self._recent.extend(events)
        return commentary.tell_events(self.replay.game, events, self.names)
