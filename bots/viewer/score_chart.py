"""How the seats stood over a match, as the lines of a chart, in thousandths of its width."""

from dataclasses import dataclass
from typing import Final

from bots.viewer.slices import Outline

WIDTH: Final = 1000
HEIGHT: Final = 100
MOST: Final = 400  # points of a line; more than that no screen can show


@dataclass(frozen=True, slots=True)
class WorthChart:
    lines: list[str]  # by seat, the points of a polyline
    low: float
    high: float


def share(at: int, last: int) -> float:
    """Where a moment is in a match of `last` answers, in thousandths."""
    return round(1000 * at / max(1, last), 1)


def chart_of(outline: Outline) -> WorthChart:
    """Steps: how it stood is so until it changes."""
    every = [value for worth in outline.worth for value in worth]
    low, high = min(0.0, *every), max(*every, 1.0)
    step = max(1, len(outline.ats) // MOST)
    kept = [*range(0, len(outline.ats), step), len(outline.ats) - 1]
    last = max(1, outline.ats[-1])
    xs = [round(WIDTH * outline.ats[moment] / last, 1) for moment in kept]

    def line(seat: int) -> str:
        ys = [round(HEIGHT * (high - outline.worth[moment][seat]) / (high - low), 1) for moment in kept]
        return " ".join(f"{x:g},{y:g}" for x, y in zip(xs, ys, strict=True))

    return WorthChart([line(seat) for seat in range(len(outline.worth[0]))], low, high)
