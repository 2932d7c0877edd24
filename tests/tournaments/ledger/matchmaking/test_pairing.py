"""The choice of who plays whom, for ladders of every shape."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Dice
from tournaments.ledger.matchmaking.pairing import Candidate, fewest_together, seat_rotations, wave

ELO = st.floats(0, 3000, allow_nan=False)


def candidate(draw: st.DrawFn, version: int, owners: int) -> Candidate:
    owner, elo, sets = draw(st.integers(1, owners)), draw(ELO), draw(st.integers(0, 500))
    return Candidate(version, owner, elo, 350 / (1 + sets) ** 0.5, sets, draw(st.floats(0, 1e9)))


@st.composite
def crowds(draw: st.DrawFn) -> list[Candidate]:
    size = draw(st.integers(0, 40))
    owners = draw(st.integers(1, 12))
    return [candidate(draw, 100 + n, owners) for n in range(size)]


@given(crowds(), st.integers(2, 8), st.integers(0, 10), st.booleans(), st.text())
def test_tables_are_full_nobody_sits_twice_and_owners_are_apart_where_wanted(
    crowd: list[Candidate], seats: int, tables: int, owners_apart: bool, seed: str
) -> None:
    made = wave(crowd, seats, tables, Dice.of(seed), most=1 if owners_apart else seats)
    seated = [version for table in made for version in table]
    assert all(len(table) == seats for table in made)
    assert len(seated) == len(set(seated))
    assert set(seated) <= {candidate.version for candidate in crowd}
    owner = {candidate.version: candidate.owner for candidate in crowd}
    if owners_apart:
        assert all(len({owner[version] for version in table}) == seats for table in made)
    else:
        assert len(made) == min(tables, len(crowd) // seats)


@given(crowds(), st.integers(2, 8), st.integers(1, 10), st.text())
def test_owners_apart_costs_no_table_that_could_be_filled(
    crowd: list[Candidate], seats: int, tables: int, seed: str
) -> None:
    owners = Counter(candidate.owner for candidate in crowd)
    made = len(wave(crowd, seats, tables, Dice.of(seed), most=1))
    assert made == tables or sum(min(count, made + 1) for count in owners.values()) < (made + 1) * seats


@given(crowds(), st.integers(2, 8), st.integers(1, 10), st.text())
def test_where_owners_are_few_as_few_of_one_as_can_be_sit_together(
    crowd: list[Candidate], seats: int, tables: int, seed: str
) -> None:
    most, owner = fewest_together(crowd, seats), {candidate.version: candidate.owner for candidate in crowd}
    made = wave(crowd, seats, tables, Dice.of(seed), most=most)
    together = [max(Counter(owner[version] for version in table).values()) for table in made]
    assert all(count <= most for count in together)
    assert bool(made) == (len(crowd) >= seats)
    assert most == 1 or not wave(crowd, seats, tables, Dice.of(seed), most=most - 1)


@given(crowds(), st.integers(2, 8), st.integers(1, 10), st.booleans(), st.text())
def test_the_same_wave_of_a_ladder_is_the_same_again(
    crowd: list[Candidate], seats: int, tables: int, owners_apart: bool, seed: str
) -> None:
    first, second = (wave(crowd, seats, tables, Dice.of(seed), most=1 if owners_apart else seats) for _ in range(2))
    assert first == second


@given(crowds(), st.integers(2, 8), st.integers(1, 10), st.text())
def test_a_quarter_of_the_seats_go_to_those_who_have_waited_longest(
    crowd: list[Candidate], seats: int, tables: int, seed: str
) -> None:
    made = wave(crowd, seats, tables, Dice.of(seed), most=seats)
    longest = sorted(crowd, key=lambda candidate: (candidate.waiting_since, candidate.version))
    quarter = {candidate.version for candidate in longest[: len(made) * seats // 4]}
    assert quarter <= {version for table in made for version in table}


def test_newcomers_play_more_often_than_those_long_known() -> None:
    crowd = [Candidate(n, n, 1500, 350 if n < 4 else 17, 0 if n < 4 else 400, 0) for n in range(40)]
    played = Counter(
        version
        for number in range(200)
        for table in wave(crowd, 4, 2, Dice.of(f"{number}"), most=4)
        for version in table
    )
    newcomers, regulars = (sum(played[n] for n in numbers) / len(numbers) for numbers in (range(1, 4), range(8, 40)))
    assert newcomers > 4 * regulars


def test_tables_hold_bots_of_like_strength() -> None:
    crowd = [Candidate(n, n, 100.0 * n, 17, 400, 0) for n in range(40)]
    made = [wave(crowd, 4, 10, Dice.of(f"{number}"), most=4) for number in range(30)]
    spreads = [max(table) - min(table) for tables in made for table in tables]
    assert sum(spreads) / len(spreads) < 8  # 24 if they sat anyhow
    assert max(spreads) > 4  # and yet not always the same four


@given(crowds(), st.integers(2, 8), st.integers(1, 10), st.integers(0, 100), st.text())
def test_tables_by_lot_seat_the_same_versions(
    crowd: list[Candidate], seats: int, tables: int, by_lot: int, seed: str
) -> None:
    plain = wave(crowd, seats, tables, Dice.of(seed), most=seats)
    drawn = wave(crowd, seats, tables, Dice.of(seed), most=seats, by_lot=by_lot)
    assert {version for table in drawn for version in table} == {version for table in plain for version in table}
    assert [len(table) for table in drawn] == [seats] * len(plain)
    assert drawn == plain or by_lot


def test_so_many_of_a_hundred_tables_are_cut_by_lot() -> None:
    crowd = [Candidate(n, n, 100.0 * n, 17, 400, 0) for n in range(40)]
    spreads = {
        by_lot: [
            max(table) - min(table)
            for number in range(60)
            for table in wave(crowd, 4, 10, Dice.of(f"{number}"), most=4, by_lot=by_lot)
        ]
        for by_lot in (0, 50, 100)
    }
    near, mixed, lot = (sum(distances) / len(distances) for distances in spreads.values())
    assert near < 8
    assert 23 < lot < 26
    assert (mixed - near) / (lot - near) == pytest.approx(0.5, abs=0.1)


@given(st.integers(2, 8))
def test_rotations_are_latin_squares(seats: int) -> None:
    rows = seat_rotations(range(10, 10 + seats))
    for line in [*rows, *zip(*rows, strict=True)]:
        assert sorted(line) == list(range(10, 10 + seats))


@given(st.sampled_from([2, 4, 6, 8]))
def test_for_even_tables_everybody_sits_once_just_before_everybody_else(seats: int) -> None:
    neighbours = [pair for row in seat_rotations(range(seats)) for pair in pairwise(row)]
    assert len(neighbours) == len(set(neighbours)) == seats * (seats - 1)
