"""Between which ranks each version lies."""

from math import hypot
from random import Random
from statistics import NormalDist

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from tests import thorough
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Version
from tournaments.ratings.ranks import EACH, Rated, ranges_of, sure, tukey
from tournaments.ratings.table import ranks_of, shared_places, table_rows

LINES = st.lists(st.builds(Rated, st.integers(0, 60).map(float), st.integers(1, 30).map(float)), max_size=40)


def compared(lines: list[Rated], z: float, among: list[Rated]) -> list[tuple[int, int]]:
    """How many are surely better than each, and how many surely worse, by comparing all with all."""

    def surely_above(upper: Rated, other: Rated) -> bool:
        return upper.elo - other.elo > z * hypot(upper.sd, other.sd)

    return [
        (sum(surely_above(other, line) for other in among), sum(surely_above(line, other) for other in among))
        for line in lines
    ]


@given(LINES, st.sampled_from([0.5, EACH, 4.0]))
def test_who_is_surely_better_is_found_without_comparing_all_with_all(lines: list[Rated], z: float) -> None:
    assert sure(lines, z) == compared(lines, z, lines)


@pytest.mark.parametrize("tail", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("z", [EACH, 4.9])
def test_the_same_of_many_with_errors_of_all_sizes_and_among_some(tail: float, z: float) -> None:
    """The lines are so many that they are cut into parts, by their errors."""
    draw = Random(f"{tail} {z}")
    lines = [Rated(round(draw.gauss(1500, 200)), round(30 / draw.uniform(0.05, 1) ** tail)) for _ in range(700)]
    sample = draw.sample(lines, 500)
    assert sure(lines, z) == compared(lines, z, lines)
    assert sure(lines, z, sample) == compared(lines, z, sample)


@pytest.mark.parametrize("versions", [2, 3, 10, 40, 100])
def test_tukeys_constant_is_the_quantile_of_the_studentised_range(versions: int) -> None:
    exact = scipy.stats.studentized_range.ppf(0.95, versions, 1e6) / 2**0.5
    assert tukey(versions) == pytest.approx(exact, abs=1e-3)
    assert (tukey(0), tukey(1)) == (0, 0)


def test_tukeys_constant_of_two_is_that_of_one_difference() -> None:
    assert tukey(2) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-6)


def test_a_range_goes_from_those_surely_better_to_those_surely_worse() -> None:
    """Differences with an error of 50 are sure for one bot over 82, and for all four over 128."""
    elo = {1: 1600.0, 2: 1500.0, 3: 1490.0, 4: 1300.0}
    ratings = Fit(elo, sd := dict.fromkeys(elo, 50 / 2**0.5), dict.fromkeys(elo, 0), chance_sd=sd)
    assert ranges_of(ratings, list(elo), EACH) == {1: (1, 1), 2: (2, 3), 3: (2, 3), 4: (4, 4)}
    assert ranges_of(ratings, list(elo), tukey(4)) == {1: (1, 3), 2: (1, 3), 3: (1, 3), 4: (4, 4)}


def test_who_has_no_rank_counts_for_nobody_and_has_the_range_that_it_would_have() -> None:
    elo = {1: 1600.0, 2: 1500.0, 3: 1490.0, 4: 1300.0}
    ratings = Fit(elo, sd := dict.fromkeys(elo, 50 / 2**0.5), dict.fromkeys(elo, 0), chance_sd=sd)
    assert ranges_of(ratings, list(elo), EACH, without={2}) == {1: (1, 1), 2: (2, 3), 3: (2, 2), 4: (3, 3)}
    versions = {key: Version(f"bot {key}", ranked=key != 2) for key in elo}
    rows = {row.version: row for row in table_rows(ratings, {}, versions)}
    assert {key: (row.rank, row.rank_lo, row.rank_hi) for key, row in rows.items()} == {
        1: (1, 1, 1),
        2: (None, 2, 3),
        3: (2, 2, 2),
        4: (3, 3, 3),
    }
    assert ranks_of(ratings, versions) == {1: 1, 2: None, 3: 2, 4: 3}
    assert shared_places([(9.04, True), (9.01, False), (9.0, True), (8.0, False), (8.0, True)]) == [1, 1, 1, 3, 3]


def test_those_whom_no_games_connect_are_not_compared() -> None:
    elo = {1: 2000.0, 2: 1500.0, 3: 1000.0}
    ratings = Fit(elo, group={1: 0, 2: 1, 3: 0}, chance_sd=dict.fromkeys(elo, 1.0))
    assert ranges_of(ratings, [1, 2, 3], EACH) == {1: (1, 2), 2: (1, 3), 3: (2, 3)}


def test_each_range_holds_its_rank_with_95_percent_and_all_together_all_ranks() -> None:
    """Ratings are drawn about the truth, by errors of which some are five times as large as others."""
    draw, single, together = Random(7), 0, 0
    tables, lines = thorough.budget(60, full=1000), 25
    for _ in range(tables):
        truth = {line: draw.gauss(1500, 100) for line in range(lines)}
        sd = {line: draw.uniform(10, 50) for line in truth}
        drawn = {line: draw.gauss(elo, sd[line]) for line, elo in truth.items()}
        ratings = Fit(drawn, group=dict.fromkeys(truth, 0), chance_sd=sd)
        ranks = {line: 1 + sum(other > elo for other in truth.values()) for line, elo in truth.items()}
        held = {
            z: [_holds(ranges, ranks, line) for line in truth]
            for z in (EACH, tukey(lines))
            if (ranges := ranges_of(ratings, list(truth), z))
        }
        single += sum(held[EACH])
        together += all(held[tukey(lines)])
    assert single / tables / lines >= 0.95
    assert together / tables >= 0.95


def _holds(ranges: dict[int, tuple[int, int]], ranks: dict[int, int], line: int) -> bool:
    low, high = ranges[line]
    return low <= ranks[line] <= high
