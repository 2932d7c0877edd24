"""Moments as the browser gets them, the same in a replay, a live stream and a game of one's own."""

from typing import TypedDict

from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.player import Moment


class FrameLine(TypedDict):
    """A sentence; with a `title`, it begins a chapter."""

    text: str
    kind: str
    seat: int | None  # whose doing it is
    title: str


class Frame(TypedDict):
    at: int
    parts: dict[str, str]
    told: list[FrameLine]
    worth: list[float]
    turns: list[tuple[int, float, str]]  # seat, milliseconds, fault
    asked: list[int]
    says: str


def frame_of(moment: Moment) -> Frame:
    return {
        "at": moment.at,
        "parts": moment.changes,
        "told": [line for part in moment.story if part for line in _lines_of(part)],
        "worth": moment.worth,
        "turns": [(turn.seat, turn.ms, turn.fault) for turn in moment.turns],
        "asked": moment.to_answer,
        "says": moment.says,
    }


def _lines_of(part: Part) -> list[FrameLine]:
    if isinstance(part, Chapter):
        return [{"text": "", "kind": "", "seat": None, "title": part.title}, *map(_line, part.lines)]
    return [_line(part)] if part else []


def _line(line: Line) -> FrameLine:
    return {"text": line.text, "kind": line.kind, "seat": line.seat, "title": ""}
