"""Key moments of a match: changes of the lead, decisive events and faults."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bots.viewer.slices import Outline

MOST: Final = 150  # that are listed


@dataclass(frozen=True, slots=True)
class Mark:
    at: int
    kind: str  # "lead", "key" or "bad"
    text: str


def marks_of(outline: Outline, names: Sequence[str], unit: str) -> list[Mark]:
    """In the order of the match."""
    lines = [line for scene in outline.scenes for line in scene.lines if line.kind in ("key", "bad")]
    found = [Mark(line.at, line.kind, line.text) for line in lines]
    return sorted([*found, *leads(outline, names, unit)], key=lambda mark: mark.at)


def leads(outline: Outline, names: Sequence[str], unit: str) -> Iterator[Mark]:
    """Whenever another seat than the last one to do so stands alone at the top."""
    leader: int | None = None
    for at, worth in zip(outline.ats, outline.worth, strict=True):
        first = worth.index(max(worth))
        if worth.count(worth[first]) == 1 and first != leader:
            if leader is not None:
                yield Mark(at, "lead", f"{names[first]} takes the lead with {worth[first]:g} {unit}.")
            leader = first


def listed(marks: Sequence[Mark]) -> list[Mark]:
    """Those that a list can hold: of a long match only changes of the lead and faults."""
    if len(marks) <= MOST:
        return list(marks)
    return [mark for mark in marks if mark.kind != "key"][:MOST]
