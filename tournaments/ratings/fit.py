"""The rating of every version from all sets at once, on Elo's scale: where Elo's own updates add up to zero.

A version that follows another is tied to it by a link of 100 Elo, one without a forerunner to the mean of all by a
prior of 350. The dispersion phi measures luck in sets: the variance of what a version takes in a set, relative to that
of independent games (McCullagh and Nelder, Generalized Linear Models, 9.2). The same deal from every seat makes it
less than 1.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from math import erf, exp, fsum, hypot, log, sqrt

from tournaments.ratings.newton import SMALL, Problem, slope, solve
from tournaments.ratings.pairs import UNIT, Cell, Pairs, weight_of
from tournaments.ratings.standard_errors import variances

Q = log(10) / 400  # natural units in one Elo: 400 Elo are odds of 10 to 1
START = 1500.0  # Elo of the mean, where nothing anchors it
PRIOR_SD, LINK_SD = 350.0, 100.0  # Elo
LATEST = 20_000  # sets, by number, on which the dispersion is measured: more would add nothing
INDEPENDENT = 20  # cells of independent games that are mixed into the dispersion, which matter while there are few


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of every version. `group`: versions connected by games or kinship; 0 is the largest group."""

    elo: Mapping[int, float] = field(default_factory=dict)
    sd: Mapping[int, float] = field(default_factory=dict)
    group: Mapping[int, int] = field(default_factory=dict)
    phi: float = 1.0
    zero: float = START  # the Elo of the prior's mean

    def expects(self, one: int, other: int) -> float:
        """The share of games in which `one` is expected ahead of `other`."""
        return 1 / (1 + 10 ** ((self.elo[other] - self.elo[one]) / 400))

    def better(self, one: int, other: int) -> float:
        """The probability that `one` is better than `other`."""
        sd = hypot(self.sd[one], self.sd[other])
        return (1 + erf((self.elo[one] - self.elo[other]) / sd / sqrt(2))) / 2

    def comparable(self, one: int, other: int) -> bool:
        return self.group[one] == self.group[other]


def fit(
    pairs: Pairs,
    forerunners: Mapping[int, int | None] | None = None,
    anchors: Mapping[int, float] | None = None,
    *,
    start: Fit | None = None,
) -> Fit:
    """The ratings of all who played and all in `forerunners`. An earlier fit as the start does not change them.

    A shift of all ratings puts the mean of the `anchors` where it belongs; it changes no difference.
    """
    older = {**dict.fromkeys(pairs.taken), **(forerunners or {})}
    ids = sorted(older)
    at = {version: position for position, version in enumerate(ids)}
    olders = [None if (old := older[version]) is None else at[old] for version in ids]
    plain = _problem(pairs, ids, at, olders)
    begin = _guess(plain) if start is None else [(start.elo.get(v, start.zero) - start.zero) * Q for v in ids]
    independent = solve(plain, begin, small=10 * SMALL)
    latest = (pairs.cells[number] for number in nlargest(LATEST, pairs.cells))
    phi = dispersion(latest, dict(zip(ids, independent, strict=True)))
    problem = replace(plain, prior=[phi * prior for prior in plain.prior], link=phi * plain.link)
    natural = solve(problem, independent)
    groups = _groups(problem)
    spread = variances(problem, slope(problem, natural), groups, olders)

    zero = _zero({version: natural[at[version]] / Q for version in anchors or {} if version in at}, anchors or {})
    return Fit(
        {version: zero + t / Q for version, t in zip(ids, natural, strict=True)},
        {version: sqrt(phi * variance) / Q for version, variance in zip(ids, spread, strict=True)},
        {ids[position]: number for number, group in enumerate(groups) for position in group},
        phi,
        zero,
    )


def _problem(pairs: Pairs, ids: Sequence[int], at: Mapping[int, int], olders: Sequence[int | None]) -> Problem:
    """As if games were independent. Where they are not, games count 1 / phi; here phi multiplies the rest instead."""
    taken = [pairs.taken.get(version, {}) for version in ids]
    kin: list[list[int]] = [[] for _ in ids]
    for position, old in enumerate(olders):
        if old is not None:
            kin[position].append(old)
            kin[old].append(position)
    return Problem(
        rivals=[array("l", map(at.__getitem__, mine)) for mine in taken],
        weights=[_weights(pairs, one, mine) for one, mine in zip(ids, taken, strict=True)],
        taken=[sum(mine.values()) / UNIT for mine in taken],
        prior=[(PRIOR_SD * Q) ** -2 if old is None else 0.0 for old in olders],
        kin=kin,
        link=(LINK_SD * Q) ** -2,
    )


def _weights(pairs: Pairs, one: int, mine: Mapping[int, int]) -> Sequence[float]:
    return array("d", [(credit + pairs.taken[other][one]) / UNIT for other, credit in mine.items()])


def _guess(problem: Problem) -> list[float]:
    """A start that is near enough: the odds at which each won, as if all its rivals were equal."""
    played = [fsum(weights) for weights in problem.weights]
    return [log((1 + won) / (1 + all_of_it - won)) for won, all_of_it in zip(problem.taken, played, strict=True)]


def dispersion(cells: Iterable[Cell], natural: Mapping[int, float]) -> float:
    """Pearson's statistic over its degrees of freedom, mixed with what independent games would give."""
    odds = {version: exp(t) for version, t in natural.items()}
    surprises, expected, played = array("d"), array("d"), set[int]()
    for cell in cells:
        table = [odds[version] for version in cell.versions]
        weight = cell.games * weight_of(len(table)) / UNIT
        for mine, taken in zip(table, cell.taken, strict=True):
            shares = [mine / (mine + other) for other in table]  # half of itself among them
            surprises.append((taken / UNIT - weight * (fsum(shares) - 0.5)) ** 2)
            expected.append(weight * (fsum([share * (1 - share) for share in shares]) - 0.25))
        played.update(cell.versions)
    number = len(surprises)
    ratio = number * fsum(surprises) / fsum(expected) if number else 0.0
    return (ratio + INDEPENDENT) / (number - len(played) + INDEPENDENT)


def _groups(problem: Problem) -> list[list[int]]:
    """Positions connected by games or kinship, the largest group first."""
    left = set(range(len(problem.rivals)))
    groups = []
    while left:
        group, fresh = [], [left.pop()]
        while fresh:
            group.append(one := fresh.pop())
            near = left & {*problem.rivals[one], *problem.kin[one]}
            left -= near
            fresh += near
        groups.append(sorted(group))
    return sorted(groups, key=lambda group: (-len(group), group))


def _zero(deviations: Mapping[int, float], anchors: Mapping[int, float]) -> float:
    """Where the prior's mean stands if the anchors stand, on the average, where they should."""
    if not deviations:
        return START
    return fsum(anchors[version] - deviation for version, deviation in deviations.items()) / len(deviations)
