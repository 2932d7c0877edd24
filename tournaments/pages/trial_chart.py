"""A trial's log-likelihood ratio, set by set, between the two bounds: the numbers of an SVG."""

from collections.abc import Sequence
from typing import Final

from bots.sequential_test import Evidence
from tournaments.pages.rating_chart import EDGE, HEIGHT, LEFT, WIDTH, Chart, Mark

MOST_POINTS: Final = 300  # of more sets some are left out of the line
TOP: Final = 22  # room for the words above a bound
FEWEST: Final = 16  # sets that the axis has room for


def curve(evidence: Evidence) -> Chart | None:
    """From nothing, before the first set; None without one."""
    if not evidence.sets:
        return None
    lower, upper = evidence.test.lower, evidence.test.upper
    llrs = [0.0, *evidence.llrs]
    low, high = min(lower, *llrs), max(upper, *llrs)
    drawn = kept(len(llrs))
    points = [(x_of(at, len(llrs) - 1), y_of(llrs[at], low, high)) for at in drawn]
    marks = ((upper, f"{upper:+.2f}"), (0.0, "0"), (lower, f"{lower:+.2f}"))
    return Chart(
        points=" ".join(f"{x},{y}" for x, y in points),
        end=points[-1],
        levels=[Mark(y_of(value, low, high), label) for value, label in marks],
        versions=[],
        summary=summary(evidence),
    )


def kept(count: int) -> Sequence[int]:
    """Which of so many points are drawn: all, or every so many and the last."""
    step = -(-count // MOST_POINTS)
    return sorted({*range(0, count, step), count - 1})


def x_of(at: int, sets: int) -> float:
    return round(LEFT + (WIDTH - LEFT - EDGE) * at / max(sets, FEWEST), 1)


def y_of(llr: float, low: float, high: float) -> float:
    return round(TOP + (HEIGHT - 2 * TOP) * (high - llr) / (high - low), 1)


def summary(evidence: Evidence) -> str:
    """For those who do not see it."""
    least, most = min(evidence.llrs), max(evidence.llrs)
    return (
        f"Log-likelihood ratio after each of {evidence.sets} set{'s' * (evidence.sets > 1)}: now {evidence.llr:+.2f}, "
        f"between {least:+.2f} and {most:+.2f} on the way. Accepted at {evidence.test.upper:+.2f}, "
        f"refused at {evidence.test.lower:+.2f}."
    )
