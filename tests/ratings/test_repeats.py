"""Games that are played again."""

from tests.ratings.claims.repeats import distinct


def test_bots_without_luck_play_few_games_on_a_fixed_map_of_network_and_many_on_generated_ones() -> None:
    assert distinct(1, 30, map="auto") <= 4
    assert distinct(1, 30) > 15
