"""The sums a fit is made of."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.ratings.ledgers import SOME, ledgers
from tournaments.ratings.cells import UNIT, weight_of
from tournaments.ratings.ledger import Game, Ledger, RatedSet
from tournaments.ratings.pairs import MILLION, Pairs


def taken(margin: int = 0, *, forfeits: tuple[bool, ...] = (False, False, False)) -> Pairs:
    game = Game((1, 2, 3), (1, 2, 2), forfeits, (50, 40, 40))
    return Pairs([RatedSet(1, [game])], margin=margin)


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_weight_and_its_quarter_are_whole(seats: int) -> None:
    assert weight_of(seats) * (seats + 1) == 3 * UNIT
    assert weight_of(seats) % 4 == 0


def test_ahead_takes_all_and_level_takes_half() -> None:
    weight = weight_of(3)
    assert taken().taken == {1: {2: weight, 3: weight}, 2: {1: 0, 3: weight // 2}, 3: {1: 0, 2: weight // 2}}


@pytest.mark.parametrize(("margin", "share"), [(10, 1.0), (5, 1.0), (20, 0.875), (1000, 0.7525)])
def test_half_goes_by_the_margin_in_proportion_and_no_further(margin: int, share: float) -> None:
    pairs = taken(margin)
    assert pairs.taken[1][2] / weight_of(3) == pytest.approx(share, abs=1e-3)
    assert pairs.taken[1][2] + pairs.taken[2][1] == weight_of(3)
    assert pairs.taken[2][3] == pairs.taken[3][2]


def test_a_forfeit_goes_by_place_whatever_the_scores() -> None:
    assert taken(1000, forfeits=(False, True, True)).taken == taken().taken


@given(ledgers(margin=7))
@SOME
def test_what_one_takes_the_other_leaves(ledger: Ledger) -> None:
    pairs = Pairs(ledger.sets, margin=7)
    for bot, mine in pairs.taken.items():
        for other in mine:
            games = [g for s in ledger.sets for g in s.games if {bot, other} <= {*g.versions}]
            assert pairs.weight(bot, other) == sum(weight_of(len(game.versions)) for game in games)
            assert 0 <= mine[other] <= pairs.weight(bot, other)


@given(ledgers(margin=7))
@SOME
def test_a_set_taken_out_leaves_no_trace(ledger: Ledger) -> None:
    pairs = Pairs(ledger.sets, margin=7)
    for rated in ledger.sets:
        pairs.subtract(rated)
    assert not pairs.cells
    assert not pairs.taken


lucks = st.lists(st.integers(-900_000, 900_000), min_size=1, max_size=7).map(lambda parts: (*parts, -sum(parts)))


@given(lucks, st.data())
@SOME
def test_without_luck_a_table_loses_what_its_shares_lose(luck: tuple[int, ...], data: st.DataObject) -> None:
    seats = len(luck)
    places = data.draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
    versions = data.draw(st.permutations(range(1, seats + 1)))
    game = Game(versions, places, (False,) * seats)
    plain, without = Pairs([RatedSet(1, [game])]), Pairs([RatedSet(1, [replace(game, luck=luck)])])
    for version, mine in zip(versions, luck, strict=True):
        lost = sum(plain.taken[version].values()) - sum(without.taken[version].values())
        assert lost == pytest.approx(weight_of(seats) * (seats - 1) * mine / MILLION, abs=seats)
        for other in plain.taken[version]:
            assert without.weight(version, other) == plain.weight(version, other)


def test_luck_of_seats_that_change_places_changes_sides() -> None:
    game = Game((1, 2, 3), (1, 2, 3), (False,) * 3, luck=(70_001, -30_000, -40_001))
    mirror = Game((3, 2, 1), (1, 2, 3), (False,) * 3, luck=(70_001, -30_000, -40_001))
    straight, mirrored = Pairs([RatedSet(1, [game])]), Pairs([RatedSet(1, [mirror])])
    assert all(straight.taken[i][j] == mirrored.taken[4 - i][4 - j] for i in straight.taken for j in straight.taken[i])
