"""Tie-breaks, against the worked answers of a published paper.

IA Mario Held, Exercises in Tie-Breaking (FIDE Arbiters' Commission, 2024): a Swiss of 16 players over 5 rounds and a
round robin of 6, with the answers by the FIDE Handbook, C.07 (2023). Sums there are means here, so they are multiplied
by the number of meetings. Rounds that were not played count differently in chess, so points are taken as published,
and only the answers for those who played every round are compared where it matters.
"""

from fractions import Fraction

import pytest

from bots.formats.crosstable import WIN, Crosstable
from bots.formats.model import POINT, Entrant, SetResult
from bots.formats.runner import EventRun
from bots.formats.tie_breaks import buchholz, measures, ranked, sonneborn_berger
from tests.bots.formats.playing import EVENT
from tournaments.ratings.performances import performance_ratings

# Each line: the winner or the first player, 1 or =, the other.
SWISS = """
2 1 10, 1 1 9, 3 = 11, 4 1 12, 8 = 16, 14 1 6, 13 1 5, 7 1 15
2 1 7, 1 = 13, 3 1 6, 16 1 11, 15 1 5, 8 1 14, 10 1 9
2 = 1, 3 1 8, 4 1 13, 16 1 7, 5 1 11, 15 1 10
2 1 16, 1 1 15, 3 = 4, 6 1 10, 5 = 7, 8 1 13
2 = 3, 1 = 4, 16 1 15, 6 1 8, 5 1 10, 11 1 7, 14 1 13
"""
POINTS = [3.5, 4.0, 3.5, 3.5, 2.5, 3.0, 1.5, 2.5, 1.5, 1.0, 2.5, 2.0, 1.5, 2.0, 2.0, 3.5]
BUCHHOLZ = {1: 12.5, 2: 13.0, 3: 15.5, 5: 8.5, 7: 14.5, 8: 13.5, 10: 13.0, 13: 14.0, 15: 12.0, 16: 12.5}
CUT_1 = {1: 11.0, 2: 12.0, 3: 13.0, 5: 7.5, 7: 12.5, 8: 12.0, 10: 11.5, 13: 12.0, 15: 11.0, 16: 11.0}
SONNEBORN_BERGER = {1: 8.0, 2: 9.5, 3: 10.5, 5: 4.25, 7: 3.25, 8: 5.25, 10: 1.5, 13: 4.25, 15: 3.5, 16: 7.25}
WON = [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3]
ROUND_ROBIN = """
1 = 5, 1 1 2, 1 1 3, 4 1 1, 1 1 6, 2 1 6, 2 1 5, 2 = 3, 2 1 4, 3 1 4, 3 1 6, 3 1 5, 5 1 4, 4 = 6, 6 1 5
"""


def crosstable(text: str) -> Crosstable:
    table = Crosstable()
    for game in text.replace("\n", ",").split(","):
        if game.strip():
            player, result, opponent = game.split()
            table.add(SetResult((int(player), int(opponent)), ((1, 1 if result == "=" else 2),)))
    return table


@pytest.fixture
def swiss() -> Crosstable:
    table = crosstable(SWISS)
    for player, points in enumerate(POINTS, 1):
        table.points[player] = int(points * POINT)
    return table


def test_buchholz_gives_the_published_answers(swiss: Crosstable) -> None:
    """Exercises 1 to 4."""
    assert {player: buchholz(swiss, player) * 5 for player in BUCHHOLZ} == BUCHHOLZ


def test_buchholz_cut_1_gives_the_published_answers(swiss: Crosstable) -> None:
    """Exercises 5 to 8."""
    assert {player: buchholz(swiss, player, cut=1) * 4 for player in CUT_1} == CUT_1


def test_sonneborn_berger_gives_the_published_answers(swiss: Crosstable) -> None:
    """Exercises 11 and 12."""
    assert {player: sonneborn_berger(swiss, player) * 5 for player in SONNEBORN_BERGER} == SONNEBORN_BERGER


def test_the_number_of_wins_gives_the_published_answers(swiss: Crosstable) -> None:
    """Exercise 28: games won over the board."""
    assert [swiss.wins[player] // WIN for player in range(1, 17)] == WON


def test_direct_encounter_orders_the_round_robin_as_published() -> None:
    """Exercise 26: 1 is first, 2 and 3 stay level, and 6, 5 and 4 follow."""
    table = crosstable(ROUND_ROBIN)
    event = EventRun(EVENT, {player: Entrant(player) for player in range(1, 7)}, lambda _: None)
    order = ranked(event, range(1, 7), table, ["points", "direct_encounter"])
    assert (order[0], set(order[1:3]), order[3:]) == (1, {2, 3}, [6, 5, 4])
    upper = measures(table)["direct_encounter"]([1, 2, 3])
    assert upper == {1: Fraction(1), 2: Fraction(1, 4), 3: Fraction(1, 4)}


def test_sonneborn_berger_of_the_round_robin_is_as_published() -> None:
    """Exercise 14."""
    table = crosstable(ROUND_ROBIN)
    scores = [float(sonneborn_berger(table, player) * 5) for player in range(1, 7)]
    assert scores == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]


def test_direct_encounter_says_nothing_where_not_all_have_met() -> None:
    table = crosstable("1 1 2, 2 1 3")
    assert set(measures(table)["direct_encounter"]([1, 2, 3]).values()) == {Fraction(0)}


def test_performance_counts_whom_one_has_beaten() -> None:
    """1 and 4 won once each: 1 from the strong 2, 4 from the weak 3."""
    table = crosstable("1 1 2, 4 1 3, 2 1 3")
    marks = measures(table, performances=performance_ratings)["performance"]([1, 2, 3, 4])
    assert marks[1] > marks[4] > marks[3]


def test_what_is_level_to_the_end_is_decided_by_a_lot_that_others_cannot_change() -> None:
    def order(players: list[int]) -> list[int]:
        event = EventRun(EVENT, {player: Entrant(player) for player in players}, lambda _: None)
        return ranked(event, players, Crosstable(), ["points", "buchholz"])

    assert order([3, 1, 2]) == order([1, 2, 3]) == [player for player in order([1, 2, 3, 4]) if player != 4]
