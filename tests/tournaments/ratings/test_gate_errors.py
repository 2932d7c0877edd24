"""The errors of the gate where the truth is known: a part of what `tests.tournaments.ratings.gate_errors` prints."""

from bots.sequential_test import NAMED
from tests.tournaments.ratings.gate_errors import cell

TRIALS = 200  # the standard error of .92 is then .019, of .05 .015


def test_what_is_30_elo_stronger_is_accepted() -> None:
    result = cell(NAMED["gain"], 30.0, 4, 0.5, TRIALS)
    assert result.accepted >= 0.86
    assert result.mean <= 160


def test_what_is_equal_is_refused() -> None:
    assert cell(NAMED["gain"], 0.0, 3, 0.8, TRIALS).accepted <= 0.1


def test_what_is_no_weaker_passes_and_what_is_30_elo_weaker_does_not() -> None:
    test = NAMED["non_regression"]
    assert cell(test, 0.0, 4, 0.5, TRIALS).accepted >= 0.86
    assert cell(test, -30.0, 4, 0.5, TRIALS).accepted <= 0.1


def test_half_way_is_a_toss_and_takes_longest() -> None:
    half, full = (cell(NAMED["gain"], elo, 4, 0.5, TRIALS) for elo in (15.0, 30.0))
    assert 0.33 <= half.accepted <= 0.63
    assert half.mean > full.mean
