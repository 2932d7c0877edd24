"""How many games a rating needs."""

from math import inf

import pytest

from tests.ratings.claims.games_needed import by_fit, needed
from tests.tournaments.ratings.ladders import BASE, Ladder


def test_the_games_needed_lie_between_two_looks() -> None:
    taus = [[0.6, 0.8, 0.9], [0.8, 0.9, 1.0]]
    assert needed((10, 20, 30), taus, 0.9) == pytest.approx(25)
    assert needed((10, 20, 30), taus, 0.5) == 10
    assert needed((10, 20, 30), taus, 0.99) == inf


def test_tables_rise_with_games_by_places_and_by_margins() -> None:
    *_, ladder = Ladder(BASE, 1).play(40)
    for margin in (0, 2_000_000):
        early, late = by_fit(ladder, (12, 40), margin)
        assert 0.5 < early < late
