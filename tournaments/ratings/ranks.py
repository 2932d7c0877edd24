"""Between which ranks a version lies, by comparing it with every other: it is surely below whoever is further ahead
than the error of their difference allows.

    from  1 + those who are surely better  to  n - those who are surely worse,
    surely:  apart by more than  z * hypot(sd_i, sd_j),  without the prior's pull

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
    """Return by how many standard errors no difference of two of so many ratings errs, with probability `level`."""
    if versions < 2:
        return 0.0
    steps = [step * GRID - WIDTH for step in range(round(2 * WIDTH / GRID) + 1)]
    density = [GRID * exp(-x * x / 2) / sqrt(2 * pi) for x in steps]
    low, high = 0.0, 2 * WIDTH
    for _ in range(NARROWED):
        width = (low + high) / 2
        inside = [(_below(x) - _below(x - width)) ** (versions - 1) for x in steps]
        held = versions * fsum(height * share for height, share in zip(density, inside, strict=True))
        low, high = (width, high) if held < level else (low, width)
    return high / sqrt(2)


def _below(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def ranges_of(
    ratings: Fit, listed: Sequence[int], z: float, without: Collection[int] = ()
) -> dict[int, tuple[int, int]]:
    """Return the range of ranks of each of these versions.

    Of those with whom it is not comparable none is surely better or worse. Those `without` a rank count for nobody:
    they have the range that they would have beside those that have one.
    """
    ranges: dict[int, tuple[int, int]] = {}
    ranked, lead_sd = len(listed) - len(without), ratings.lead_sd
    for group in {ratings.group[version] for version in listed}:
        members = [version for version in listed if ratings.group[version] == group]
        rated = {version: Rated(ratings.elo[version], lead_sd[version]) for version in members}
        counted = [rated[version] for version in members if version not in without]
        for version, (better, worse) in zip(members, sure(list(rated.values()), z, counted), strict=True):
            ranges[version] = 1 + better, ranked + (version in without) - worse
    return ranges


def sure(rated: Sequence[Rated], z: float, among: Sequence[Rated] | None = None) -> list[tuple[int, int]]:
    """Return, for each, how many are surely better, and how many surely worse, of all or `among` some."""
    better, worse = [0] * len(rated), [0] * len(rated)
    rivals = _Others(rated if among is None else among)
    for positions in _alike(rated) if rivals.lines else ():
        members = [rated[position] for position in positions]
        distances = rivals.distances(members[0].sd, z)
        for counts, sign in (better, 1), (worse, -1):
            for position, count in zip(positions, _Ahead(members, rivals, z, distances, sign).counts(), strict=True):
                counts[position] = count
    return list(zip(better, worse, strict=True))


def _alike(rated: Sequence[Rated]) -> list[list[int]]:
    """Positions of those with nearly the same error, in order of it."""
    order = sorted(range(len(rated)), key=lambda position: rated[position].sd)
    size = max(FEW, -(-len(order) // ALIKE))
    return [order[first : first + size] for first in range(0, len(order), size)]


class _Others:
    """Those with whom each is compared."""

    def __init__(self, lines: Sequence[Rated]) -> None:
        self.lines = sorted(lines, key=lambda line: line.elo)
        self.sds = [line.sd for line in self.lines]
        self.elos = {1: [line.elo for line in self.lines], -1: [-line.elo for line in self.lines]}

    def distances(self, sd: float, z: float) -> list[float]:
        """Return by how much each has to be apart from a rating with this error."""
        return list(map(mul, repeat(z), map(hypot, repeat(sd), self.sds)))


class _Ahead:
    """Of some with nearly the same error, how many of the others are surely ahead; with `way` -1, behind.

    `bounds`: the rating below which one with the least of their errors has each other surely ahead. An error that is
    larger by d lowers a bound by z d times the slope of hypot, which lies between two known numbers: bounds outside of
    these need no closer look.
    """

    def __init__(
        self, members: Sequence[Rated], rivals: _Others, z: float, distances: Sequence[float], sign: int
    ) -> None:
        self.alike, self.z, self.way = members, z, sign
        self.least, most = members[0].sd, members[-1].sd
        self.slopes = _slope(self.least, max(rivals.sds)), _slope(most, min(rivals.sds))
        bounds = list(map(sub, rivals.elos[sign], distances))
        order = sorted(range(len(bounds)), key=bounds.__getitem__)
        self.bounds = [bounds[place] for place in order]
        self.others = [rivals.lines[place] for place in order]

    def counts(self) -> list[int]:
        first, last = self._within()
        total = len(self.bounds)
        return [
            total - end + self._between(member, begin, end) if begin < end else total - begin
            for member, begin, end in zip(self.alike, first, last, strict=True)
        ]

    def _within(self) -> tuple[Iterable[int], Iterable[int]]:
        """Return, for each, from where to where a bound needs a closer look."""
        low, high = (
            [self.way * member.elo + self.z * (member.sd - self.least) * slope + slack for member in self.alike]
            for slope, slack in zip(self.slopes, (-SLACK, SLACK), strict=True)
        )
        return map(bisect_right, repeat(self.bounds), low), map(bisect_left, repeat(self.bounds), high)

    def _between(self, member: Rated, first: int, last: int) -> int:
        elo, sd, z, sign = member.elo, member.sd, self.z, self.way
        return len([1 for rival in self.others[first:last] if sign * (rival.elo - elo) > z * hypot(sd, rival.sd)])


def _slope(error: float, other: float) -> float:
    """Return by how much the error of a difference grows with one of its two."""
    return error / hypot(error, other) if error else 0.0
