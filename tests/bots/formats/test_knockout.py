"""Elimination at tables of any size, with one life or two."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.formats.model import Entrant, Pairing, Plan, SetResult
from bots.formats.settings import Knockout, read_spec
from tests import thorough
from tests.bots.formats.playing import all_crash, by_dice, by_number, field, final_plan, seeded


def tables_by_round(done: Plan) -> dict[int, list[tuple[int, ...]]]:
    rounds: dict[int, list[tuple[int, ...]]] = {}
    for pairing in done.pairings:
        rounds.setdefault(pairing.round, []).append(pairing.entrants)
    return rounds


def losses(done: Plan) -> Counter[int]:
    """Count the sets that each lost of those of two, in which `by_number` lets the lower number win."""
    return Counter(max(pairing.entrants) for pairing in done.pairings)


def test_the_best_seeds_meet_last() -> None:
    rounds = tables_by_round(final_plan(Knockout(), seeded(8), by_number))
    assert rounds[1] == [(1, 8), (2, 7), (3, 6), (4, 5)]
    assert rounds[2] == [(1, 4), (2, 3)]
    assert rounds[3] == [(1, 2)]


@given(st.integers(2, 200))
@settings(max_examples=thorough.budget(8, full=300), deadline=None)
def test_with_two_at_a_table_there_are_byes_in_the_first_round_alone_and_they_go_to_the_best_seeds(count: int) -> None:
    done = final_plan(Knockout(), seeded(count), by_number)
    byes = [bye.entrant for bye in done.byes]
    assert {bye.round for bye in done.byes} <= {1}
    assert byes == [*range(1, len(byes) + 1)]
    assert len(done.pairings) == count - 1
    assert done.round == (count - 1).bit_length()


@given(st.integers(2, 200))
@settings(max_examples=thorough.budget(8, full=300), deadline=None)
def test_in_double_elimination_everybody_but_the_winner_loses_twice(count: int) -> None:
    done = final_plan(Knockout(lives=2), seeded(count), by_number)
    lost = losses(done)
    assert done.winners == (1,)
    assert all(lost[number] == 2 for number in range(2, count + 1))
    assert len(done.pairings) == 2 * (count - 1)


def test_who_comes_from_below_must_win_the_final_twice() -> None:
    """The bracket's reset: 2 loses to 1 early, then beats everybody."""

    def player(pairing: Pairing) -> SetResult:
        late = pairing.round > 2 and 2 in pairing.entrants
        best = 2 if late else min(pairing.entrants)
        places = tuple(1 + (entrant != best) for entrant in pairing.entrants)
        return SetResult(pairing.entrants, (places, places))

    done = final_plan(Knockout(lives=2), seeded(4), player)
    assert done.winners == (2,)
    finals = [set(pairing.entrants) for pairing in done.pairings if {1, 2} == set(pairing.entrants)]
    assert len(finals) == 3
    assert [pairing.round for pairing in done.pairings][-2:] == [done.round - 1, done.round]


def test_half_of_each_table_of_four_go_on_until_one_table_is_left() -> None:
    rounds = tables_by_round(final_plan(Knockout(seats=4), seeded(32), by_number))
    assert [len(tables) for tables in rounds.values()] == [8, 4, 2, 1]
    assert rounds[1][0] == (1, 16, 17, 32)
    assert set(rounds[4][0]) == {1, 2, 3, 4}


def test_heats_grow_to_the_final() -> None:
    done = final_plan(Knockout(seats=4, sets=(1, 2, 8)), seeded(32), by_number)
    sets = Counter((pairing.round, pairing.table) for pairing in done.pairings)
    assert {number: sets[number, 1] for number in range(1, 5)} == {1: 1, 2: 1, 3: 2, 4: 8}


def test_an_undecided_table_plays_on_and_then_the_better_seed_goes_on() -> None:
    done = final_plan(Knockout(extra=3), seeded(4), all_crash)
    assert Counter(pairing.round for pairing in done.pairings) == {1: 8, 2: 4}
    assert [pairing.rep for pairing in done.pairings if pairing.round == 2] == [1, 2, 3, 4]
    assert done.winners == (1,)


@pytest.mark.parametrize("bracket", ["reseeded", "fixed"])
def test_who_stays_goes_on_before_who_has_left_where_a_table_is_level(bracket: str) -> None:
    spec = read_spec({"t": "knockout", "bracket": bracket, "extra": 0})
    entrants = [replace(entrant, last_round=None if entrant.id == 4 else 1) for entrant in seeded(4)]
    done = final_plan(spec, entrants, all_crash)
    assert done.winners == (4,)


def test_who_crashes_less_goes_on_where_points_and_wins_are_level() -> None:
    def player(pairing: Pairing) -> SetResult:
        return SetResult(pairing.entrants, ((1, 1), (1, 1)), crashes=tuple(int(e == 1) for e in pairing.entrants))

    assert final_plan(Knockout(), seeded(2), player).winners == (2,)


def test_the_best_of_the_beaten_go_on_where_a_table_would_lack_players() -> None:
    rounds = tables_by_round(final_plan(Knockout(seats=4, advance=1), seeded(5), by_number))
    assert rounds[1] == [(2, 3, 4, 5)]
    assert set(rounds[2][0]) == {1, 2, 3, 4}


def test_owners_are_apart_in_the_first_round_where_that_can_be() -> None:
    entrants = [Entrant(number, owner=1 + number // 8) for number in range(16)]
    first = tables_by_round(final_plan(Knockout(seats=2, owners_apart=True), entrants))[1]
    assert all((entrant < 8) != (other < 8) for entrant, other in first)


@given(st.integers(2, 8), st.integers(2, 200), st.sampled_from([1, 2]), st.integers(0, 3), st.integers(1, 4))
@settings(max_examples=thorough.budget(10, full=600), deadline=None)
def test_the_number_of_sets_is_bounded(seats: int, count: int, lives: int, extra: int, sets: int) -> None:
    """A table takes at least one life, and there are `count * lives`."""
    spec = Knockout(seats=seats, fewest=2, lives=2 if lives == 2 else 1, extra=extra, sets=(sets,))
    done = final_plan(spec, field(count), by_dice)
    assert len(done.pairings) <= count * lives * (sets + extra)
    assert done.round <= count * lives


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_field_of_one_table_plays_the_final_at_once(count: int) -> None:
    done = final_plan(Knockout(seats=4, fewest=2, sets=(1, 4)), seeded(count), by_number)
    assert (done.round, len(done.pairings)) == (1, 4)
    assert [row.entrant for row in done.table] == [*range(1, count + 1)]
