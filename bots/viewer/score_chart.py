"""How the seats stood over a match, as the lines of a chart, in thousandths of its width."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bots.viewer.film_chunks import Outline

WIDTH: Final = 1000
HEIGHT: Final = 100
MOST: Final = 400  # points of a line; more than that no screen can show


@dataclass(frozen=True, slots=True)
class LineChart:
    lines: list[str]  # by seat, the points of a polyline
    low: float
    high: float


def share_of_match(step: int, last: int) -> float:
    """Return where a moment is in a match of `last` answers, in thousandths."""
    return round(1000 * step / max(1, last), 1)


def chart_of(outline: Outline) -> LineChart:
    values = [value for worth in outline.worth for value in worth]
    return _drawn(outline.ats, outline.worth, min(0.0, *values), max(*values, 1.0))


def chances_of(outline: Outline) -> LineChart:
    return _drawn(outline.ats, outline.chances, 0.0, 1.0)


def _drawn(ats: Sequence[int], values: Sequence[Sequence[float]], low: float, high: float) -> LineChart:
    """Steps: how it stood is so until it changes."""
    step = max(1, len(ats) // MOST)
    kept = [*range(0, len(ats), step), len(ats) - 1]
    xs = [share_of_match(ats[moment], ats[-1]) for moment in kept]

    def line(seat: int) -> str:
        ys = [round(HEIGHT * (high - values[moment][seat]) / (high - low), 1) for moment in kept]
        return " ".join(f"{xs[point]:g},{ys[point]:g}" for point in _bends(ys))

    return LineChart([line(seat) for seat in range(len(values[0]))], low, high)


def _bends(ys: Sequence[float]) -> list[int]:
    """Points of a line that is level on both sides of none of them."""
    last = len(ys) - 1
    return [point for point in range(last + 1) if point in (0, last) or not ys[point - 1] == ys[point] == ys[point + 1]]
