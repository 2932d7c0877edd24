"""Marks by how likely a version is to beat each bot of a panel: pure, and of its own sets against that bot alone.

The estimate is the share of matches in which it ends ahead, a tie being half; the interval is Wilson's at 95 %, with
the sets counted and not their matches, because the matches of a set share a deal. Nothing that classmates do is in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
LEAST, MOST = 20, 5000  # sets against one bot
EXACT = 1e-9  # shares are sums of thirds and quarters


@dataclass(frozen=True, slots=True)
class Record:
    """Of one version against one bot: `won` is the sum of its shares of each set."""

    won: float = 0.0
    sets: int = 0

    @property
    def estimate(self) -> float | None:
        return self.won / self.sets if self.sets else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval in which the chance lies with 95 %, from 0 to 1."""
        if not self.sets:
            return 0.0, 1.0
        centre, half = _wilson(self.won / self.sets, self.sets)
        return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Rule:
    """So many points for a chance of so many percent against a bot of the panel, which is called by its version."""

    version: int
    percent: int
    points: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A rule, and whether the estimate is as high as it asks; `sure`: so is the whole interval."""

    rule: Rule
    reached: bool
    sure: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """`sure`: the points that stand even if each chance is at the lower end of its interval."""

    points: int
    sure: int
    of: int
    lines: Sequence[Reached]


def mark_of(rules: Iterable[Rule], records: Mapping[int, Record]) -> Mark:
    """Return the mark: each rule that is reached gives its points. `records`: by version of the panel."""
    lines = [_judged(rule, records.get(rule.version, Record())) for rule in rules]
    return Mark(
        points=sum(line.rule.points for line in lines if line.reached),
        sure=sum(line.rule.points for line in lines if line.sure),
        of=sum(line.rule.points for line in lines),
        lines=lines,
    )


def _judged(rule: Rule, record: Record) -> Reached:
    wanted, estimate = rule.percent / 100 - EXACT, record.estimate
    reached = estimate is not None and estimate >= wanted
    return Reached(rule, reached, sure=reached and record.interval[0] >= wanted)


def more_sets(record: Record, under_way: int, within: int) -> int:
    """How many more to deal until the chance is known within so many percent points, should it stay what it is."""
    likely = (record.won + 2) / (record.sets + 4)  # a first win says little yet
    low, high = LEAST, MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _wilson(likely, middle)[1] <= within / 100 else (middle + 1, high)
    return max(0, low - record.sets - under_way)


def _wilson(share: float, sets: int) -> tuple[float, float]:
    """Centre and half of the width."""
    more = Z * Z / sets
    half = Z * sqrt(share * (1 - share) / sets + more / (4 * sets)) / (1 + more)
    return (share + more / 2) / (1 + more), half
