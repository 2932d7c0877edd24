"""Key moments of a match: swings of the chances of winning and faults.

Where a game has no fitted chances, changes of the lead and what its commentary calls decisive stand in for the swings.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bots.viewer.film_chunks import LogLine, Outline
from bots.viewer.language import decimal, say

MOST: Final = 150  # that are listed
SWINGS: Final = 12  # of a match
LEAST: Final = 0.04  # of a swing, in chances
TOLD: Final = 2  # sentences about a swing


@dataclass(frozen=True, slots=True)
class Mark:
    at: int
    kind: str  # "swing", "lead", "key" or "bad"
    text: str


def marks_of(outline: Outline, names: Sequence[str], unit: str) -> list[Mark]:
    """Return the key moments in the order of the match."""
    kinds = ("bad",) if outline.chances else ("key", "bad")
    decisive = [Mark(line.at, line.kind, line.text) for line in outline_lines(outline) if line.kind in kinds]
    more = swings(outline, names) if outline.chances else lead_changes(outline, names, unit)
    return sorted([*decisive, *more], key=lambda mark: mark.at)


def outline_lines(outline: Outline) -> list[LogLine]:
    return [line for scene in outline.scenes for line in scene.lines]


def lead_changes(outline: Outline, names: Sequence[str], unit: str) -> Iterator[Mark]:
    """Whenever another seat than the last one to do so stands alone at the top."""
    leader: int | None = None
    for step, worth in zip(outline.ats, outline.worth, strict=True):
        first = worth.index(max(worth))
        if worth.count(worth[first]) == 1 and first != leader:
            if leader is not None:
                sentence, has = "%(name)s takes the lead with %(worth)s %(unit)s.", decimal(worth[first])
                yield Mark(step, "lead", say(sentence, name=names[first], worth=has, unit=unit))
            leader = first


@dataclass(frozen=True, slots=True)
class Swing:
    """How the chances moved after the moment `since` and up to `at`, and whose moved most."""

    since: int
    at: int
    seat: int
    before: float
    after: float

    @property
    def size(self) -> float:
        return abs(self.after - self.before)


def swings(outline: Outline, names: Sequence[str]) -> list[Mark]:
    """The largest, with what happened."""
    lines = outline_lines(outline)
    return [Mark(swing.at, "swing", _told(swing, lines, names)) for swing in largest_swings(outline)]


def largest_swings(outline: Outline) -> list[Swing]:
    largest = sorted(every_swing(outline), key=lambda swing: -swing.size)[:SWINGS]
    return [swing for swing in largest if swing.size >= LEAST]


def every_swing(outline: Outline) -> Iterator[Swing]:
    """Return how the chances changed from each moment at which they were weighed to the next."""
    since = 0
    for number in range(1, len(outline.ats)):
        before, after = outline.chances[since], outline.chances[number]
        if after is not before:
            seat = max(range(len(after)), key=lambda seat: abs(after[seat] - before[seat]))
            yield Swing(outline.ats[since], outline.ats[number], seat, before[seat], after[seat])
            since = number


def decisive_mark(outline: Outline, names: Sequence[str], unit: str) -> Mark | None:
    """Return the largest swing of the chances, or where a game has none the last change of the lead."""
    if not outline.chances:
        return max(lead_changes(outline, names, unit), key=lambda mark: mark.at, default=None)
    swing = max(every_swing(outline), key=lambda swing: swing.size, default=None)
    return Mark(swing.at, "swing", _told(swing, outline_lines(outline), names)) if swing else None


def percent(chance: float) -> str:
    """Return a chance in whole percent; 0 and 100 only for what is settled."""
    shown = round(100 * chance)
    return f"{shown if chance in (0, 1) else min(99, max(1, shown))} %"


def _told(swing: Swing, lines: Sequence[LogLine], names: Sequence[str]) -> str:
    first, last = (bisect_right(lines, step, key=lambda line: line.at) for step in (swing.since, swing.at))
    said_then = lines[first:last]
    decisive = [line for line in said_then if line.kind in ("key", "bad")] or said_then
    what = " ".join(line.text for line in decisive[:TOLD])
    return f"{names[swing.seat]}: {percent(swing.before)} → {percent(swing.after)}. {what}".strip()


def shortlisted(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks that a list can hold: of a long match no merely decisive events."""
    if len(marks) <= MOST:
        return list(marks)
    return [mark for mark in marks if mark.kind != "key"][:MOST]
