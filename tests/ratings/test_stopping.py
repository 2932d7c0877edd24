"""Whoever stays with a lucky copy has that luck in the rating, and none of it in the final table."""

from statistics import fmean

from tests.ratings.claims.stopping import near_nothing, stops
from tests.thorough import budget


def test_luck_from_before_the_freeze_is_not_in_the_final_table() -> None:
    at_once, _, final = zip(*(stops(f"small {world}") for world in range(budget(12, full=100))), strict=True)
    assert fmean(at_once) > fmean(final)
    assert near_nothing(final)
