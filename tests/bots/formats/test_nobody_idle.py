"""Where entrants do not fill the tables, smaller ones leave nobody idle, if the game is played by so few."""

from collections import Counter
from functools import cache

import pytest

from bots.formats.model import Plan
from bots.formats.seating import sizes
from bots.formats.settings import (
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    RoundRobin,
    Spec,
    Swiss,
)
from bots.formats.small_tables import with_small_tables
from tests import thorough
from tests.bots.formats.playing import field, final_plan

MOST = 60


@cache
def most_seated(count: int, seats: int, fewest: int) -> int:
    """Return by brute force the most that tables of these sizes can seat."""
    return max(
        (size + most_seated(count - size, seats, fewest) for size in range(fewest, min(seats, count) + 1)), default=0
    )


@pytest.mark.parametrize("seats", range(2, 9))
def test_tables_seat_as_many_as_tables_can(seats: int) -> None:
    for fewest in range(2, seats + 1):
        for count in range(MOST):
            cuts = sizes(count, seats, fewest)
            assert sum(cuts) == most_seated(count, seats, fewest)
            assert all(fewest <= size <= seats for size in cuts)


def test_seven_at_tables_of_four_sit_as_four_and_three() -> None:
    assert sizes(7, 4, 3) == [4, 3]
    assert with_small_tables(Swiss(4), lambda size: size in (3, 4)) == Swiss(4, 3)


def idle(done: Plan) -> list[tuple[int, int]]:
    return [(bye.round, bye.entrant) for bye in done.byes]


@pytest.mark.parametrize("seats", range(3, 9))
def test_nobody_is_idle_in_any_format_that_deals_the_field_to_tables(seats: int) -> None:
    for count in range(2, thorough.budget(16, full=MOST)):
        for spec in (
            RoundRobin(seats, 2),
            RoundRobin(seats, 2, rounds=2),
            Swiss(seats, 2, rounds=3),
            Knockout(seats, 2),
        ):
            done = final_plan(spec, field(count))
            assert idle(done) == [], (spec.tag, count)
            first = [pairing.entrants for pairing in done.pairings if (pairing.round, pairing.rep) == (1, 1)]
            assert Counter(map(len, first)) == Counter(sizes(count, seats, 2))


@pytest.mark.parametrize("seats", range(2, 9))
def test_where_the_game_needs_full_tables_as_few_as_possible_are_idle(seats: int) -> None:
    for count in range(seats, 30):
        done = final_plan(Swiss(seats, rounds=1), field(count))
        assert len(idle(done)) == count - most_seated(count, seats, seats)


def test_the_smallest_table_that_the_game_allows_is_filled_in() -> None:
    any_size, pairs = lambda _: True, lambda size: size == 2
    assert with_small_tables(RoundRobin(8), any_size) == RoundRobin(8, 2)
    assert with_small_tables(RoundRobin(8), lambda size: size in (2, 3, 6, 7, 8)) == RoundRobin(8, 6)
    assert with_small_tables(Knockout(2), pairs) == Knockout(2, 2)
    assert with_small_tables(Swiss(6, 5), any_size) == Swiss(6, 5)
    assert with_small_tables(Swiss(6, edition=1), any_size) == Swiss(6, edition=1)


def test_it_is_filled_in_for_every_stage() -> None:
    spec = with_small_tables(Groups(2, 2, RoundRobin(4), Knockout(4)), lambda _: True)
    assert spec == Groups(2, 2, RoundRobin(4, 2), Knockout(4, 2))
    assert with_small_tables(League(Swiss(3)), lambda _: True) == League(Swiss(3, 2))


@pytest.mark.parametrize("spec", [Gauntlet((1, 2), 3), KingOfTheHill(4)])
def test_formats_in_which_nobody_is_idle_by_their_numbers_stay_as_they_are(spec: Spec) -> None:
    assert with_small_tables(spec, lambda _: True) == spec


def test_who_is_left_at_a_table_that_somebody_has_left_sits_down_elsewhere() -> None:
    """Six at tables of three have two tables a round. One leaves after the first, and five sit as 3 and 2."""
    entrants = field(6)
    entrants[0] = type(entrants[0])(entrants[0].id, last_round=1)
    done = final_plan(RoundRobin(3, 2), entrants)
    assert idle(done) == []
