"""Shangzhou-Gold, the clauses in the rulebook's order: setup and phases 1 to 3."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.core import Match
from engine.dice import Dice
from engine.games.shangzhou import (
    HOMES,
    SHANGZHOU,
    TILES,
    Bribe,
    Displayed,
    Expand,
    Home,
    Income,
    Options,
    Order,
    Overseen,
    Position,
    Settled,
    Setup,
    ToOffer,
    TurnBegun,
    neighbours,
)
from engine.games.shangzhou.rules import PHASES
from engine.records import to_plain
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.shangzhou_tables import agents_in, all_answer, begin, defaults, question, table


def start(players: int = 3, seed: str = "setup", **options: object) -> Match[Position]:
    return SHANGZHOU.start(SHANGZHOU.read_options({"players": players, **options}), seed)


# --- material and setup --------------------------------------------------------------------------------------------


def test_the_board_has_sixty_four_sectors_and_diagonals_are_not_adjacent() -> None:
    """Z1.1, Z1.20"""
    position = start().at
    assert len(position.zones) == 64
    assert {len(agents) for agents in position.agents} == {64}
    assert neighbours(0) == [1, 8]
    assert neighbours(9) == [1, 8, 10, 17]
    assert neighbours(63) == [55, 62]


def test_there_are_eighty_tiles_all_shuffled_into_the_stack() -> None:
    """Z1.2, Z1.4, Z3.1"""
    assert TILES == {"C": 18, "P": 18, "U": 12, "S": 12, "R": 6, "H": 5, "V": 5, "N": 4}
    first, second = start(seed="1").at, start(seed="2").at
    assert Counter(first.stack) == Counter(second.stack) == Counter(TILES)
    assert sum(TILES.values()) == 80
    assert first.stack != second.stack


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players_have_each_a_home_node_one_step_in_from_a_corner(players: int) -> None:
    """Z1.3, Z1.6, Z2.1"""
    position = start(players).at
    assert len(set(position.homes)) == players
    assert set(position.homes) <= set(HOMES) == {9, 14, 49, 54}
    assert [sector for sector, zone in enumerate(position.zones) if zone == "home"] == sorted(position.homes)


@pytest.mark.parametrize("players", [1, 5])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """Z2.1"""
    assert Options(players).error() == f"options.players must be 2 to 4, not {players}"


def test_homes_fall_by_chance_and_two_players_sit_opposite() -> None:
    """Z2.2, Z3.1: every arrangement comes up."""
    pairs = {tuple(start(2, str(seed)).at.homes) for seed in range(60)}
    assert pairs == {(9, 54), (54, 9), (14, 49), (49, 14)}
    assert len({tuple(start(4, str(seed)).at.homes) for seed in range(300)}) == 24


def test_homes_may_be_chosen_in_the_order_of_the_priority_list() -> None:
    """Z2.2: the last of four has no choice and is not asked."""
    match = start(4, home_layout="choose")
    order = match.at.priority.copy()
    for seat, sector in zip(order, (14, 9, 49), strict=False):
        assert seat_to_answer(match) == seat
        answer(match, Home(sector))
    assert [match.at.homes[seat] for seat in order] == [14, 9, 49, 54]
    assert match.at.turn == 1


def test_a_home_that_is_taken_is_refused() -> None:
    """Z2.2"""
    match = start(2, home_layout="choose")
    answer(match, Home(14))
    assert refusal(match, Home(14)) == "settles on 14; free places are 9, 49, 54"
    assert question(match).default() == Home(9)
    events = answer(match, Home(9))
    assert heard(events, Settled)[0].sector == 9


def test_setup_is_told_with_homes_and_the_priority_list() -> None:
    """Z4.2"""
    match = start()
    events = match.hear()
    assert events[:2] == [Setup(Options(3), match.at.homes, match.at.priority), TurnBegun(1)]


def test_nobody_has_clout_before_the_first_income_and_tokens_never_run_out() -> None:
    """Z1.5, Z2.3"""
    match = start()
    assert SHANGZHOU.new(Options(3), Dice.of("1")).clout == [0, 0, 0]
    assert match.at.clout == [4, 4, 4]
    rich = begin(clout=[10_000, 0, 0])
    answer(rich, Expand([9, 9, 9]))
    assert agents_in(rich.at, 9) == [3, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"base_income": 11}, "options.base_income must be 0 to 10, not 11"),
        ({"clout_goal": 14}, "options.clout_goal must be 15 to 100, not 14"),
        ({"sector_goal": 65}, "options.sector_goal must be 20 to 64, not 65"),
        ({"max_turns": 0}, "options.max_turns must be 1 to 100, not 0"),
        ({"max_bids": 0}, "options.max_bids must be 1 to 100, not 0"),
        ({"max_expansions": 101}, "options.max_expansions must be 1 to 100, not 101"),
        ({"trade_windows": 3}, 'options.trade_windows must be "auto" or 0 to 2, not 3'),
        (
            {"trade_windows": 1, "trading": "off"},
            'options.trade_windows must be "auto" or 0 where trading is "off", as nothing is traded',
        ),
    ],
)
def test_options_out_of_range_or_that_contradict_each_other_are_refused(wrong: dict[str, object], reason: str) -> None:
    """Z1.34: the balance may be tweaked, within limits."""
    with pytest.raises(ValueError, match="options") as caught:
        SHANGZHOU.read_options(wrong)
    assert str(caught.value) == reason


def test_the_eight_phases_come_in_the_rulebooks_order() -> None:
    """Z1.8: with the windows and the Overseer's orders between them."""
    eight = ("income", "oversight", "display", "bid", "apply", "expand", "check", "relinquish")
    places = [PHASES.index(phase) for phase in eight]
    assert places == sorted(places)
    assert all(earlier < later for earlier, later in pairwise(places))
    assert PHASES[0] == "opening"
    assert PHASES.index("closing") == PHASES.index("check") - 1


# --- 1 income, 2 oversight, 3 display ------------------------------------------------------------------------------


def test_each_player_gets_four_clout_and_three_come_from_each_production_sector() -> None:
    """Z1.9, Z1.10, Z1.27, Z7.22"""
    match = begin(phase="income", agents={20: (3, 0, 4)}, zones={20: "P"})
    assert match.at.clout == [5, 4, 6]
    income = heard(match.hear(), Income)[0]
    assert (income.base, income.clout) == (4, [5, 4, 6])
    assert to_plain(income.sectors) == [{"sector": 20, "amount": 3, "paid": [1, 0, 2]}]


def test_each_commerce_sector_has_a_roll_of_its_own_by_sector_number() -> None:
    """Z1.12, Z1.27, Z2.8, Z3.1: one die from 1 to 6."""
    zones = dict.fromkeys(range(20, 44), "C")
    match = begin(phase="income", agents=dict.fromkeys(zones, (1, 0, 0)), zones=zones, clout=[0, 0, 0])
    (income,) = heard(match.hear(), Income)
    assert [payout.sector for payout in income.sectors] == list(zones)
    assert {payout.amount for payout in income.sectors} == {1, 2, 3, 4, 5, 6}
    assert match.at.clout[0] == 4 + sum(payout.amount for payout in income.sectors)


def test_public_and_all_other_sectors_give_no_income() -> None:
    """Z1.28, Z1.29"""
    zones = dict(enumerate("USRN", 20))
    match = begin(phase="income", agents=dict.fromkeys(zones, (1, 0, 0)), zones=zones, base_income=2)
    assert match.at.clout == [2, 2, 2]


def test_all_bids_for_oversight_are_secret_and_lost_and_the_highest_wins() -> None:
    """Z1.13, Z3.3, Z7.15"""
    match = begin(phase="oversight", clout=[4, 4, 4], trade_windows=0)
    assert set(match.questions) == {0, 1, 2}
    assert question(match, 1).default() == Bribe(0)
    assert refusal(match, Bribe(5), seat=1) == "bids 5 for oversight; a bid is 0 to 4"
    assert refusal(match, Bribe(-1), seat=1) == "bids -1 for oversight; a bid is 0 to 4"
    events = all_answer(match, p0=Bribe(1), p1=Bribe(2), p2=Bribe(4))
    assert heard(events, Overseen) == [Overseen([1, 2, 4], 2, [0, 1, 2])]
    assert match.at.clout == [3, 2, 0]


@pytest.mark.parametrize(("bids", "clout"), [((3, 3, 1), [1, 1, 3]), ((0, 0, 0), [4, 4, 4])])
def test_a_tie_goes_to_the_first_in_the_priority_list_who_moves_to_its_end(
    bids: tuple[int, ...], clout: list[int]
) -> None:
    """Z2.5, Z6.4, Z7.15: oversight that nobody pays for goes round."""
    match = begin(phase="oversight", clout=[4, 4, 4])
    events = all_answer(match, **{f"p{seat}": Bribe(bid) for seat, bid in enumerate(bids)})
    assert heard(events, Overseen) == [Overseen(list(bids), 0, [1, 2, 0])]
    assert match.at.clout == clout


def test_a_tie_may_be_broken_by_lot() -> None:
    """Z2.5"""
    seen = set()
    for seed in range(30):
        match = begin(phase="oversight", clout=[4, 4, 4], oversight_tie="random", dice=Dice.of(str(seed)))
        seen.add(heard(all_answer(match, p0=Bribe(1), p2=Bribe(1)), Overseen)[0].overseer)
    assert seen == {0, 2}


def test_without_clout_nobody_is_asked_for_a_bid() -> None:
    """Z3.3, Z3.11: only 0 could be bid."""
    match = begin(phase="oversight", clout=[0, 0, 0], priority=[2, 0, 1])
    assert match.at.overseer == 2
    assert isinstance(question(match, 0), ToOffer)


def test_four_tiles_are_displayed_each_turn_until_the_stack_is_empty_after_twenty() -> None:
    """Z1.14, Z7.33, Z2.9: from turn 21 on there is no bid and nothing to place, but still an order for phase 6."""
    match = start(3, max_turns=22, talk="off", trading="off")
    events = defaults(match)
    tiles = [event.tiles for event in heard(events, Displayed)]
    assert [len(display) for display in tiles] == [4] * 20
    assert Counter(tile for display in tiles for tile in display) == Counter(TILES)
    late = events[events.index(TurnBegun(21)) :]
    assert [getattr(event, "phase", "") for event in late].count("bid") == 0
    assert [getattr(event, "phase", "") for event in late if type(event).__name__ == "Ordered"] == ["expand"] * 2


def test_an_order_is_named_by_the_overseer_alone() -> None:
    """Z3.6"""
    match = begin(phase="order_expand", overseer=2, priority=[1, 0, 2])
    assert seat_to_answer(match) == 2
    assert question(match).default() == Order([1, 0, 2])
    assert table(players=4).overseer == 0
