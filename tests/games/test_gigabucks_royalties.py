"""Royalties: the rulebook's section 7 and 12B, every vector, and against the definition taken by the letter."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import Seat
from engine.games.gigabucks import Lines, Offer, Paid, Royalty, ToBid, appraisal, conglomerate, royalty
from engine.games.gigabucks.royalties import chain
from tests.games.answering import heard
from tests.games.gigabucks_tables import answer, bids, landing, question, seed_board, table

SEED_ROYALTIES = {24: 4, 25: 0, 26: 10, 27: 13, 28: 15, 29: 16, 30: 6, 31: 11}


@st.composite
def boards(draw: st.DrawFn) -> tuple[list[Seat | None], list[int]]:
    """Owners and lines; few owners, so that conglomerates are long, and now and then one that owns all."""
    size = draw(st.sampled_from([12, 13, 24, 42]))
    owners = st.lists(st.sampled_from([0, 0, 0, 0, 1, None]), min_size=size, max_size=size)
    owner: list[Seat | None] = draw(st.one_of(owners, st.just([0] * size)))
    return owner, draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))


def by_the_letter(owner: Sequence[Seat | None], lines: Sequence[int], space: int) -> int:
    """Add up for all spaces the least of the lines on the stretch from `space` to it, if one player owns the stretch.

    Every stretch is written out, in both directions.
    """
    size, total = len(owner), 0
    for other in range(size):
        leasts = []
        for direction in (1, -1):
            steps = (other - space) * direction % size
            stretch = [(space + direction * step) % size for step in range(steps + 1)]
            if all(owner[passed] == owner[space] for passed in stretch):
                leasts.append(min(lines[passed] for passed in stretch))
        total += max(leasts, default=0)
    return total


@given(boards(), st.integers(0, 41))
def test_royalties_are_what_the_definition_says(board: tuple[list[Seat | None], list[int]], start: int) -> None:
    """G-A1, G-F22, G-O4"""
    owner, lines = board
    space = start % len(owner)
    if owner[space] is not None:
        assert sum(chain(owner, lines, space).values()) == by_the_letter(owner, lines, space)


@given(boards(), st.integers(0, 41))
def test_a_conglomerate_is_the_longest_run_of_one_owner(board: tuple[list[Seat | None], list[int]], start: int) -> None:
    """G-F21"""
    owner, _ = board
    size, space = len(owner), start % len(owner)
    run = conglomerate(owner, space)
    assert len(run) == len(set(run))
    assert {owner[place] for place in run} == {owner[space]}
    if len(run) < size:
        ends = {
            place
            for place in range(size)
            if place not in run and ((place + 1) % size in run or (place - 1) % size in run)
        }
        assert all(owner[place] != owner[space] for place in ends)


def test_the_rulebooks_example_piece_by_piece() -> None:
    """G-F22, G-T1: landing on 28 costs 0 + 0 + 2 + 3 + 4 + 4 + 1 + 1."""
    position = seed_board()
    parts = chain(position.owner, position.lines, 28)
    assert [parts[space] for space in range(24, 32)] == [0, 0, 2, 3, 4, 4, 1, 1]
    assert royalty(position, 28) == 15


def test_the_rulebooks_board_space_by_space() -> None:
    """G-T2, G-A2"""
    position = seed_board()
    assert {space: royalty(position, space) for space in SEED_ROYALTIES} == SEED_ROYALTIES
    assert sum(SEED_ROYALTIES.values()) == 75


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("simple", {28: 29, 25: 25}), ("product", {28: 100, 25: 0, 31: 150})],
)
def test_simpler_and_steeper_royalties(rule: str, expected: dict[int, int]) -> None:
    """G-F36, G-T3, G-T4"""
    position = seed_board(options={"royalty": rule})
    assert {space: royalty(position, space) for space in expected} == expected


def test_the_break_between_41_and_0_changes_nothing() -> None:
    """G-F3, G-F21, G-T5"""
    position = table(owner={40: 1, 41: 1, 0: 1, 1: 1}, lines={40: 2, 41: 3, 0: 1, 1: 4})
    assert [royalty(position, space) for space in (40, 41, 0, 1)] == [6, 7, 4, 7]


@pytest.mark.parametrize("lines", [5, 0])
def test_a_lone_corporation_is_a_conglomerate_of_one(lines: int) -> None:
    """G-F21, G-T6"""
    assert royalty(table(owner={9: 1}, lines={9: lines}), 9) == lines


def test_a_rivals_space_parts_two_conglomerates() -> None:
    """G-F21, G-T7"""
    position = table(owner={10: 0, 11: 1, 12: 0}, lines={10: 3, 11: 9, 12: 3})
    assert [royalty(position, space) for space in (10, 11)] == [3, 9]


def test_if_one_player_owns_the_whole_track_each_space_counts_by_the_better_way() -> None:
    """G-O4, G-T8"""
    lines = dict(enumerate([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2]))
    position = table(2, owner=dict.fromkeys(range(12), 1), lines=lines, options={"spaces": 12})
    assert [royalty(position, space) for space in (0, 3)] == [12, 21]
    owned = table(owner=dict.fromkeys(range(42), 1), lines=dict.fromkeys(range(42), 2))
    assert royalty(owned, 17) == 84


def test_royalty_goes_to_the_owner() -> None:
    """G-T9: nobody bids for lines afterwards."""
    match = landing(seed_board(cash=[300, 300, 300, 300]), 28)
    events = match.hear()
    assert heard(events, Paid) == [Paid(0, [1], 15, "royalty")]
    (royalty,) = heard(events, Royalty)
    assert (royalty.seat, royalty.to, royalty.space, royalty.amount, sum(royalty.parts.values())) == (0, 1, 28, 15, 15)
    bids(match, 0)
    assert match.at.cash[:2] == [285, 315]


def test_paying_the_last_gigabuck_is_no_bankruptcy() -> None:
    """G-T21, G-O14: and lines are auctioned as usual."""
    match = landing(seed_board(cash=[15, 300, 300, 300]), 28)
    assert (match.at.cash[0], match.at.exits) == (0, [])
    assert isinstance(question(match), ToBid)


def test_without_currency_but_without_debt_one_stays_in() -> None:
    """G-T22, G-O14: landing on 25 costs nothing."""
    match = landing(seed_board(cash=[0, 300, 300, 300]), 25)
    assert (match.at.exits, match.at.current) == ([], 0)
    assert heard(match.hear(), Paid) == []


def test_what_is_owed_is_fixed_at_landing() -> None:
    """G-F23, G-T23: even if the liquidation that pays for it changes the conglomerate."""
    position = seed_board(cash=[0, 300, 300, 300])
    position.owner[27], position.lines[27] = 0, 3
    match = landing(position, 28)
    assert match.at.due
    assert match.at.due.amount == 4 + 4 + 1 + 1
    bids(match, 11, 0, 0)
    assert (match.at.owner[27], royalty(match.at, 28)) == (1, 15)
    assert match.at.cash[:2] == [1, 300 - 11 + 10]


def test_lines_bought_in_the_same_turn_come_too_late() -> None:
    """G-F23"""
    match = landing(seed_board(), 28)
    bids(match, 1)
    answer(match, Lines({"28": 50}))
    assert match.at.cash[0] == 300 - 15 + 50


def test_royalty_cannot_be_forgiven() -> None:
    """G-F24: it is paid before anything is asked."""
    match = landing(seed_board(owner=3), 28)
    assert match.at.cash == [285, 300, 300, 315]
    match_at_home = landing(table(owner={9: 0, 3: 0}, lines={9: 7}), 9)
    answer(match_at_home, Offer([]))
    assert match_at_home.at.cash[0] == 300


def test_an_appraisal_is_currency_and_one_landing_on_each_space() -> None:
    """G-T30, G-E3, G-A2"""
    assert appraisal(seed_board(cash=[0, 120, 0, 0]), 1) == 120 + 75


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_a_line_more_on_each_space_of_a_balanced_conglomerate_adds_its_size_squared(size: int) -> None:
    """G-A6: so a line is worth as much as the conglomerate is long."""
    spaces = range(10, 10 + size)
    before, after = (
        table(owner=dict.fromkeys(spaces, 0), lines=dict.fromkeys(spaces, lines), cash=[0, 0, 0, 0]) for lines in (3, 4)
    )
    assert appraisal(after, 0) - appraisal(before, 0) == size * size
