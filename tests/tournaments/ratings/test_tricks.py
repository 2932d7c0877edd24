"""Tricks gain no more than a few Elo. With --full-budgets in as many worlds as docs/ratings.md has."""

import pytest

from tests import thorough
from tests.tournaments.ratings.tricks import TRICKS, Measured

WORLDS = thorough.budget(6, full=300)
AIM = 5.0  # Elo
CLOSED = (
    *("clones", "re-uploads", "puppets", "a cancelled set", "a set in part"),
    "and coming back",
    "clones that draw lots",
)


@pytest.mark.parametrize("name", CLOSED)
def test_a_trick_does_not_pay(name: str) -> None:
    _, now = TRICKS[name]
    measured = Measured.of(now, WORLDS)
    assert measured.gain <= AIM + 3 * measured.error


@pytest.mark.parametrize("name", ["clones", "re-uploads", "a set in part"])
def test_it_did_before(name: str) -> None:
    before, _ = TRICKS[name]
    measured = Measured.of(before, WORLDS)
    assert measured.gain >= AIM + 2 * measured.error
