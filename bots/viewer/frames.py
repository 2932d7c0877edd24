"""Moments as the browser gets them, the same in a replay, a live stream and a game of one's own."""

from typing import TypedDict

from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.icons import for_script
from bots.viewer.language import word
from bots.viewer.player import Moment


class FrameLine(TypedDict):
    """A sentence; with a `title`, it begins a chapter."""

    text: str
    icons: list[tuple[int, str]]  # that stand before letters of it
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
    words: dict[str, str]  # what is on the board, by what each line is about
    moved: list[str]  # parts that look the same but for their place


def frame_of(moment: Moment) -> Frame:
    return {
        "at": moment.at,
        "parts": moment.changes,
        "told": [line for part in moment.story if part for line in _lines_of(moment.game, part)],
        "worth": moment.worth,
        "turns": [(turn.seat, turn.ms, word(turn.fault)) for turn in moment.turns],
        "asked": moment.to_answer,
        "says": moment.says,
        "words": dict(moment.words),
        "moved": moment.moved,
    }


def _lines_of(game: str, part: Part) -> list[FrameLine]:
    if isinstance(part, Chapter):
        begins: FrameLine = {"text": "", "icons": [], "kind": "", "seat": None, "title": part.title}
        return [begins, *(_line(game, line) for line in part.lines)]
    return [_line(game, part)] if part else []


def _line(game: str, line: Line) -> FrameLine:
    icons = for_script(game, line.text)
    return {"text": line.text, "icons": icons, "kind": line.kind, "seat": line.seat, "title": ""}
