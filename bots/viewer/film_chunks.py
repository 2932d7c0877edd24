"""A replay as the viewer asks for it: one moment with all around it, a piece of its frames, or all events."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypedDict

from bots.viewer import commentary
from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.frames import Frame, frame_of
from bots.viewer.language import say
from bots.viewer.player import Moment, Perspective, Projector, Turn
from bots.viewer.svg import Picture
from engine.core import Event, Seat
from engine.records import to_plain
from engine.replay import Replay, advance, playback

STANDINGS: Final = 1500  # computed at most for a match: one may take longer to compute than to play on
CHANCES: Final = 500  # weighed at most
PIECE: Final = 100  # answers; the first moment of a piece comes with its whole picture


class Piece(TypedDict):
    frames: list[Frame]
    next: int | None  # what to ask for after it


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the commentary, and after how many answers it comes."""

    at: int
    text: str
    kind: str
    seat: int | None = None  # whose doing it is
    deed: str = ""  # what was done, for the headline


@dataclass(slots=True)
class Scene:
    """A chapter of the match, from the moment `at` on."""

    at: int
    title: str
    lines: list[LogLine] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """A whole match without its pictures, as one perspective hears it."""

    ats: list[int] = field(default_factory=list)  # the moments there are
    worth: list[list[float]] = field(default_factory=list)  # at each of them, by seat; of a long match at some of them
    chances: list[list[float]] = field(default_factory=list)  # of winning, likewise; empty where a game has none
    scenes: list[Scene] = field(default_factory=lambda: [Scene(0, say("Before the first round"))])

    def add(self, step: int, story: list[Part], worth: list[float], chances: list[float] | None = None) -> None:
        self.ats.append(step)
        self.worth.append(worth)
        if chances:
            self.chances.append(chances)
        for part in story:
            lines = [part] if isinstance(part, Line) else part.lines if part else []
            if isinstance(part, Chapter):
                self.scenes.append(Scene(step, part.title))
            self.scenes[-1].lines += [LogLine(step, line.text, line.kind, line.seat, line.deed) for line in lines]


@dataclass(frozen=True, slots=True)
class Look:
    """One moment, and the match around it."""

    game: str
    at: int
    picture: Picture
    outline: Outline
    names: list[str]
    unit: str
    worth: list[float]  # by seat, at this very moment
    chances: list[float] | None
    turns: list[Turn]  # that led here
    to_answer: list[int]  # by seat, who is next
    ending: str  # who has won, once it is over


def find_moment(replay: Replay, perspective: Perspective, step: int) -> Look:
    """Return the last moment at which no more than `step` answers were given. Raises ReplayError."""
    show, outline = Projector(replay, perspective), Outline()
    story: list[Part] = show.begin()
    turns: list[Turn] = []
    seen: Look | None = None
    worth, often = show.worth, len(replay.answers) // STANDINGS + 1
    chances, seldom = show.chances(worth), len(replay.answers) // CHANCES + 1
    while True:
        number, over = len(outline.ats), show.run.match.over
        if number and (number % often == 0 or number % seldom == 0 or over):
            worth = show.worth
        if number and (number % seldom == 0 or over):
            chances = show.chances(worth)
        outline.add(show.run.step, [*story, *_ending(show)], worth, chances)
        to_answer = sorted(show.run.match.questions)
        if not seen and (not show.can_go_on or show.run.step + len(to_answer) > step):
            seen = _seen(show, outline, turns, to_answer)
        if not show.can_go_on:
            assert seen
            return seen
        story, turns = show.step()


def _seen(show: Projector, outline: Outline, turns: list[Turn], to_answer: list[Seat]) -> Look:
    worth, game, ending = show.worth, show.replay.game, "".join(line.text for line in _ending(show)[-1:])
    stood = (show.names, say(show.board.UNIT), worth, show.chances(worth), turns, to_answer, ending)
    return Look(game, show.run.step, show.draw(), outline, *stood)


def piece(replay: Replay, perspective: Perspective, start: int) -> Piece:
    """The moments from `start` answers on, up to the next multiple of PIECE. Raises ReplayError."""
    show, end = Projector(replay, perspective), (start // PIECE + 1) * PIECE
    story: list[Part] = show.begin()
    turns: list[Turn] = []
    while show.can_go_on and show.run.step < start:
        story, turns = show.step()
    frames = [_frame(show, show.show(story, turns))]
    while show.can_go_on and show.run.step + len(show.run.match.questions) < end:
        frames.append(_frame(show, show.next()))
    return {"frames": frames, "next": show.run.step + len(show.run.match.questions) if show.can_go_on else None}


def film(replay: Replay, perspective: Perspective) -> list[list[Frame]]:
    """The whole match, piece by piece, played once. Raises ReplayError."""
    show, pieces = Projector(replay, perspective), []
    for number in range(len(replay.answers) // PIECE + 1):
        pieces.append(frames := list[Frame]())
        show.picture = None  # a piece begins with a whole one
        if not number:
            frames.append(_frame(show, show.first()))
        while show.can_go_on and show.run.step + len(show.run.match.questions) < (number + 1) * PIECE:
            frames.append(_frame(show, show.next()))
    return pieces


def _frame(show: Projector, moment: Moment) -> Frame:
    moment.story.extend(_ending(show))
    return frame_of(moment)


def _ending(show: Projector) -> list[Line]:
    return commentary.ending(show.replay, show.names) if show.run.match.over else []


def event_lines(replay: Replay, perspective: Perspective) -> Iterator[str]:
    """Yield the events as `perspective` heard them, as JSON Lines: {"at": 3, "event": {...}}. Raises ReplayError.

    `at` is the number of answers that were given before.
    """
    run = playback(replay)
    yield from _event_lines(run.step, run.match.hear(), perspective)
    while not run.match.over:
        advance(replay, run)
        yield from _event_lines(run.step, run.match.hear(), perspective)


def _event_lines(step: int, events: list[Event], perspective: Perspective) -> Iterator[str]:
    for event in events:
        if heard := perspective.hears(event):
            yield json.dumps({"at": step, "event": to_plain(heard)}, ensure_ascii=False, separators=(",", ":")) + "\n"
