"""Luck in sets, and clashes between pairs, counted by hand."""

import pytest

from tests.tournaments.ratings.ledgers import duel
from tournaments.ratings.dispersion import Residuals
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs

LEVEL = {1: 0.0, 2: 0.0}


def residuals(sets: list[RatedSet], gains: dict[int, float]) -> Residuals:
    return Residuals(Pairs(sets).cells.values(), LEVEL, gains)


def test_phi_is_what_was_seen_over_what_is_free_with_20_of_independent_games() -> None:
    """Eight duels of equals square a half each for both, and tell a quarter of each."""
    won = [duel(number, 1, 2) for number in range(8)]
    assert residuals(won, {}).phi == pytest.approx((16 * 0.25 + 20) / (16 * 0.25 + 20))
    assert residuals(won, {1: 2.0}).phi == pytest.approx(24 / (24 - 8 * 2 * 2 / 16))
    assert residuals(won, dict.fromkeys(LEVEL, 1000.0)).phi == pytest.approx(24 / 20)
    tied = [duel(number, 1, 2, tied=True) for number in range(8)]
    assert residuals(tied, {}).phi == pytest.approx(20 / 24)
    assert residuals([], {}).phi == 1


def test_clash_is_what_a_pair_repeats_beyond_chance() -> None:
    """Eight times a half over: 56 products of a quarter; informations of a quarter make 56 / 16."""
    won = [duel(number, 1, 2) for number in range(8)]
    chance = (2 * 3.5) ** 0.5
    assert residuals(won, {}).clash(1.0) == pytest.approx((14 - chance) / 23.5)
    assert residuals(won, {1: 2.0, 2: 1.0}).clash(2.0) == pytest.approx((14 + 2 * 3.5 * 3 - 2 * chance) / 23.5)
    split = [duel(number, *(1, 2)[:: 1 if number % 2 else -1]) for number in range(8)]
    assert residuals(split, {}).clash(1.0) == 0
    assert residuals(won[:1], {}).clash(1.0) == 0
