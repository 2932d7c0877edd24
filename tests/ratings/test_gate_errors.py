"""The errors of the gate where the truth is known: a small part of what `tests.ratings.gate_errors` prints."""

import pytest

from bots.sequential_test import NAMED
from tests import thorough
from tests.ratings.gate_errors import cell

TRIALS = 200  # the standard error of .92 is then .019, of .05 .015


ACCEPTED = thorough.only("tests/ratings/test_gate_errors.py::test_what_is_30_elo_stronger_is_accepted")
REFUSED = thorough.only("tests/ratings/test_gate_errors.py::test_what_is_equal_is_refused")


@pytest.mark.parametrize(
    ("seats", "most"), [pytest.param(2, 300, marks=ACCEPTED), (4, 160), pytest.param(6, 110, marks=ACCEPTED)]
)
def test_what_is_30_elo_stronger_is_accepted(seats: int, most: float) -> None:
    found = cell(NAMED["gain"], 30.0, seats, 0.5, TRIALS)
    assert found.accepted >= 0.86
    assert found.mean <= most


@pytest.mark.parametrize(
    ("seats", "deal"), [pytest.param(2, 0.0, marks=REFUSED), (3, 0.8), pytest.param(6, 0.5, marks=REFUSED)]
)
def test_what_is_equal_is_refused(seats: int, deal: float) -> None:
    assert cell(NAMED["gain"], 0.0, seats, deal, TRIALS).accepted <= 0.1


def test_what_is_no_weaker_passes_and_what_is_30_elo_weaker_does_not() -> None:
    test = NAMED["non_regression"]
    assert cell(test, 0.0, 4, 0.5, TRIALS).accepted >= 0.86
    assert cell(test, -30.0, 4, 0.5, TRIALS).accepted <= 0.1


def test_half_way_is_a_toss_and_takes_longest() -> None:
    half, whole = (cell(NAMED["gain"], elo, 4, 0.5, TRIALS) for elo in (15.0, 30.0))
    assert 0.33 <= half.accepted <= 0.63
    assert half.mean > whole.mean
