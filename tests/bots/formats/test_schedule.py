"""Rounds that are fixed beforehand."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.formats.circle_schedule import affine, berger, blocks, complete
from bots.formats.settings import RoundRobin
from tests.bots.formats.playing import field, final_plan

# FIDE Handbook, C.05 General Regulations for Competitions, Annex 1: Details of Berger Tables.
PUBLISHED = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, "
    "4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6, 10-6 7-5 8-4 9-3 1-2, 2-10 3-1 4-9 5-8 6-7, 10-7 8-6 9-5 1-4 2-3, 3-10 4-2 5-1 6-9 7-8, "
    "10-8 9-7 1-6 2-5 3-4, 4-10 5-3 6-2 7-1 8-9, 10-9 1-8 2-7 3-6 4-5, 5-10 6-4 7-3 8-2 9-1",
}


def meetings(rounds: list[list[list[int]]]) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize("count", PUBLISHED)
def test_the_circle_makes_the_published_berger_tables(count: int) -> None:
    text = ", ".join(" ".join(f"{first + 1}-{other + 1}" for first, other in tables) for tables in berger(count))
    assert text == PUBLISHED[count]


@given(st.integers(2, 60))
def test_with_two_at_a_table_everybody_meets_everybody_once(count: int) -> None:
    rounds = berger(count)
    assert meetings(rounds) == Counter(combinations(range(count), 2))
    assert len(rounds) == count - 1 + count % 2


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8])
def test_an_affine_plane_has_all_meet_exactly_once(order: int) -> None:
    rounds = affine(order)
    assert meetings(rounds) == Counter(combinations(range(order**2), 2))
    assert all(sorted(entrant for table in tables for entrant in table) == [*range(order**2)] for tables in rounds)


@pytest.mark.parametrize(("groups", "tables"), [(3, 5), (4, 7), (5, 5), (8, 13), (4, 23)])
def test_blocks_of_a_prime_number_of_tables_have_nobody_meet_twice(groups: int, tables: int) -> None:
    rounds = blocks(groups, tables)
    assert len(rounds) == tables
    assert set(meetings(rounds).values()) == {1}
    assert all(sorted(e for table in seating for e in table) == [*range(groups * tables)] for seating in rounds)


@given(st.integers(3, 8), st.integers(2, 6))
def test_the_complete_schedule_has_every_table_once_and_nobody_twice_in_a_round(count: int, seats: int) -> None:
    rounds = complete(count, min(seats, count))
    tables = [tuple(table) for seating in rounds for table in seating]
    assert len(tables) == len(set(tables)) == comb(count, min(seats, count))
    assert all(max(Counter(e for table in seating for e in table).values()) == 1 for seating in rounds)


@pytest.mark.parametrize(
    ("count", "seats", "rounds", "most"),
    [(32, 4, 20, 4), (48, 6, 20, 4), (17, 4, 10, 4), (200, 8, 10, 2), (30, 3, 14, 2)],
)
def test_without_a_design_meetings_are_spread_evenly(count: int, seats: int, rounds: int, most: int) -> None:
    done = final_plan(RoundRobin(seats=seats, fewest=seats - 1, rounds=rounds), field(count))
    met = Counter(pair for pairing in done.pairings for pair in combinations(sorted(pairing.entrants), 2))
    ideal = met.total() / comb(count, 2)
    assert max(met.values()) <= max(most, ideal + 2)
