"""Tricks gain no more than a few Elo. With --full-budgets in as many worlds as docs/ratings.md has."""

import pytest

from tests import thorough
from tests.ratings.tricks import TRICKS, Measured

WORLDS = thorough.budget(6, full=300)
AIM = 5.0  # Elo
DEAR = thorough.only("tests/tournaments/test_tricks.py::test_who_left_stands_without_a_rank_and_moves_nobody_else")
BEGINS_ANEW = thorough.only(
    "tests/ratings/test_named_since.py::test_who_wins_before_it_is_named_has_nothing_of_it",
    "tests/tournaments/test_tricks.py::test_naming_again_begins_again_and_has_its_times",
)
CLOSED = (
    *("clones", "re-uploads", "puppets", "a cancelled set", "a set in part"),
    pytest.param("and coming back", marks=DEAR),
    pytest.param("clones that draw lots", marks=BEGINS_ANEW),
)


@pytest.mark.parametrize("name", CLOSED)
def test_a_trick_does_not_pay(name: str) -> None:
    _, now = TRICKS[name]
    found = Measured.of(now, WORLDS)
    assert found.gain <= AIM + 3 * found.error


@thorough.only("tests/ratings/test_tricks.py::test_a_trick_does_not_pay")
@pytest.mark.parametrize("name", ["clones", "re-uploads", "a set in part"])
def test_it_did_before(name: str) -> None:
    before, _ = TRICKS[name]
    found = Measured.of(before, WORLDS)
    assert found.gain >= AIM + 2 * found.error
