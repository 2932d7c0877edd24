"""Whether errors are what they say, by seeded worlds in which the truth is known."""

from itertools import combinations
from math import exp, fsum, hypot, log, sqrt
from random import Random
from statistics import fmean

import numpy as np
import pytest
import scipy

from tests import thorough
from tests.tournaments.ratings.ladders import BASE, CLASHING, CLASHING_BY_LOT, KINDS, Kind, Ladder, held
from tests.tournaments.ratings.ledgers import duel
from tests.tournaments.ratings.world import played
from tournaments.ratings.cells import UNIT
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import PRIOR_SD, RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q

WORLDS, BOTS = 24, 30


def world(seed: int, seats: int, deal: float, sets: int) -> tuple[dict[int, float], Fit]:
    """The truth, shifted to the mean of its ratings, and what was computed from the matches."""
    draw = Random(f"{seed} {seats} {deal}")
    elos = {bot: draw.gauss(1500, 200) for bot in range(BOTS)}
    ratings = fit_ratings(Pairs(played(elos, sets, seats, draw, deal=deal)), dict.fromkeys(elos))
    shift = fmean(ratings.elo[bot] for bot in elos) - fmean(elos.values())
    return {bot: elo + shift for bot, elo in elos.items()}, ratings


def share_held(worlds: int, seats: int, deal: float, sets: int) -> float:
    """The share of truths in their 95 % intervals."""
    held = []
    for seed in range(worlds):
        truth, ratings = world(seed, seats, deal, sets)
        held += [abs(ratings.elo[bot] - truth[bot]) <= CI95 * ratings.sd[bot] for bot in truth]
    return fmean(held)


@pytest.mark.parametrize(("seats", "deal", "sets"), [(2, 0.0, 300), (4, 0.5, 150), (8, 0.8, 60)])
def test_a_95_percent_interval_holds_93_to_97_percent_of_the_truths(seats: int, deal: float, sets: int) -> None:
    assert 0.93 <= share_held(WORLDS, seats, deal, sets) <= 0.97


PAIRED = [kind for kind in KINDS if kind.clash == 0 and not kind.strict] + [CLASHING_BY_LOT]


@pytest.mark.parametrize("kind", PAIRED[:: thorough.budget(3, full=1)], ids=lambda kind: kind.name)
def test_intervals_hold_in_ladders_of_every_kind_from_the_20th_game_on(kind: Kind) -> None:
    """Paired as ladders are. Few ladders stray from 95 % by more than many do."""
    ladders, most_off = thorough.budget(2, full=30), thorough.budget(8, full=3)
    shares: dict[int, list[float]] = {20: [], 40: []}
    for seed in range(ladders):
        due = list(shares)
        for ladder in Ladder(kind, seed).play(due[-1]):
            if ladder.games >= due[0]:
                half = {bot: CI95 * sd for bot, sd in ladder.ratings.sd.items()}
                shares[due.pop(0)] += held(ladder, ladder.ratings.elo, half)
    for games, holding in shares.items():
        assert 95 - most_off <= 100 * fmean(holding) <= 95 + most_off, games


def test_where_styles_clash_waves_are_biased_and_say_that_pairs_stray() -> None:
    """Ratings that are near meet, so the ladder's own limit is not that of tables by lot: errors cannot mend it."""
    *_, by_wave = Ladder(CLASHING, 1).play(80)
    *_, plain = Ladder(BASE, 1).play(80)
    assert by_wave.ratings.clash > 30
    assert plain.ratings.clash < 20


def test_the_probability_of_being_better_is_how_often_it_is_so() -> None:
    stated, so = [], []
    for seed in range(WORLDS):
        truth, ratings = world(seed, 4, 0.5, 60)
        order = sorted(truth, key=lambda bot: -ratings.elo[bot])
        for upper, lower in zip(order, order[4:], strict=False):
            stated.append(ratings.better(upper, lower))
            so.append(truth[upper] > truth[lower])
    assert fmean(stated) == pytest.approx(fmean(so), abs=0.03)


# The first four brands of Davidson's pudding (JASA 1970, table 2): preferred, not preferred, no preference.
PUDDINGS = {
    (1, 2): (19, 22, 16),
    (1, 3): (16, 19, 12),
    (2, 3): (19, 19, 10),
    (1, 4): (18, 23, 13),
    (2, 4): (23, 19, 9),
    (3, 4): (19, 20, 15),
}


def test_half_a_point_for_a_tie_gives_the_ratings_of_davidsons_model() -> None:
    """The model knows of a brand no more than wins plus half the ties; its other parameter is the rate of ties."""
    results = [
        duel(0, *pair, tied=tied)
        for (i, j), times in PUDDINGS.items()
        for pair, tied, count in zip(((i, j), (j, i), (i, j)), (False, False, True), times, strict=True)
        for _ in range(count)
    ]
    pairs = Pairs([RatedSet(number, rated.games) for number, rated in enumerate(results)])
    pairs.cells.clear()
    ratings = fit_ratings(pairs)
    davidson, ties = davidsons_fit()
    assert sorted(davidson, key=davidson.__getitem__) == sorted(ratings.elo, key=ratings.elo.__getitem__)
    flatter = 2 / (2 + ties)  # a lead shows less in a score of which ties take a share
    assert all(ratings.elo[brand] - 1500 == pytest.approx(flatter * elo, abs=0.5) for brand, elo in davidson.items())


def davidsons_fit() -> tuple[dict[int, float], float]:
    """The maximum of his likelihood, in Elo about the mean, and his parameter of ties."""

    def unlikely(point: np.ndarray[tuple[int], np.dtype[np.float64]], /) -> float:
        *worth, ties = map(exp, point.tolist())
        out = 0.0
        for (i, j), (won, lost, tied) in PUDDINGS.items():
            first, second = worth[i - 1], worth[j - 1]
            level = ties * sqrt(first * second)
            for times, part in ((won, first), (lost, second), (tied, level)):
                out -= times * log(part / (first + second + level))
        return out + fsum(point.tolist()[:-1]) ** 2

    solution = scipy.optimize.minimize(unlikely, [0.0] * 5, tol=1e-9).x
    return {brand: float(solution[brand - 1]) / Q for brand in (1, 2, 3, 4)}, exp(solution[4])


@pytest.mark.parametrize(("bots", "seats", "sets"), [(2, 2, 20), (4, 2, 30), (6, 4, 20), (30, 4, 100)])
def test_two_errors_together_are_the_error_of_the_difference(bots: int, seats: int, sets: int) -> None:
    """The errors stand beside the exact inverse of the curvature."""
    draw = Random(bots)
    pairs = Pairs(played({bot: 1500 + 40 * (bot % 5) for bot in range(bots)}, sets, seats, draw))
    ratings = fit_ratings(pairs)
    curvature = np.diag([ratings.phi / (PRIOR_SD * Q) ** 2] * bots)
    for i, j in combinations(range(bots), 2):
        if j in pairs.taken[i]:
            share = ratings.expects(i, j)
            pull = pairs.weight(i, j) / UNIT * share * (1 - share)
            curvature[[i, j], [i, j]] += pull
            curvature[[i, j], [j, i]] -= pull
    exact = ratings.phi * np.linalg.inv(curvature) / Q**2
    ratios = [
        hypot(ratings.sd[i], ratings.sd[j]) / sqrt(exact[i, i] + exact[j, j] - 2 * exact[i, j])
        for i, j in combinations(range(bots), 2)
    ]
    assert fmean(ratios) == pytest.approx(1, abs=0.02)
    assert all(0.8 < ratio < 1.2 for ratio in ratios)
