"""Moments as the browser gets them, the same in a replay, a live stream and a game of one's own."""

from typing import TypedDict

from tournaments.viewer.commentary import Part
from tournaments.viewer.commentary.story import Chapter
from tournaments.viewer.player import Moment


class Said(TypedDict):
    """A sentence; with a `title`, it begins a chapter."""

    text: str
    kind: str
    title: str


class Frame(TypedDict):
    at: int
    parts: dict[str, str]
    told: list[Said]
    worth: list[float]
    turns: list[tuple[int, float, str]]  # seat, milliseconds, fault
    asked: list[int]
    says: str


def frame_of(moment: Moment) -> Frame:
    return {
        "at": moment.at,
        "parts": moment.changes,
        "told": [said for part in moment.told if part for said in _said(part)],
        "worth": moment.worth,
        "turns": [(turn.seat, turn.ms, turn.fault) for turn in moment.turns],
        "asked": moment.asked,
        "says": moment.says,
    }


def _said(part: Part) -> list[Said]:
    if isinstance(part, Chapter):
        first: Said = {"text": "", "kind": "", "title": part.title}
        return [first, *({"text": line.text, "kind": line.kind, "title": ""} for line in part.lines)]  # type: ignore[list-item]
    return [{"text": part.text, "kind": part.kind, "title": ""}] if part else []
