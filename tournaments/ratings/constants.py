"""The constants of a ladder that its field decides, once: how far apart bots are, and what a margin is worth.

    prior_sd   the greatest marginal likelihood (Laplace's approximation), where
               prior_sd² = the mean over versions without a forerunner of (R_i - zero)² + var_i
    scale      ratings by margins times it foretell places best: the greatest penalised likelihood of places

Neither may follow the results: a bot could fall by winning. So they are fitted when every bot has played enough, and
stay. Before that the prior is the ladder's own setting, and the scale that of places.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, sqrt, tanh
from operator import mul
from random import Random

from tournaments.ratings.cells import UNIT
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import PRIOR_SDS, SCALES, RatedSet, Version
from tournaments.ratings.likelihood import Slope
from tournaments.ratings.newton import Layout, newton_step, solve
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.problem import problem_of
from tournaments.ratings.scale import WHOLE, Q, natural_unit, precision

ENOUGH = 20  # games of every bot
FEWEST = 8  # bots, of whose distances something can be learnt
LEAST, WIDEST, STEP = 200, PRIOR_SDS[-1], 10  # Elo: of a prior; between the priors that are tried
PROBES, DRAWN = range(4, 65), 2560  # of a trace; signs in all: the more bots, the fewer probes are as exact
ROUNDS = 8  # of fitting the scale to the ratings that follow from it
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Constants:
    """Of a ladder, and of its export."""

    prior_sd: int
    scale: int = WHOLE


def enough_played(games: Mapping[int, int], versions: Mapping[int, Version]) -> bool:
    """Return whether every bot has played enough, its earlier versions included. `games`: of each version."""
    bots: Counter[str] = Counter()
    for key, version in versions.items():
        bots[version.bot] += games.get(key, 0)
    listed = {version.bot for version in versions.values() if version.listed}
    return len(listed) >= FEWEST and min(bots[bot] for bot in listed) >= ENOUGH


def constants_of(
    sets: Sequence[RatedSet], pairs: Pairs, older: Mapping[int, int | None], prior_sd: int, *, keep_prior: bool = False
) -> Constants:
    """Return what fits these sets best; with `keep_prior` the prior stays."""
    tried = pairs.copy()
    tried.scale = _scale(sets, tried, older)
    return Constants(prior_sd if keep_prior else _prior(tried, older), tried.scale)


def _prior(pairs: Pairs, older: Mapping[int, int | None]) -> int:
    """Return the prior, in whole steps: by halving, since the wider it is, the more of the field lies within it."""
    low, high = LEAST // STEP, WIDEST // STEP
    ids = sorted({*older, *pairs.taken})
    positions = {version: position for position, version in enumerate(ids)}
    olders = [None if (old := older.get(version)) is None else positions[old] for version in ids]
    point = [0.0] * len(ids)
    while low < high:
        middle = (low + high) // 2
        between = (middle + 0.5) * STEP
        layout = Layout(problem_of(pairs.taken, ids, olders, between, unit := natural_unit(pairs.scale)))
        point = solve(layout, point)
        low, high = (middle + 1, high) if _spread(layout, point) > (between * unit) ** 2 else (low, middle)
    return low * STEP


def _spread(layout: Layout, point: Sequence[float]) -> float:
    """Return the mean square of where those that the prior holds may be, and what a narrower prior adds to the
    curvature by drawing them in. Both are traces with its inverse: the means of products with signs drawn by lot, the
    same ones always (Hutchinson 1990)."""
    slope, lots = layout.slope(point), Random(0)
    held = [float(prior > 0) for prior in layout.problem.prior]
    drawn = newton_step(layout, replace(slope, uphill=[-t * part for t, part in zip(point, held, strict=True)]))
    bends = _bends(layout, slope, point, drawn)
    parts = [t * t * part for t, part in zip(point, held, strict=True)]
    probes = min(PROBES[-1], max(PROBES[0], DRAWN // max(1, len(point))))
    for _ in range(probes):
        signs = [lots.choice((-1.0, 1.0)) for _ in point]
        solved = newton_step(layout, replace(slope, uphill=signs))
        bent = [
            sign * part + fsum(bend * (sign - signs[j]) for bend, j in zip(row, rivals, strict=True))
            for sign, part, row, rivals in zip(signs, held, bends, layout.problem.rivals, strict=True)
        ]
        parts.append(fsum(map(mul, solved, bent)) / probes)
    return fsum(parts) / max(1.0, fsum(held))


def _bends(layout: Layout, slope: Slope, point: Sequence[float], drawn: Sequence[float]) -> list[list[float]]:
    """Return how fast each pair's curvature grows while the ratings are `drawn` in, beside the rivals of each."""
    return [
        [
            pull * tanh((point[j] - t) / 2) * (own - drawn[j])
            for pull, j in zip(pulls[: len(rivals)], rivals, strict=True)
        ]
        for t, own, pulls, rivals in zip(point, drawn, slope.pulls, layout.problem.rivals, strict=True)
    ]


def _scale(sets: Sequence[RatedSet], pairs: Pairs, older: Mapping[int, int | None]) -> int:
    """Return the scale at which the ratings that follow from it need no other. The prior is as wide as one may be: a
    narrower one would draw ratings in, and the larger the scale the more, so that each made the other larger."""
    if not pairs.margin:
        return WHOLE
    places, tried, fitted = Pairs(sets), pairs.copy(), None
    for _ in range(ROUNDS):
        fitted = fit_ratings(tried, older, prior_sd=WIDEST, start=fitted)
        scale = round(tried.scale * _factor(places, fitted, older))
        scale = min(SCALES[-1], max(SCALES[0], scale))
        if scale == tried.scale:
            break
        tried.scale = scale
    return tried.scale


def _factor(places: Pairs, fitted: Fit, older: Mapping[int, int | None]) -> float:
    """Return by what the ratings are to be multiplied for the greatest penalised likelihood of the places."""
    at = {version: (elo - fitted.zero) * Q for version, elo in fitted.elo.items()}
    met = [
        (at[i] - at[j], credit / UNIT, places.weight(i, j) / UNIT)
        for i, row in places.taken.items()
        for j, credit in row.items()
        if i < j
    ]
    pull = precision(WIDEST) * fsum(t * t for version, t in at.items() if older.get(version) is None)

    def uphill(factor: float) -> float:
        won = [apart * (credit - weight / (1 + exp(-factor * apart))) for apart, credit, weight in met]
        return fsum(won) - factor * pull

    low, high = 0.1, 10.0
    if uphill(low) <= 0:  # no lead by margins foretells a place: where all are level, nothing is learnt
        return 1.0
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        low, high = (middle, high) if uphill(middle) > 0 else (low, middle)
    return sqrt(low * high)
