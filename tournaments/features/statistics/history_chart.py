"""Several ratings' histories as the numbers of one SVG: each line has its own dashes and its name at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_noop, ngettext

from tournaments.features.statistics.rating_history import RatingPoint
from tournaments.web.pages.rating_chart import Mark
from tournaments.web.pages.sentences import say

SUMMARY: Final = gettext_noop("%(sets)s, from %(first).0f to %(last).0f; lowest %(least).0f, highest %(most).0f")
WIDTH: Final = 800
HEIGHT: Final = 360
LEFT: Final = 52  # room for the levels
RIGHT: Final = 150  # room for the names
EDGE: Final = 16
LETTER: Final = 16  # the least from one name to the next, so that none covers another
SHORT: Final = 17  # letters of a name


@dataclass(frozen=True, slots=True)
class Line:
    number: int  # its class in the style sheet
    name: str
    label: str  # as much of the name as there is room for
    points: str
    end: tuple[float, float]
    label_at: float
    summary: str


@dataclass(frozen=True, slots=True)
class Lines:
    lines: list[Line]
    levels: list[Mark]
    sets: tuple[int, int]
    size: tuple[int, int] = (WIDTH, HEIGHT)
    left: int = LEFT
    right: int = WIDTH - RIGHT
    words_end: int = LEFT - 8
    names_at: int = WIDTH - RIGHT + 10


def draw_histories(histories: Mapping[str, Sequence[RatingPoint]]) -> Lines | None:
    """Return lines from left to right by the number of the set, or None if nobody has played."""
    played = {name: steps for name, steps in histories.items() if steps}
    if not played:
        return None
    points = [step for steps in played.values() for step in steps]
    numbers, elos = [step.set for step in points], [step.elo for step in points]
    scale = _Scale(min(numbers), max(numbers), min(elos), max(elos))
    ends = _spread({name: scale.y(steps[-1].elo) for name, steps in played.items()})
    lines = [_line(number, name, steps, scale, ends[name]) for number, (name, steps) in enumerate(played.items())]
    levels = [Mark(scale.y(elo), f"{elo:.0f}") for elo in dict.fromkeys((scale.high, scale.low))]
    return Lines(lines, levels, (scale.first, scale.last))


@dataclass(frozen=True, slots=True)
class _Scale:
    first: int
    last: int
    low: float
    high: float

    def x(self, number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - self.first) / ((self.last - self.first) or 1), 1)

    def y(self, elo: float) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (self.high - elo) / ((self.high - self.low) or 1), 1)


def _line(number: int, name: str, steps: Sequence[RatingPoint], scale: _Scale, label_at: float) -> Line:
    points = [(scale.x(step.set), scale.y(step.elo)) for step in steps]
    elos = [step.elo for step in steps]
    elo = {"first": elos[0], "last": elos[-1], "least": min(elos), "most": max(elos)}
    sets = ngettext("%(sets)s set", "%(sets)s sets", len(steps)) % {"sets": len(steps)}
    summary = say(SUMMARY, sets=sets, **elo)
    label = name if len(name) <= SHORT else f"{name[: SHORT - 1]}…"
    return Line(number, name, label, " ".join(f"{x},{y}" for x, y in points), points[-1], label_at, summary)


def _spread(heights: Mapping[str, float]) -> dict[str, float]:
    """Return the nearest heights at which no name touches the next."""
    placed: dict[str, float] = {}
    lowest = float("-inf")
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        placed[name] = lowest = max(height, lowest + LETTER)
    over = max(0.0, lowest - (HEIGHT - EDGE))
    return {name: round(height - over, 1) for name, height in placed.items()}
