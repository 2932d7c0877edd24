"""When a border is decided: beside SciPy's normal law and the exact covariance of the ratings."""

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from engine.dice import Dice
from tests.tournaments.features.final_runs.errors import cell, wrong_of
from tests.tournaments.ratings.ladders import Kind
from tests.tournaments.ratings.world import played
from tournaments.features.final_runs.border_decisions import MOST, Line, Pair, border_of
from tournaments.features.final_runs.tables import choose_new_table, choose_table
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.ratings.cells import UNIT
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q
from tournaments.ratings.surely_ahead import lead_needed


@pytest.mark.parametrize("seed", range(20))
def test_a_border_is_decided_when_every_pair_across_it_is_told_apart(seed: int) -> None:
    draw = Random(seed)
    lines = sorted((Line(draw.gauss(0, 150), draw.choice((5, 30, 120))) for _ in range(12)), key=lambda line: -line.elo)
    after = draw.randrange(1, 12)
    pairs = {
        (above + 1, below + 1): (
            lines[above].elo - lines[below].elo,
            float(np.hypot(lines[above].sd, lines[below].sd)),
        )
        for above, below in product(range(after), range(after, 12))
    }
    reached = {pair: lead / lead_needed(error) for pair, (lead, error) in pairs.items()}
    border = border_of(lines, after)
    assert {(pair.above, pair.below) for pair in border.unsure} == {pair for pair, part in reached.items() if part < 1}
    assert border.least is not None
    assert border.least.reached == pytest.approx(min(reached.values()))
    least = border.least.above, border.least.below
    assert reached[least] == pytest.approx(min(reached.values()))
    assert border.least.likely == pytest.approx(norm.sf(0, *pairs[least]))


def test_who_is_connected_by_no_games_is_told_apart_from_nobody() -> None:
    lines = [Line(2000, 10), Line(1900, 10, comparable=False), Line(1000, 10)]
    assert border_of(lines, 1).unsure == [Pair(1, 2, None)]
    assert border_of(lines, 2).unsure == [Pair(2, 3, None)]
    assert border_of(lines, 3).decided  # nobody is below


def test_of_a_large_field_the_pairs_next_to_the_border_are_looked_at() -> None:
    """A look takes as many as count, and no longer than it must, however many bots there are."""
    lines = [Line(2000 - place / 10, 50) for place in range(4000)]
    border = border_of(lines, 2000)
    assert len(border.unsure) == MOST
    assert {pair.above for pair in border.unsure} <= set(range(1900, 2001))
    assert not border_of([Line(9000, 1), *lines[1:]], 1).unsure


def test_the_probability_across_a_border_is_that_of_the_exact_covariance() -> None:
    """The table never says that it is surer; nor where a pair met more often than others, as in a final run."""
    elos = {bot: 1500 - 40.0 * bot for bot in range(8)}
    direct = [replace(rated, number=rated.number + 300) for rated in played({2: 1420.0, 3: 1380.0}, 60, 2, Random(2))]
    pairs = Pairs([*played(elos, 300, 4, Random(1)), *direct])
    ratings = fit_ratings(pairs)
    exact = exact_covariance(pairs, ratings)
    for bot, other in ((2, 3), (1, 2), (3, 4), (0, 7)):
        sd = np.sqrt(exact[bot, bot] + exact[other, other] - 2 * exact[bot, other])
        sure = norm.cdf(abs(ratings.elo[bot] - ratings.elo[other]) / sd)
        shown = max(ratings.better(bot, other), ratings.better(other, bot))
        assert sure - 0.05 <= shown <= sure + 0.01


def exact_covariance(pairs: Pairs, ratings: Fit) -> Any:
    """The inverse of the curvature, by NumPy."""
    curvature = np.eye(len(ratings.elo)) / (Q * ratings.prior_sd) ** 2
    for i, j in permutations(ratings.elo, 2):
        expected = ratings.expects(i, j)
        pull = (pairs.taken[i].get(j, 0) + pairs.taken[j].get(i, 0)) / UNIT * expected * (1 - expected) / ratings.phi
        curvature[i, i] += pull
        curvature[i, j] -= pull
    return np.linalg.inv(curvature) / Q**2


def candidate(version: int, elo: float, owner: int = 0) -> Candidate:
    return Candidate(version, owner or version, elo, 30.0, 10, 0.0)


CROWD = [candidate(version, 2000.0 - 50 * version) for version in range(1, 13)]


@pytest.mark.parametrize(("seats", "seated"), [(2, {6, 7}), (3, {5, 6, 7}), (5, {4, 5, 6, 7, 8})])
def test_a_pair_that_is_not_told_apart_sits_together_and_the_nearest_fill_the_table(
    seats: int, seated: set[int]
) -> None:
    assert set(choose_table(CROWD, [(6, 7)], seats, Dice.of("a"), most=1)) == seated


def test_every_open_pair_gets_its_turn_and_nobody_else_where_two_sit_at_a_table() -> None:
    open_pairs = [(3, 4), (3, 5), (10, 11)]
    seen = {tuple(sorted(choose_table(CROWD, open_pairs, 2, Dice.of(f"{lot}"), most=1))) for lot in range(40)}
    assert seen == set(open_pairs)


def test_owners_are_kept_apart_and_a_table_that_cannot_be_filled_is_none() -> None:
    crowd = [candidate(1, 1600, 7), candidate(2, 1590, 7), candidate(3, 1500, 8), candidate(4, 1400, 8)]
    tables = {tuple(choose_table(crowd, [(1, 2)], 2, Dice.of(f"{lot}"), most=1)) for lot in range(20)}
    assert tables == {(1, 3), (2, 3)}  # the two meet the same third
    assert len(choose_table(crowd, [(1, 2)], 4, Dice.of("a"), most=2)) == 4
    assert choose_table(crowd, [(1, 2)], 3, Dice.of("a"), most=1) == []


def test_a_share_of_the_tables_is_drawn_by_lot_as_the_ladder_says() -> None:
    tables = [choose_table(CROWD, [(6, 7)], 2, Dice.of(f"{lot}"), most=1, by_lot=100) for lot in range(60)]
    assert {first for first, _ in tables} == {6, 7}
    assert {other for _, other in tables} == set(range(1, 13))


def test_a_run_decides_more_than_as_many_sets_that_are_spread_and_seldom_errs() -> None:
    """A small part of what `errors` prints."""
    run, _, spread = cell(Kind("four at a table", sd=400.0), 3, 200)
    decided = [sum(sum(end.decided) for end in ends) for ends in (run, spread)]
    assert decided[0] >= decided[1]
    assert sum(wrong > 0 for wrong in wrong_of(run)) <= 1
    assert all(end.sets == 200 or all(end.decided) for end in run)


def test_those_that_lack_the_most_sets_sit_down_first() -> None:
    lacking = dict.fromkeys(range(1, 13), 15)
    for number in range(45):
        table = choose_new_table(
            CROWD, {bot: sets for bot, sets in lacking.items() if sets}, 4, Dice.of(f"{number}"), most=1
        )
        for bot in table:
            lacking[bot] -= 1
    assert set(lacking.values()) == {0}
    assert choose_new_table(CROWD[:3], lacking, 4, Dice.of(""), most=1) == []
