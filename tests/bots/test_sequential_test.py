"""The rule that says whether a new version is stronger than the old, by its formulas and beside published tests."""

import math
from itertools import cycle
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.sequential_test import (
    INFORMATION,
    LEAST,
    MOST,
    NAMED,
    BadTest,
    Evidence,
    SequentialTest,
    elo_of,
    expected_score,
    judged,
    read_test,
    share_of,
)

GAIN = SequentialTest()
SHARES = [0, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 0.5]


def evidence(shares: list[float], test: SequentialTest = GAIN, seats: int = 2, most: int = MOST) -> Evidence:
    series = Evidence(test, seats, most)
    for share in shares:
        series.add(share)
    return series


@pytest.mark.parametrize("seats", [2, 3, 8])
@pytest.mark.parametrize("test", [GAIN, SequentialTest(-30, 0), SequentialTest(-100, 75.5)])
@pytest.mark.parametrize("count", [1, 2, 8])
def test_all_numbers_are_those_of_the_formulas(seats: int, test: SequentialTest, count: int) -> None:
    shares = SHARES[:count]
    series, n, mean = evidence(shares, test, seats), len(shares), fmean(shares)
    s0, s1 = 1 / (1 + 10 ** (-test.elo0 / 400)), 1 / (1 + 10 ** (-test.elo1 / 400))
    variance = (sum((x - mean) ** 2 for x in shares) + 4 * 0.25 / seats) / (n + 3)
    half = 1.96 * math.sqrt(variance / n)
    assert series.sets == n
    assert series.mean == pytest.approx(mean)
    assert series.variance == pytest.approx(variance)
    assert series.llr == pytest.approx(n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance))
    assert series.spent == pytest.approx(n * (s1 - s0) ** 2 / variance)
    assert series.interval == pytest.approx((max(0, mean - half), min(1, mean + half)))
    assert series.llrs[-1] == series.llr
    assert len(series.llrs) == n


def test_without_a_set_nothing_is_said() -> None:
    series = Evidence(GAIN, 4)
    assert (series.llr, series.spent, series.accepted, series.llrs, series.mean) == (0, 0, None, [], 0.5)
    assert series.variance == pytest.approx(0.25 / 4)
    assert series.interval == pytest.approx((0.01, 0.99))


def test_what_it_took_is_counted_by_halves_of_a_game() -> None:
    assert evidence(SHARES).outcomes == [1, 1, 3, 2, 1]
    assert evidence([0, 1 / 6, 1, 0.49], seats=3).outcomes == [1, 1, 0, 1, 0, 0, 1]


def test_sixteen_sets_are_the_least() -> None:
    before, after = evidence([1.0] * (LEAST - 1)), evidence([1.0] * LEAST)
    assert (LEAST, MOST, INFORMATION) == (16, 2000, 15.0)
    assert before.llr > GAIN.upper
    assert (before.accepted, after.accepted) == (None, True)
    assert evidence([0.0] * 15).accepted is None
    assert evidence([0.0] * 16).accepted is False


@pytest.mark.parametrize(("share", "accepted"), [(0.55, True), (0.5, False)])
def test_the_bounds_decide_at_the_first_set_that_reaches_them(share: float, accepted: bool) -> None:
    around = [share - 0.25, share + 0.25]
    series = judged(cycle(around), 2, GAIN)
    reached = [llr >= GAIN.upper or llr <= GAIN.lower for llr in series.llrs]
    assert series.accepted is accepted
    assert series.spent < INFORMATION
    assert reached.index(True) == len(reached) - 1 >= LEAST
    assert len(reached) == series.sets


@pytest.mark.parametrize(("middle", "accepted"), [(0.5235, True), (0.5205, False)])
def test_when_the_information_is_spent_the_sign_decides(middle: float, accepted: bool) -> None:
    series = judged(cycle([middle - 0.25, middle + 0.25]), 2, GAIN)
    assert GAIN.lower < series.llr < GAIN.upper
    assert series.accepted is accepted
    assert series.spent >= INFORMATION > series.spent * (series.sets - 1) / series.sets
    assert 500 < series.sets < MOST


@pytest.mark.parametrize(("share", "accepted"), [(0.52, False), (0.523, True)])
def test_after_the_most_sets_the_sign_decides(share: float, accepted: bool) -> None:
    series = judged(cycle([share - 0.25, share + 0.25]), 2, GAIN, most=20)
    assert (series.sets, series.accepted) == (20, accepted)
    assert evidence([share - 0.25, share + 0.25] * 9, most=20).accepted is None


def test_a_level_ratio_refuses() -> None:
    test = SequentialTest(-20, 20)
    series = evidence([0.5] * 16, test, most=16)
    series.mean = sum(test.shares) / 2
    assert series.llr == 0
    assert series.accepted is False


@given(st.lists(st.sampled_from([0, 0.25, 0.5, 0.75, 1]), min_size=1, max_size=60), st.randoms())
def test_the_order_of_sets_moves_no_number_but_the_set_that_decides(shares: list[float], draw: Random) -> None:
    mixed = draw.sample(shares, len(shares))
    ordered, shuffled = evidence(shares), evidence(mixed)
    assert ordered.llr == pytest.approx(shuffled.llr, abs=1e-9)
    assert ordered.outcomes == shuffled.outcomes


@given(st.lists(st.sampled_from([0, 0.25, 0.5, 0.75]), min_size=1, max_size=60))
def test_mirrored_sets_and_bounds_mirror_the_ratio(shares: list[float]) -> None:
    mirrored = evidence([1 - share for share in shares], SequentialTest(-30, 0))
    assert evidence(shares).llr == pytest.approx(-mirrored.llr, abs=1e-9)


@pytest.mark.parametrize(
    ("pairs", "low", "high", "published"),
    [  # pentanomials of Stockfish's test queue in 2020, pull requests 2951, 3098 and 2493, with the LLR that it showed
        ((59, 754, 2467, 865, 75), -0.5, 1.5, 2.95),
        ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
        ((424, 2948, 5832, 3045, 460), -1.0, 3.0, 2.94),
    ],
)
def test_the_likelihood_ratio_of_published_tests(
    pairs: tuple[int, ...], low: float, high: float, published: float
) -> None:
    scores = [score for score, times in zip((0, 0.25, 0.5, 0.75, 1), pairs, strict=True) for _ in range(times)]
    assert evidence(scores, SequentialTest(low, high)).llr == pytest.approx(published, abs=0.02)


def test_the_bounds_are_walds() -> None:
    assert (GAIN.elo0, GAIN.elo1, GAIN.alpha, GAIN.beta) == (0, 30, 0.04, 0.08)
    assert GAIN.upper == pytest.approx(3.1355, abs=1e-4)
    assert GAIN.lower == pytest.approx(-2.4849, abs=1e-4)
    assert SequentialTest(0, 1, 0.05, 0.05).upper == pytest.approx(2.944, abs=1e-3)
    assert SequentialTest(0, 1, 0.05, 0.05).lower == pytest.approx(-2.944, abs=1e-3)


@pytest.mark.parametrize(("variance", "sets"), [(0.0451, (110, 131, 365)), (1e-9, (16, 16, 16)), (9, (2000,) * 3)])
def test_how_many_sets_it_takes_follows_from_their_variance(variance: float, sets: tuple[int, int, int]) -> None:
    assert GAIN.sets_for(variance) == sets


def test_the_three_tests_have_names() -> None:
    assert {name: (test.elo0, test.elo1) for name, test in NAMED.items()} == {
        "gain": (0, 30),
        "non_regression": (-30, 0),
        "balanced": (-15, 15),
    }
    assert read_test("non-regression") == NAMED["non_regression"]
    assert read_test("gain", 0.01, 0.02) == SequentialTest(0, 30, 0.01, 0.02)
    assert read_test("-20:0", 0.01, 0.02) == SequentialTest(-20, 0, 0.01, 0.02)
    assert read_test("5:15") == SequentialTest(5, 15)
    assert read_test("-800:800") == SequentialTest(-800, 800)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("30:0", "bad_bounds", "the bounds are 30 and 0 Elo; the first must be below the second"),
        ("30:30", "bad_bounds", "the bounds are 30 and 30 Elo"),
        ("-5:0", "bad_bounds", "bounds 5 Elo apart need too many sets; 10 is the least"),
        ("nan:30", "bad_bounds", "the bounds are nan and 30 Elo"),
        ("0:nan", "bad_bounds", "the bounds are 0 and nan Elo"),
        ("0:inf", "bad_bounds", "both from -800 to 800"),
        ("-801:0", "bad_bounds", "the bounds are -801 and 0 Elo"),
        ("better", "bad_test", "'better' is no test; write gain, non-regression, balanced, or two bounds"),
        ("0:10:20", "bad_test", "is no test"),
        ("", "bad_test", "is no test"),
    ],
)
def test_a_test_that_cannot_be_is_refused_with_a_sentence(text: str, code: str, words: str) -> None:
    with pytest.raises(BadTest) as refused:
        read_test(text)
    assert refused.value.code == code
    assert words in str(refused.value)


@pytest.mark.parametrize("rate", [0.0, 1.0, 0.0009, 0.26, -0.1, math.nan, math.inf])
@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_rates_of_error_have_bounds(name: str, rate: float) -> None:
    with pytest.raises(BadTest, match=f"{name} is .*; it must be from 0.001 to 0.25") as refused:
        SequentialTest(**{name: rate})
    assert refused.value.code == "bad_error_rate"


def test_rates_of_error_at_their_bounds_are_good() -> None:
    assert SequentialTest(alpha=0.001, beta=0.25).upper > SequentialTest(alpha=0.25, beta=0.001).upper


@pytest.mark.parametrize("share", [math.nan, -0.01, 1.01, math.inf])
def test_a_share_is_a_part_of_one(share: float) -> None:
    series = evidence([0.5])
    with pytest.raises(BadTest, match="a share is from 0 to 1") as refused:
        series.add(share)
    assert refused.value.code == "bad_share"
    assert (series.sets, series.mean) == (1, 0.5)


@pytest.mark.parametrize("seats", [1, 9, 0])
def test_tables_have_two_to_eight_seats(seats: int) -> None:
    with pytest.raises(BadTest, match="tables have 2 to 8 seats") as refused:
        Evidence(GAIN, seats)
    assert refused.value.code == "bad_seats"


def test_fewer_sets_than_the_least_cannot_be_the_most() -> None:
    with pytest.raises(BadTest, match="at least 16 sets are needed, not 15") as refused:
        Evidence(GAIN, 2, 15)
    assert refused.value.code == "bad_most"


def test_elo_and_shares_are_each_others_inverse() -> None:
    assert [round(expected_score(elo), 3) for elo in (-30, 0, 30, 400)] == [0.457, 0.5, 0.543, 0.909]
    assert elo_of(expected_score(123.0)) == pytest.approx(123)
    assert [elo_of(0), elo_of(1)] == pytest.approx([-1200, 1200])
    assert elo_of(expected_score(1100)) == pytest.approx(1100)
    assert elo_of(expected_score(-1100)) == pytest.approx(-1100)


def test_the_share_of_a_game_is_over_all_pairs_of_seats() -> None:
    assert [share_of([1], [2]), share_of([2], [2]), share_of([3], [2])] == [1, 0.5, 0]
    assert share_of([1, 4], [2, 3]) == 0.5
    assert share_of([1, 2], [2]) == 0.75


def test_the_ratio_after_each_set_is_kept() -> None:
    series = evidence(SHARES)
    assert series.llrs == [evidence(SHARES[: count + 1]).llr for count in range(len(SHARES))]
