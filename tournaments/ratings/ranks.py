"""Between which ranks a version lies, by comparing it with every other: it is surely below whoever is further ahead
than the error of their difference allows.

    from  1 + those who are surely better  to  n - those who are surely worse,
    surely:  apart by more than  z * hypot(sd_i, sd_j)

One version's range holds its rank with 95 % for z = 1.645: each end errs in 5 % of cases, and the true rank is seldom
at an end. All ranges together hold all ranks with 95 % for Tukey's z, the quantile of the studentised range over the
root of 2, which is conservative where errors differ (Hayter, Annals of Statistics 1984).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, fsum, hypot, pi, sqrt
from statistics import NormalDist

from tournaments.ratings.fit import Fit

EACH = NormalDist().inv_cdf(0.95)
ALIKE = 6  # parts into which versions are cut by their errors, so that few need a closer look
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
    parts = _parts(rated if among is None else among)
    return [(sum(part.better(one, z) for part in parts), sum(part.worse(one, z) for part in parts)) for one in rated]


@dataclass(frozen=True, slots=True)
class _Part:
    """Some with nearly the same error, in order of rating."""

    elos: Sequence[float]
    sds: Sequence[float]
    least: float  # of the errors
    most: float

    def better(self, one: Rated, z: float) -> int:
        """Beyond the largest error all are; between the two each is looked at."""
        first = bisect_right(self.elos, one.elo + z * hypot(one.sd, self.least) - SLACK)
        last = bisect_left(self.elos, one.elo + z * hypot(one.sd, self.most) + SLACK)
        near = zip(self.elos[first:last], self.sds[first:last], strict=True)
        return len(self.elos) - max(first, last) + sum(elo - one.elo > z * hypot(one.sd, sd) for elo, sd in near)

    def worse(self, one: Rated, z: float) -> int:
        first = bisect_right(self.elos, one.elo - z * hypot(one.sd, self.most) - SLACK)
        last = bisect_left(self.elos, one.elo - z * hypot(one.sd, self.least) + SLACK)
        near = zip(self.elos[first:last], self.sds[first:last], strict=True)
        return first + sum(one.elo - elo > z * hypot(one.sd, sd) for elo, sd in near)


def _parts(rated: Sequence[Rated]) -> list[_Part]:
    order = sorted(rated, key=lambda one: one.sd)
    size = max(1, -(-len(order) // ALIKE))
    return [_part(order[first : first + size]) for first in range(0, len(order), size)]


def _part(alike: Sequence[Rated]) -> _Part:
    lines = sorted(alike, key=lambda one: one.elo)
    return _Part([one.elo for one in lines], [one.sd for one in lines], alike[0].sd, alike[-1].sd)
