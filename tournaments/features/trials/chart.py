"""A trial's log-likelihood ratio, set by set, between the two bounds: the numbers of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import ngettext

from bots.sequential_test import Evidence
from bots.viewer.language import decimal
from tournaments.web.pages.rating_chart import Mark
from tournaments.web.pages.sentences import say

WIDTH: Final = 480
HEIGHT: Final = 220
LEFT: Final = 66  # room for the labels, whose letters are larger on a phone
EDGE: Final = 14
MOST_POINTS: Final = 300  # of more sets some are left out of the line
TOP: Final = 24  # room for the words beside a bound
FEWEST: Final = 16  # sets that the axis has room for


@dataclass(frozen=True, slots=True)
class Bound:
    at: float
    words_at: float
    words: str
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    points: str
    end: tuple[float, float]
    bounds: list[Bound]
    nothing: Mark  # where the sets speak for neither
    sets: str  # at the end of the axis
    summary: str  # for those who do not see it
    size: tuple[int, int] = (WIDTH, HEIGHT)
    left: int = LEFT
    words_end: int = LEFT - 8


def curve(evidence: Evidence) -> Curve | None:
    """Return the curve from nothing, before the first set; None without a set."""
    if not evidence.sets:
        return None
    lower, upper = evidence.test.lower, evidence.test.upper
    llrs = [0.0, *evidence.llrs]
    low, high = min(lower, *llrs), max(upper, *llrs)
    numbers = points_to_draw(len(llrs))
    points = [(x_of(number, len(llrs) - 1), y_of(llrs[number], low, high)) for number in numbers]
    up, down = y_of(upper, low, high), y_of(lower, low, high)
    return Curve(
        points=" ".join(f"{x},{y}" for x, y in points),
        end=points[-1],
        bounds=[
            Bound(up, up - 7, say("accepted"), signed(upper)),
            Bound(down, down + 16, say("refused"), signed(lower)),
        ],
        nothing=Mark(y_of(0.0, low, high), "0"),
        sets=sets_counted(max(evidence.sets, FEWEST)),
        summary=curve_in_words(evidence),
    )


def sets_counted(sets: int) -> str:
    return ngettext("%(sets)s set", "%(sets)s sets", sets) % {"sets": sets}


def points_to_draw(count: int) -> Sequence[int]:
    """Return which of so many points are drawn: all, or every so many and the last."""
    step = -(-count // MOST_POINTS)
    return sorted({*range(0, count, step), count - 1})


def x_of(number: int, sets: int) -> float:
    return round(LEFT + (WIDTH - LEFT - EDGE) * number / max(sets, FEWEST), 1)


def y_of(llr: float, low: float, high: float) -> float:
    return round(TOP + (HEIGHT - 2 * TOP) * (high - llr) / (high - low), 1)


def signed(ratio: float) -> str:
    return decimal(f"{ratio:+.2f}")


def curve_in_words(evidence: Evidence) -> str:
    """Return the curve in words, for those who do not see it."""
    least, most = min(evidence.llrs), max(evidence.llrs)
    return say(
        "Log-likelihood ratio after each of %(sets)s: now %(now)s, between %(least)s and %(most)s on the way. "
        "Accepted at %(upper)s, refused at %(lower)s.",
        sets=sets_counted(evidence.sets),
        now=signed(evidence.llr),
        least=signed(least),
        most=signed(most),
        upper=signed(evidence.test.upper),
        lower=signed(evidence.test.lower),
    )
