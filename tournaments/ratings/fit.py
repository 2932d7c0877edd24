"""The rating of every version from all sets at once, on Elo's scale: where Elo's own updates add up to zero.

A version that follows another is tied to it by a link of 100 Elo, one without a forerunner to the mean of all by the
prior, whose deviation is a constant of the ladder. Ratings are the maximum of that likelihood and of nothing else: how
much luck is in sets (`dispersion`) changes their errors alone. So nobody falls by winning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import nlargest
from math import erf, fsum, hypot, sqrt

from tournaments.ratings.dispersion import Residuals
from tournaments.ratings.ledger import BEFORE, PRIOR_SD, RULES, BadLedger, check_prior_sd
from tournaments.ratings.newton import SHOWN, Layout, newton_step, solve
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.problem import groups_of, guess, problem_of
from tournaments.ratings.scale import START, Q, natural_unit
from tournaments.ratings.standard_errors import Curvature
from tournaments.ratings.strays import Strays, strays_of

LATEST = 20_000  # sets, by number, on which the dispersion is measured: more would add nothing


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of every version. `group`: versions connected by games or kinship; 0 is the largest group."""

    elo: Mapping[int, float] = field(default_factory=dict)
    sd: Mapping[int, float] = field(default_factory=dict)  # of all errors, in Elo, relative to the others' mean
    group: Mapping[int, int] = field(default_factory=dict)
    phi: float = 1.0
    zero: float = START  # the Elo of the prior's mean
    chance_sd: Mapping[int, float] = field(
        default_factory=dict
    )  # the part of sd that more games cure: without the prior's
    gain: Mapping[int, float] = field(default_factory=dict)  # variance as if games were independent, in natural units
    clash: float = 0.0  # Elo by which pairs stray from the ratings, beyond luck
    prior_sd: float = PRIOR_SD
    strays: Strays = field(default_factory=Strays)  # what pairs took over what was expected, where they met enough
    unit: float = Q  # natural units in one Elo
    rules: int = RULES

    @property
    def lead_sd(self) -> Mapping[int, float]:
        """Return the errors by which it is decided who is ahead: the prior's pull, which draws all ratings in alike,
        makes leads smaller and seldom turns one round."""
        return self.sd if self.rules <= BEFORE else self.chance_sd

    def expects(self, version: int, other: int) -> float:
        """Return the share of games in which `version` is expected ahead of `other`."""
        return 1 / (1 + 10 ** ((self.elo[other] - self.elo[version]) / 400))

    def better(self, version: int, other: int) -> float:
        """Return the probability that `version` is better than `other`."""
        sd = hypot(self.lead_sd[version], self.lead_sd[other])
        return (1 + erf((self.elo[version] - self.elo[other]) / sd / sqrt(2))) / 2

    def comparable(self, version: int, other: int) -> bool:
        return self.group[version] == self.group[other]


def fit_ratings(
    pairs: Pairs,
    forerunners: Mapping[int, int | None] | None = None,
    anchors: Mapping[int, float] | None = None,
    *,
    prior_sd: float = PRIOR_SD,
    start: Fit | None = None,
    rules: int = RULES,
) -> Fit:
    """Return the ratings of all who played and all in `forerunners`. An earlier fit as the start does not change them.

    A shift of all ratings puts the mean of the `anchors` where it belongs; it changes no difference. Raises BadLedger:
    bad_prior_sd, too_far_apart.
    """
    check_prior_sd(prior_sd)
    older = {**dict.fromkeys(pairs.taken), **(forerunners or {})}
    ids = sorted(older)
    positions = {version: position for position, version in enumerate(ids)}
    olders = [None if (old := older[version]) is None else positions[old] for version in ids]
    problem = problem_of(pairs.taken, ids, olders, prior_sd, unit := natural_unit(pairs.scale))
    begin = guess(problem) if start is None else [(start.elo.get(v, start.zero) - start.zero) * unit for v in ids]
    layout = Layout(problem)
    natural = _solved(layout, begin)
    slope = layout.slope(natural)
    curvature = Curvature(problem, slope, groups_of(problem), olders)
    pull = curvature.prior_pull(natural, partial(newton_step, layout, tolerance=SHOWN))
    fitted = _with_errors(pairs, ids, natural, pull, curvature, anchors or {})
    return replace(fitted, prior_sd=prior_sd, rules=rules)


def _solved(layout: Layout, begin: Sequence[float]) -> list[float]:
    try:
        return solve(layout, begin)
    except OverflowError:
        sentence = "The ratings are more than 100,000 Elo apart: nobody can play so many games, all with one end."
        raise BadLedger("too_far_apart", sentence) from None


def _with_errors(
    pairs: Pairs,
    ids: Sequence[int],
    natural: Sequence[float],
    pull: Sequence[float],
    curvature: Curvature,
    anchors: Mapping[int, float],
) -> Fit:
    unit = natural_unit(pairs.scale)
    gains = dict(zip(ids, curvature.variances(), strict=True))
    latest = (pairs.cells[number] for number in nlargest(LATEST, pairs.cells))
    residuals = Residuals(latest, dict(zip(ids, natural, strict=True)), gains)
    clash = residuals.clash(phi := residuals.phi)
    chance = [sqrt(variance) / unit for variance in curvature.variances(phi, clash)]
    pulled = [part / unit for part in pull]
    free = {version: t / unit for version, t in zip(ids, natural, strict=True)}
    zero = _zero(free, anchors)
    return Fit(
        elo={version: zero + elo for version, elo in free.items()},
        sd=dict(zip(ids, map(hypot, chance, pulled), strict=True)),
        group={ids[position]: number for number, group in enumerate(curvature.groups) for position in group},
        phi=phi,
        zero=zero,
        chance_sd=dict(zip(ids, chance, strict=True)),
        gain=gains,
        clash=sqrt(clash) / unit,
        strays=strays_of(residuals.by_pair),
        unit=unit,
    )


def _zero(free: Mapping[int, float], anchors: Mapping[int, float]) -> float:
    """Return the prior's mean with which the anchors stand, on average, where they should."""
    gaps = [elo - free[version] for version, elo in anchors.items() if version in free]
    return fsum(gaps) / len(gaps) if gaps else START
