"""What a margin is worth in ladders of real games: whether the places of other deals are foretold better by it.

The truth of a ladder is the rating by places in all sets of the others: `games` are how many the ratings by margins
need to foretell as well as those by places, of 1, since what is missing falls as games grow.
"""

from collections.abc import Mapping, Sequence
from math import exp, fsum, hypot, inf, log, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from bots.rated_options import rated_margin
from tests.ratings.claims import Row
from tests.ratings.real_ladders import BOTS, real_ladder
from tournaments.ratings.constants import ENOUGH, constants_of
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import PRIOR_SD, PRIOR_SDS, RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import WHOLE, Q

LADDERS, GAMES = 8, 40  # of each game; of each bot
SEATS = 4
MARGINS = {game: rated_margin(game) for game in ("kaiju", "zaibatsu", "shangzhou")}
MARGINS["network"] = 20  # where they are off
Sets = Sequence[RatedSet]


class Figures(NamedTuple):
    """Of one ladder: the share of truths in their intervals, the mean square error less the truth's own, and the
    logarithm of the likelihood of other sets' places that is missing to the truth's."""

    cover: float
    square: float
    missing: float


def figures(fit: Fit, others: Pairs, truth: Fit) -> Figures:
    shift = fmean([truth.elo[bot] - elo for bot, elo in fit.elo.items()])
    off = {bot: elo + shift - truth.elo[bot] for bot, elo in fit.elo.items()}
    inside = [abs(off[bot]) <= CI95 * hypot(fit.sd[bot], truth.sd[bot]) for bot in off]
    square = fmean([off[bot] ** 2 - truth.sd[bot] ** 2 for bot in off])
    return Figures(fmean(inside), square, likely(others, truth.elo) - likely(others, fit.elo))


def likely(pairs: Pairs, elo: Mapping[int, float]) -> float:
    """Return the mean logarithm of the likelihood of what pairs took."""
    taken = [(credit, elo[j] - elo[i]) for i, row in pairs.taken.items() for j, credit in row.items()]
    return -fsum(credit * log(1 + exp(Q * behind)) for credit, behind in taken) / fsum(credit for credit, _ in taken)


def measured(ladders: Sequence[Sets], bots: int, seats: int, margin: int) -> list[tuple[Figures, Figures, Figures]]:
    """Return of each ladder the figures by places, and by margins without and with their scale, each fitted as a site
    does it."""
    found, older = [], dict.fromkeys(range(bots))
    for sets in ladders:
        rest = [one for other in ladders if other is not sets for one in other]
        others = Pairs([RatedSet(number, one.games) for number, one in enumerate(rest)])
        truth = fit_ratings(others, older, prior_sd=PRIOR_SDS[-1])
        early = sets[: -(-ENOUGH * bots // seats**2)]
        of = [constants_of(early, Pairs(early, margin=counted), older, PRIOR_SD) for counted in (0, margin)]
        tried = ((0, WHOLE, of[0].prior_sd), (margin, WHOLE, PRIOR_SD), (margin, of[1].scale, of[1].prior_sd))
        by_places, plain, scaled = (
            figures(fit_ratings(Pairs(sets, margin=counted, scale=scale), older, prior_sd=sd), others, truth)
            for counted, scale, sd in tried
        )
        found.append((by_places, plain, scaled))
    return found


def ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the second sum over the first, and two standard errors of it (jackknife)."""
    first, second = (fsum(column) for column in zip(*pairs, strict=True))
    without = [(second - b) / (first - a) for a, b in pairs]
    return second / first, 2 * stdev(without) * (len(pairs) - 1) / sqrt(len(pairs))


def rows_of(game: str, ladders: Sequence[Sets]) -> list[Row]:
    found = measured(ladders, len(BOTS[game]), SEATS, MARGINS[game])
    places, plain, scaled = (list(column) for column in zip(*found, strict=True))
    games, wide = ratio([(a.missing, b.missing) for a, b in zip(places, scaled, strict=True)])
    name, on = f"{game}, {SEATS} at a table, full at {MARGINS[game]}", rated_margin(game) > 0
    low, high = (0.8, 0.9) if on else (1.0, inf)
    agrees = low - wide <= games <= high + wide
    covers = [fmean(one.cover for one in column) for column in (places, plain, scaled)]
    errors = [sqrt(max(0.0, fmean(one.square for one in column))) for column in (places, plain, scaled)]
    said = [f"{cover:.3f}, {error:.0f}" for cover, error in zip(covers, errors, strict=True)]
    claimed = ".80 to .90" if on else "1, or above"
    return [
        Row(f"{name}: by places, cover and error", "", said[0]),
        Row(f"{game}: by margins without a scale", "", said[1]),
        Row(f"{game}: by margins", ".95", said[2], covers[2] > min(covers[0], 0.95) - 0.03),
        Row(
            f"{game}: games by margins, of 1",
            claimed,
            f"{games:.2f} ±{wide:.2f}",
            games - wide < 0.9 or not on,
            agrees,
            "" if on else "no margins here",
        ),
    ]


def claim(seed: int, ladders: int = LADDERS, games: float = GAMES) -> list[Row]:
    rows = []
    for game in MARGINS:
        played = [real_ladder(game, SEATS, 1000 * seed + number, games).sets for number in range(ladders)]
        rows += rows_of(game, played)
    return rows
