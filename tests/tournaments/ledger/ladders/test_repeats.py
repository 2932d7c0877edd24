"""The same bots that play the same games again are found, and luck is not taken for it."""

from random import Random

import pytest

from tournaments.ledger.ladders.repeats import repeating_line_ups
from tournaments.ratings.ledger import Game, RatedSet


def a_set(number: int, scores: tuple[int, int], table: tuple[int, int] = (1, 2)) -> RatedSet:
    places = (1, 2) if scores[0] > scores[1] else (2, 1)
    return RatedSet(number, [Game(table, places, (False, False), scores)])


@pytest.mark.parametrize(("distinct", "repeating"), [(1, 1), (5, 1), (6, 0), (12, 0)])
def test_less_than_half_of_the_sets_of_a_line_up_are_distinct(distinct: int, repeating: int) -> None:
    varied = [a_set(100 + number, (number, 40), (3, 4)) for number in range(12)]
    assert repeating_line_ups([*varied, *(a_set(n, (50, n % distinct)) for n in range(12))]) == repeating


def test_few_sets_say_nothing_nor_does_a_game_whose_scores_only_say_who_won() -> None:
    assert repeating_line_ups([a_set(number, (50, number % 2)) for number in range(5)]) == 0
    draw = Random(1)
    assert repeating_line_ups([a_set(n, draw.choice([(1, 0), (0, 1)])) for n in range(50)]) == 0
