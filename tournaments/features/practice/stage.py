"""A practice game as one of its players sees it now: the board, the log, and the question as a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from django.utils.safestring import SafeString, mark_safe

from bots.viewer.answer_forms import form_of
from bots.viewer.answer_forms.form import Form
from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.film_chunks import LogLine
from bots.viewer.frames import Frame, frame_of
from bots.viewer.language import say
from bots.viewer.player import Perspective, Projector
from engine.core import Seat
from engine.replay import Replay
from tournaments.features.practice.seats import person_seat
from tournaments.features.practice.slow_play import AWAY, BACK, LATE, LEFT
from tournaments.features.practice.turns import replay_of_practice
from tournaments.models import Practice, User

LOG = 60  # lines at most
FRAMES = 100  # answers at most that the browser plays; of more it gets the last


@dataclass(frozen=True, slots=True)
class Standing:
    seat: Seat
    name: str
    worth: float
    asked: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """`at`: answers of whole steps so far. `news` are the log lines since the person's last answer."""

    at: int
    picture: SafeString
    words: Mapping[str, str]  # the picture in words
    unit: str
    standings: list[Standing]
    log: list[LogLine]
    news: list[LogLine]
    form: Form | None
    frames: list[Frame] = field(default_factory=list)


def perspective_of(practice: Practice, seat: Seat | None) -> Perspective:
    """Return the perspective of the person's seat, until it is over; where they have none, what all may know."""
    if practice.status == Practice.Status.OVER:
        return Perspective.everything(len(practice.seats))
    return Perspective() if seat is None else Perspective.of(seat)


def stage_for_person(practice: Practice, person: User, frames_from: int | None = None) -> Stage:
    """Return the game as the person sees it; with `frames_from`, the moments after so many answers come as frames.
    Raises ReplayError."""
    replay, seat = replay_of_practice(practice), person_seat(practice, person)
    show = Projector(replay, perspective_of(practice, seat))
    parts_so_far = [(0, part) for part in show.begin()]
    frames: list[Frame] = []
    first = len(replay.answers) if frames_from is None else max(frames_from, len(replay.answers) - FRAMES)
    while show.can_go_on:
        if show.picture is None and show.run.step >= first and frames_from == first:
            show.show([], [])  # it is on the screen already
        parts, turns = show.step()
        parts_so_far += [(show.run.step, part) for part in parts]
        if show.run.step > first:
            frames.append(frame_of(show.show(parts, turns)))
    picture, match = show.draw(), show.run.match
    lines, since = _with_absences(_lines(parts_so_far), practice, show.names), _last_answer(replay, practice, seat)
    return Stage(
        at=show.run.step,
        picture=mark_safe(picture.svg()),  # noqa: S308 - what people and bots wrote, `picture.text` has escaped
        words=picture.words,
        unit=say(show.board.UNIT),
        standings=[
            Standing(seat, show.names[seat], worth, seat in match.questions) for seat, worth in enumerate(show.worth)
        ],
        log=lines[-LOG:],
        news=[line for line in lines if line.at >= since and line.text][-LOG:],
        form=form_of(show.run.game, match, seat, show.names) if _asks(seat, practice, show) else None,
        frames=frames,
    )


def _asks(seat: Seat | None, practice: Practice, show: Projector) -> TypeGuard[Seat]:
    """Whether this seat has to answer now, and has not done so already, before others who are asked with it."""
    lines: list[Any] = show.replay.answers[show.run.step :]
    given = [line[0] for line in lines]
    return practice.status == Practice.Status.ASKING and seat in show.run.match.questions and seat not in given


def _last_answer(replay: Replay, practice: Practice, seat: Seat | None) -> int:
    """Return the number of the moment that the person's last answer led to, or the first shown of a fork."""
    lines = list(enumerate(replay.answers, 1))
    mine = (number for number, line in reversed(lines) if isinstance(line, list) and line[0] == seat)
    return max(next(mine, 0), practice.moment or 0)


def _lines(parts: list[tuple[int, Part]]) -> list[LogLine]:
    lines: list[LogLine] = []
    for moment, part in parts:
        if isinstance(part, Chapter):
            lines.append(LogLine(moment, part.title, "key"))
        inner = part.lines if isinstance(part, Chapter) else [part] if isinstance(part, Line) else []
        lines += [LogLine(moment, line.text, line.kind, line.seat) for line in inner]
    return lines


ABSENCES = {
    LATE: "%(name)s did not answer in time: the default was answered.",
    AWAY: "%(name)s was late three times: defaults are answered there until they come back.",
    BACK: "%(name)s is back.",
    LEFT: "%(name)s has left: defaults are answered there.",
}


def _with_absences(lines: list[LogLine], practice: Practice, names: list[str]) -> list[LogLine]:
    """Return the lines, with each absence after what had happened by then."""
    more = [LogLine(moment, say(ABSENCES[what], name=names[seat]), "bad") for moment, seat, what in practice.absences]
    return sorted([*lines, *more], key=lambda line: line.at)
