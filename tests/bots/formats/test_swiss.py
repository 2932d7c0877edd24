"""Swiss: entrants with the same score meet, and with two at a table nobody meets twice."""

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, Pairing, SetResult
from bots.formats.rematch_swaps import swap_across_tables
from bots.formats.settings import Swiss
from engine.dice import Dice
from tests import thorough
from tests.bots.formats.playing import by_number, field, final_plan


@settings(max_examples=thorough.budget(12, full=400), deadline=None)
@given(st.integers(2, 200), st.text(max_size=5), st.booleans())
def test_with_two_at_a_table_nobody_meets_twice_in_as_many_rounds_as_half_the_field(
    count: int, seed: str, owners_apart: bool
) -> None:
    def player(pairing: Pairing) -> SetResult:
        first = Dice.of(seed + pairing.key).below(3)
        return SetResult(pairing.entrants, ((1 + (first == 1), 1 + (first == 2)),) * 2)

    rounds = max(1, count // 2) if count <= 60 else 12
    done = final_plan(Swiss(rounds=rounds, owners_apart=owners_apart), field(count), player)
    met = Counter(tuple(sorted(pairing.entrants)) for pairing in done.pairings)
    assert done.round == rounds
    assert max(met.values()) == 1


def test_the_first_round_seeds_the_upper_half_against_the_lower() -> None:
    """The FIDE (Dutch) System draws it so: FIDE Handbook C.04.3."""
    entrants = [Entrant(number, rating=2000 - number) for number in range(1, 9)]
    done = final_plan(Swiss(rounds=1), entrants)
    assert [pairing.entrants for pairing in done.pairings] == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_winners_meet_winners() -> None:
    entrants = [Entrant(number, rating=2000 - number) for number in range(1, 9)]
    done = final_plan(Swiss(rounds=3), entrants, by_number)
    second = [set(pairing.entrants) for pairing in done.pairings if pairing.round == 2]
    assert second == [{1, 2}, {3, 4}, {5, 6}, {7, 8}]
    third = [set(pairing.entrants) for pairing in done.pairings if pairing.round == 3]
    assert third == [{1, 3}, {2, 4}, {5, 7}, {6, 8}]
    assert done.winners == (1,)


def test_at_larger_tables_meeting_again_is_rare() -> None:
    done = final_plan(Swiss(seats=4, rounds=5), field(64))
    met = Counter(pair for pairing in done.pairings for pair in combinations(sorted(pairing.entrants), 2))
    assert sum(times > 1 for times in met.values()) <= 8


def test_at_larger_tables_the_strongest_meet_again_rather_than_somebody_far_behind() -> None:
    done = final_plan(Swiss(seats=4, rounds=10), [Entrant(number) for number in range(1, 33)], by_number)
    assert sum({1, 2} <= set(pairing.entrants) for pairing in done.pairings) >= 4


@given(st.integers(2, 8), st.integers(2, 6), st.integers(0, 1000))
def test_mending_lowers_the_cost_and_swaps_only_those_who_may(seats: int, count: int, seed: int) -> None:
    def cost(first: int, other: int) -> int:
        return (first * other + seed) % 5 // 3

    before = [[table * seats + seat for seat in range(seats)] for table in range(count)]
    after = [list(table) for table in before]
    swap_across_tables(after, cost, reach=1, may_swap=lambda first, other: first % 2 == other % 2)
    assert sum(map(sum, after)) == sum(map(sum, before))
    assert [sorted(entrant % 2 for entrant in table) for table in after] == [
        sorted(entrant % 2 for entrant in table) for table in before
    ]
    total = [sum(cost(*pair) for table in tables for pair in combinations(table, 2)) for tables in (before, after)]
    assert total[1] <= total[0]
