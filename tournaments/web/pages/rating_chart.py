"""A rating's history as the numbers of an SVG: no style, no script, one line."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext_noop

from tournaments.web.pages.sentences import say

SUMMARY = gettext_noop(
    "Over the last %(sets)d sets from %(first).0f to %(last).0f; at least %(low).0f, at most %(high).0f."
)
WIDTH: Final = 640
HEIGHT: Final = 200
LEFT: Final = 76  # room for the labels, whose letters are larger on a phone
EDGE: Final = 14


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on one axis, and the words beside it."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    points: str
    end: tuple[float, float]
    levels: list[Mark]  # lines across
    versions: list[Mark]  # where another version took over
    summary: str  # for those who do not see it
    size: tuple[int, int] = (WIDTH, HEIGHT)
    left: int = LEFT
    words_end: int = LEFT - 8


def draw_rating_history(steps: Sequence[tuple[int, int]]) -> Chart | None:
    """Draw (version number, milli-Elo) after each set, oldest first; None if there is no line to draw yet."""
    if len(steps) < 2:
        return None
    elo = [milli / 1000 for _, milli in steps]
    low, high = min(elo), max(elo)
    xs = [round(LEFT + (WIDTH - LEFT - EDGE) * at / (len(elo) - 1), 1) for at in range(len(elo))]
    ys = [round(EDGE + (HEIGHT - 2 * EDGE) * (high - value) / ((high - low) or 1), 1) for value in elo]
    taken_over = [at for at, (old, new) in enumerate(pairwise(steps), 1) if old[0] != new[0]]
    return Chart(
        points=" ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True)),
        end=(xs[-1], ys[-1]),
        levels=[Mark(ys[elo.index(level)], f"{level:.0f}") for level in dict.fromkeys((high, low))],
        versions=[Mark(xs[at], f"v{steps[at][0]}") for at in taken_over],
        summary=say(SUMMARY, sets=len(elo), first=elo[0], last=elo[-1], low=low, high=high),
    )
