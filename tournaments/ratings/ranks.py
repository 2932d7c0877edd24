"""Between which ranks a version lies, by comparing it with every other: it is surely below whoever is further ahead
than the error of their difference allows.

    from  1 + those who are surely better  to  n - those who are surely worse,
    surely:  apart by more than  z * hypot(sd_i, sd_j)

One version's range holds its rank with 95 % for z = 1.645: each end errs in 5 % of cases, and the true rank is seldom
at an end. All ranges together hold all ranks with 95 % for Tukey's z, the quantile of the studentised range over the
root of 2, which is conservative where errors differ (Hayter, Annals of Statistics 1984).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from math import erf, exp, fsum, hypot, pi, sqrt
from operator import mul, sub
from statistics import NormalDist

from tournaments.ratings.fit import Fit

EACH = NormalDist().inv_cdf(0.95)
ALIKE = 12  # parts into which versions are cut by their errors, so that few need a closer look
FEW = 50  # versions in a part, at the least
GRID, WIDTH = 0.02, 8.0  # of an integral over the normal law
NARROWED = 50  # halvings of an interval
SLACK = 1e-6  # Elo, by which rounding may move a bound


@dataclass(frozen=True, slots=True)
class Rated:
    """One version's rating, and its error."""

    elo: float
    sd: float


@lru_cache(maxsize=1024)
def tukey(versions: int, level: float = 0.95) -> float:
    """For so many ratings with known errors: no difference of two errs by more, in standard errors, with `level`."""
    if versions < 2:
        return 0.0
    steps = [step * GRID - WIDTH for step in range(round(2 * WIDTH / GRID) + 1)]
    density = [GRID * exp(-x * x / 2) / sqrt(2 * pi) for x in steps]
    low, high = 0.0, 2 * WIDTH
    for _ in range(NARROWED):
        width = (low + high) / 2
        inside = [(_below(x) - _below(x - width)) ** (versions - 1) for x in steps]
        held = versions * fsum(each * share for each, share in zip(density, inside, strict=True))
        low, high = (width, high) if held < level else (low, width)
    return high / sqrt(2)


def _below(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def ranges_of(
    ratings: Fit, listed: Sequence[int], z: float, without: Collection[int] = ()
) -> dict[int, tuple[int, int]]:
    """Of each of these versions. Of those with whom it is not comparable none is surely better or worse. Those
    `without` a rank count for nobody: they have the range that they would have beside those that have one."""
    found: dict[int, tuple[int, int]] = {}
    ranked = len(listed) - len(without)
    for group in {ratings.group[version] for version in listed}:
        here = [version for version in listed if ratings.group[version] == group]
        rated = {version: Rated(ratings.elo[version], ratings.sd[version]) for version in here}
        counted = [rated[version] for version in here if version not in without]
        for version, (better, worse) in zip(here, sure(list(rated.values()), z, counted), strict=True):
            found[version] = 1 + better, ranked + (version in without) - worse
    return found


def sure(rated: Sequence[Rated], z: float, among: Sequence[Rated] | None = None) -> list[tuple[int, int]]:
    """For each, how many are surely better, and how many surely worse, of all or `among` some."""
    better, worse = [0] * len(rated), [0] * len(rated)
    others = _Others(rated if among is None else among)
    for alike in _alike(rated) if others.lines else ():
        here = [rated[position] for position in alike]
        distances = others.distances(here[0].sd, z)
        for found, way in (better, 1), (worse, -1):
            for position, count in zip(alike, _Ahead(here, others, z, distances, way).counts(), strict=True):
                found[position] = count
    return list(zip(better, worse, strict=True))


def _alike(rated: Sequence[Rated]) -> list[list[int]]:
    """Positions of those with nearly the same error, in order of it."""
    order = sorted(range(len(rated)), key=lambda position: rated[position].sd)
    size = max(FEW, -(-len(order) // ALIKE))
    return [order[first : first + size] for first in range(0, len(order), size)]


class _Others:
    """Those with whom each is compared."""

    def __init__(self, lines: Sequence[Rated]) -> None:
        self.lines = sorted(lines, key=lambda one: one.elo)
        self.sds = [one.sd for one in self.lines]
        self.elos = {1: [one.elo for one in self.lines], -1: [-one.elo for one in self.lines]}

    def distances(self, sd: float, z: float) -> list[float]:
        """By how much each has to be apart from one with this error."""
        return list(map(mul, repeat(z), map(hypot, repeat(sd), self.sds)))


class _Ahead:
    """Of some with nearly the same error, how many of the others are surely ahead; with `way` -1, behind.

    `bounds`: the rating below which one with the least of their errors has each other surely ahead. An error that is
    larger by d lowers a bound by z d times the slope of hypot, which lies between two known numbers: bounds outside of
    these need no closer look.
    """

    def __init__(self, alike: Sequence[Rated], others: _Others, z: float, distances: Sequence[float], way: int) -> None:
        self.alike, self.z, self.way = alike, z, way
        self.least, most = alike[0].sd, alike[-1].sd
        self.slopes = _slope(self.least, max(others.sds)), _slope(most, min(others.sds))
        bounds = list(map(sub, others.elos[way], distances))
        order = sorted(range(len(bounds)), key=bounds.__getitem__)
        self.bounds = [bounds[place] for place in order]
        self.others = [others.lines[place] for place in order]

    def counts(self) -> list[int]:
        first, last = self._within()
        whole = len(self.bounds)
        return [
            whole - end + self._between(one, begin, end) if begin < end else whole - begin
            for one, begin, end in zip(self.alike, first, last, strict=True)
        ]

    def _within(self) -> tuple[Iterable[int], Iterable[int]]:
        """For each, from where to where a bound needs a closer look."""
        low, high = (
            [self.way * one.elo + self.z * (one.sd - self.least) * slope + slack for one in self.alike]
            for slope, slack in zip(self.slopes, (-SLACK, SLACK), strict=True)
        )
        return map(bisect_right, repeat(self.bounds), low), map(bisect_left, repeat(self.bounds), high)

    def _between(self, one: Rated, first: int, last: int) -> int:
        elo, sd, z, way = one.elo, one.sd, self.z, self.way
        return len([1 for other in self.others[first:last] if way * (other.elo - elo) > z * hypot(sd, other.sd)])


def _slope(error: float, other: float) -> float:
    """By how much the error of a difference grows with one of its two."""
    return error / hypot(error, other) if error else 0.0
