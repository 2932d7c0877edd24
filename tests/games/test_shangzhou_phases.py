"""Shangzhou-Gold, the clauses in the rulebook's order: phases 4 to 6, from bids for templates to disputes."""

from typing import Any

import pytest

from engine.core import Match
from engine.games.shangzhou import (
    Applied,
    Apply,
    Awarded,
    Bid,
    Engage,
    Engaged,
    Expand,
    Expanded,
    Gift,
    Options,
    Order,
    Ordered,
    Pass,
    Passed,
    Position,
    ToApply,
    ToBid,
    ToExpand,
    ToOrder,
    Unsold,
    Use,
    dispute,
    valid,
)
from engine.games.shangzhou.templates import least_bid
from tests.games.answering import answer, heard, refusal, seat_to_answer
from tests.games.shangzhou_tables import agents_in, begin, defaults, lots, question, table

# --- the Overseer's order ------------------------------------------------------------------------------------------


def test_the_overseer_names_any_order_for_the_phase() -> None:
    """Z1.13, Z2.6, Z3.6: by default the priority list."""
    match = begin(4, "order_bid", lots=lots("PPPP", 4), clout=[4] * 4, overseer=3, priority=[2, 0, 1, 3])
    assert seat_to_answer(match) == 3
    assert question(match).default() == Order([2, 0, 1, 3])
    assert refusal(match, Order([0, 1, 2])) == "names the order 0, 1, 2; it must have each of 2, 0, 1, 3 once"
    assert refusal(match, Order([0, 1, 2, 2])).startswith("names the order 0, 1, 2, 2")
    assert len(refusal(match, Order([0] * 9999))) < 300
    events = answer(match, Order([3, 1, 0, 2]))
    assert heard(events, Ordered) == [Ordered("bid", [3, 1, 0, 2])]
    for seat in (3, 1, 0, 2):
        assert seat_to_answer(match) == seat
        answer(match, Pass())


def test_an_order_is_named_afresh_for_bids_for_applying_and_for_expanding() -> None:
    """Z1.13, Z2.6"""
    match = begin(phase="order_bid", lots=lots("PPUU"), clout=[4, 4, 4])
    answer(match, Order([2, 1, 0]), Bid(0, 1), Bid(1, 1), Pass(), Pass(), Pass())
    assert isinstance(question(match), ToOrder)
    answer(match, Order([1, 2, 0]))
    assert seat_to_answer(match) == 1
    answer(match, Apply("P", 0), Apply("P", 1))
    answer(match, Order([0, 2, 1]))
    assert seat_to_answer(match) == 0


def test_the_overseer_may_be_left_with_the_choice_of_who_is_first() -> None:
    """Z2.6: then it goes on by seat."""
    match = begin(phase="order_expand", clout=[1, 1, 1], priority=[2, 1, 0], overseer_power="start")
    assert question(match).default() == Order([2, 0, 1])
    assert refusal(match, Order([1, 0, 2])) == "names the order 1, 0, 2; from seat 1 it goes 1, 2, 0"
    answer(match, Order([1, 2, 0]))
    assert seat_to_answer(match) == 1


def test_the_order_of_applying_is_not_asked_if_one_player_has_all_templates() -> None:
    """Z3.11"""
    match = begin(phase="order_apply", templates=[[], ["P", "C"], []])
    assert isinstance(question(match), ToApply)
    assert seat_to_answer(match) == 1


# --- 4 bidding for templates ---------------------------------------------------------------------------------------


def bidding(tiles: str = "PUUU", clout: tuple[int, ...] = (4, 4, 4), **settings: Any) -> Match[Position]:
    return begin(len(clout), "bid", lots=lots(tiles, len(clout)), clout=list(clout), trade_windows=0, **settings)


def test_bids_go_round_until_all_have_passed_and_the_highest_totals_pay() -> None:
    """Z1.15, Z1.16, Z6.5, Z7.16, Z1.17"""
    match = bidding()
    events = answer(match, Bid(0, 1), Bid(0, 2), Bid(1, 1), Bid(0, 2), Pass(), Pass(), Pass())
    assert heard(events, Awarded) == [Awarded(0, "P", 0, 3), Awarded(1, "U", 2, 1)]
    assert heard(events, Unsold) == [Unsold(2, "U"), Unsold(3, "U")]
    assert match.at.clout == [1, 4, 3]
    assert match.at.gone == {"U": 2}
    answer(match, Order([0, 1, 2]))
    assert seat_to_answer(match) == 0
    answer(match, Apply("P", 0))
    assert seat_to_answer(match) == 2


def test_a_bid_must_come_to_more_than_any_other_player_has_there() -> None:
    """Z1.15, Z3.7, Z7.17: an illegal one is a pass, and that is final."""
    match = bidding()
    answer(match, Bid(0, 2))
    assert refusal(match, Bid(0, 2)) == "puts 2 on lot 0; it takes 3 to 4"
    assert question(match).default() == Pass()
    answer(match, Pass(), Pass(), Bid(1, 1))
    assert seat_to_answer(match) == 0
    assert match.at.live == [0]


def test_own_clout_there_counts() -> None:
    """Z7.18, Z3.7"""
    match = bidding(clout=(9, 9, 9))
    answer(match, Bid(0, 1), Bid(0, 3), Pass())
    asks = question(match)
    assert isinstance(asks, ToBid)
    assert asks.least == [3, 1, 1, 1]
    assert least_bid(match.at.lots[0], 0) == 3
    assert refusal(match, Bid(0, 2)) == "puts 2 on lot 0; it takes 3 to 8"


def test_ones_own_leading_bid_may_be_raised_and_several_templates_won() -> None:
    """Z2.7"""
    match = bidding()
    events = answer(match, Bid(0, 1), Pass(), Pass(), Bid(0, 1), Bid(1, 2))
    assert [award.price for award in heard(events, Awarded)] == [2, 2]
    assert match.at.templates[0] == ["P", "U"]


@pytest.mark.parametrize(
    ("bid", "reason"),
    [
        (Bid(4, 1), "bids on lot 4; the lots are 0 to 3"),
        (Bid(-1, 1), "bids on lot -1; the lots are 0 to 3"),
        (Bid(0, 0), "puts 0 on lot 0; it takes 1 to 4"),
        (Bid(0, 5), "puts 5 on lot 0; it takes 1 to 4"),
    ],
)
def test_a_bid_is_on_one_lot_and_of_clout_one_has(bid: Bid, reason: str) -> None:
    """Z2.7, Z3.7"""
    assert refusal(bidding(), bid) == reason


def test_clout_on_a_template_cannot_be_used_elsewhere_and_without_clout_one_passes_unasked() -> None:
    """Z2.7, Z3.11"""
    match = bidding(clout=(4, 0, 4))
    events = answer(match, Bid(0, 4), Pass())
    assert heard(events, Passed) == [Passed("bid", 1, auto=True), Passed("bid", 2), Passed("bid", 0, auto=True)]


def test_whoever_cannot_outbid_anybody_passes_unasked() -> None:
    """Z3.11: one legal answer is none to ask for."""
    match = bidding("P", clout=(4, 2, 4))
    events = answer(match, Bid(0, 3))
    assert heard(events, Passed) == [Passed("bid", 1, auto=True)]
    assert seat_to_answer(match) == 2


def test_bids_of_a_player_in_a_phase_are_limited() -> None:
    """Z5.7"""
    match = bidding(max_bids=2)
    events = answer(match, Bid(0, 1), Pass(), Pass(), Bid(0, 1))
    assert heard(events, Passed)[-1] == Passed("bid", 0, auto=True)
    assert (Options().max_bids, Options().max_expansions) == (30, 40)


def test_hackers_and_viruses_are_kept_when_bought() -> None:
    """Z1.31, Z1.32, Z2.19"""
    match = bidding("HVP")
    answer(match, Bid(0, 1), Bid(1, 1), Pass(), Pass(), Pass())
    assert match.at.hackers == [1, 0, 0]
    assert match.at.viruses == [0, 1, 0]
    assert match.at.templates == [[], [], []]


# --- 5 applying templates ------------------------------------------------------------------------------------------


def test_templates_are_placed_in_turn_on_sectors_without_one_until_all_are() -> None:
    """Z1.17, Z1.18, Z3.8: anywhere, agents or not."""
    match = begin(phase="apply", templates=[["P", "C"], ["U"], []], zones={5: "S"}, agents={7: (0, 2, 0)})
    assert question(match).default() == Apply("P", 0)
    assert refusal(match, Apply("U", 0)) == "puts down U; the templates in hand are P, C"
    for taken in (5, 9, 64, -1):
        assert refusal(match, Apply("P", taken)).startswith(f"puts a template on {taken}; sectors without one are 0, 1")
    events = answer(match, Apply("C", 7), Apply("U", 63), Apply("P", 0))
    assert [(event.seat, event.tile, event.sector) for event in heard(events, Applied)] == [
        (0, "C", 7),
        (1, "U", 63),
        (0, "P", 0),
    ]
    assert agents_in(match.at, 7) == [0, 2, 0]


def test_a_home_node_is_a_template_too() -> None:
    """Z1.33"""
    match = begin(phase="apply", templates=[["P"], [], []])
    asks = question(match)
    assert isinstance(asks, ToApply)
    assert asks.sectors == [sector for sector in range(64) if sector not in (9, 14, 49)]


def test_agents_under_a_restricted_template_stay_and_nobody_else_may_enter() -> None:
    """Z1.30, Z2.10"""
    match = begin(phase="apply", templates=[["R"], [], []], agents={10: (1, 2, 0)}, clout=[2, 2, 0])
    answer(match, Apply("R", 10), Order([0, 1, 2]))
    assert agents_in(match.at, 10) == [1, 2, 0]
    asks = question(match)
    assert isinstance(asks, ToExpand)
    assert 10 not in asks.valid
    assert {2, 11, 18} <= set(asks.valid)
    assert asks.fights == [(10, 1)]


def test_agents_under_a_restricted_template_may_be_evicted() -> None:
    """Z2.10"""
    match = begin(phase="apply", templates=[["R"], [], []], agents={10: (1, 2, 0)}, restricted_cover="evict")
    events = answer(match, Apply("R", 10))
    assert heard(events, Applied) == [Applied(0, "R", 10, [1, 2, 0])]
    assert agents_in(match.at, 10) == [0, 0, 0]


def test_where_no_sector_is_left_a_template_leaves_play() -> None:
    """Z2.11: and the last sector is taken without asking."""
    full = {sector: "U" for sector in range(63) if sector not in (9, 14, 49)}
    match = begin(phase="order_apply", templates=[["P", "P"], [], []], zones=full)
    events = match.hear()
    assert heard(events, Applied) == [Applied(0, "P", 63, [], auto=True), Applied(0, "P", -1, [], auto=True)]
    assert match.at.gone == {"P": 1}


# --- 6 expanding and disputing control -----------------------------------------------------------------------------


def test_a_player_expands_from_its_home_and_from_its_agents_but_not_diagonally() -> None:
    """Z1.20, Z6.3, Z7.19, Z2.13"""
    assert valid(table(), 0) == [1, 8, 9, 10, 17]
    spread = table(agents={30: (1, 0, 0), 31: (0, 1, 0)})
    assert valid(spread, 0) == [1, 8, 9, 10, 17, 22, 29, 30, 31, 38]


def test_an_opponents_home_is_an_ordinary_sector() -> None:
    """Z2.13: and one's own is valid whoever is there."""
    position = table(agents={13: (1, 0, 0), 9: (0, 3, 0)})
    assert 14 in valid(position, 0)
    assert 9 in valid(position, 0)


def test_nobody_enters_a_restricted_sector() -> None:
    """Z1.30, Z7.20"""
    assert 10 not in valid(table(zones={10: "R"}), 0)
    inside = valid(table(zones={10: "R"}, agents={10: (1, 0, 0)}), 0)
    assert 10 not in inside
    assert {2, 11, 18} <= set(inside)


def test_one_to_three_clout_are_placed_and_become_agents() -> None:
    """Z1.5, Z1.19, Z3.9, Z7.21: validity is judged before the action."""
    match = begin(clout=[4, 0, 0])
    assert question(match).default() == Pass()
    assert refusal(match, Expand([10, 11])) == "places Clout in 11; valid sectors are 1, 8, 9, 10, 17"
    answer(match, Expand([10, 10, 17]))
    assert (agents_in(match.at, 10), agents_in(match.at, 17), match.at.clout) == ([2, 0, 0], [1, 0, 0], [1, 0, 0])


def test_a_chain_takes_further_actions() -> None:
    """Z2.12, Z1.19: rounds go on until all have passed."""
    match = begin(clout=[3, 0, 0])
    answer(match, Expand([10]), Expand([11]), Expand([12]))
    assert [agents_in(match.at, sector)[0] for sector in (10, 11, 12)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("sectors", "reason"),
    [([], "places 0 Clout; it can place 1 to 3"), ([9] * 4, "places 4 Clout; it can place 1 to 3")],
)
def test_no_more_than_three_and_no_fewer_than_one(sectors: list[int], reason: str) -> None:
    """Z3.9"""
    assert refusal(begin(clout=[5, 0, 0]), Expand(sectors)) == reason


def test_many_agents_of_many_players_may_share_a_sector() -> None:
    """Z1.22"""
    match = begin(agents={10: (5, 7, 9)}, clout=[3, 0, 0])
    answer(match, Expand([10, 10, 10]))
    assert agents_in(match.at, 10) == [8, 7, 9]


def test_players_act_in_turn_and_who_passes_is_out() -> None:
    """Z1.19"""
    match = begin(clout=[2, 2, 2], order=[1, 0, 2], live=[1, 0, 2])
    seats = []
    for given in (Pass(), Expand([9]), Expand([49]), Pass(), Expand([49])):
        seats.append(seat_to_answer(match))
        answer(match, given)
    assert seats == [1, 0, 2, 0, 2]


@pytest.mark.parametrize(
    ("attacker", "defender", "left"),
    [
        (2, 1, (2, 0)),
        (1, 2, (0, 1)),
        (3, 3, (1, 0)),
        (2, 5, (0, 3)),
        (5, 2, (4, 0)),
        (1, 1, (1, 0)),
        (4, 3, (2, 0)),
        (3, 4, (0, 1)),
    ],
)
def test_in_a_dispute_both_lose_agents_in_turn_the_opponent_first(
    attacker: int, defender: int, left: tuple[int, int]
) -> None:
    """Z1.21, Z6.2, Z7.12, Z7.13, Z7.14: the formula against the removal one by one."""
    agents, turn = [defender, attacker], 0
    while all(agents):
        agents[turn] -= 1
        turn = 1 - turn
    assert dispute(attacker, defender) == left == (agents[1], agents[0])


def test_one_engages_one_opponent_where_both_have_agents() -> None:
    """Z1.21, Z3.9, Z2.14: a third player is left alone, and removed agents are no Clout."""
    match = begin(agents={20: (2, 1, 4), 21: (1, 0, 0)})
    asks = question(match)
    assert isinstance(asks, ToExpand)
    assert asks.fights == [(20, 1), (20, 2)]
    assert refusal(match, Engage(21, 1)) == "engages seat 1 in sector 21; it can engage 1 in 20; 2 in 20"
    assert refusal(match, Engage(20, 0)).startswith("engages seat 0")
    events = answer(match, Engage(20, 1))
    assert heard(events, Engaged) == [Engaged(0, 1, 20, [2, 0])]
    assert agents_in(match.at, 20) == [2, 0, 4]
    assert match.at.clout == [0, 0, 0]


def test_whoever_can_neither_place_nor_engage_passes_unasked() -> None:
    """Z3.11"""
    match = begin(agents={20: (1, 1, 0)}, clout=[0, 0, 0])
    assert seat_to_answer(match) == 0
    events = answer(match, Engage(20, 1))
    assert heard(events, Passed) == [Passed("expand", seat, auto=True) for seat in (1, 2, 0)]


def test_expansions_of_a_player_in_a_phase_are_limited() -> None:
    """Z5.7"""
    match = begin(clout=[9, 0, 0], max_expansions=2)
    events = answer(match, Expand([9]), Expand([9]))
    assert heard(events, Passed)[-1] == Passed("expand", 0, auto=True)


def test_what_ones_own_virus_has_removed_still_allows_the_placement_that_goes_with_it() -> None:
    """Z2.19: it is judged as it was asked; from the next decision on the sectors are not valid any more."""
    match = begin(agents={20: (2, 0, 0)}, clout=[3, 0, 0], viruses=[1, 0, 0])
    events = answer(match, Expand([20, 21], uses=[Use("virus", 20)]))
    assert heard(events, Expanded) == [Expanded(0, [20, 21])]
    assert (match.at.agents[0][20], match.at.agents[0][21]) == (1, 1)
    match = begin(agents={20: (2, 0, 0)}, clout=[3, 0, 0], viruses=[1, 0, 0])
    answer(match, Expand([9], uses=[Use("virus", 20)]))
    assert not {20, 21} & set(question(match).valid)  # type: ignore[attr-defined]


def test_an_engagement_that_ones_own_virus_has_emptied_does_nothing() -> None:
    """Z2.19: it is no pass."""
    match = begin(agents={20: (2, 1, 0)}, clout=[1, 0, 0], viruses=[1, 0, 0])
    events = answer(match, Engage(20, 1, uses=[Use("virus", 20)]))
    assert heard(events, Engaged) == [Engaged(0, 1, 20, [0, 0])]
    assert seat_to_answer(match) == 0


def test_a_template_given_to_somebody_who_had_none_is_placed_in_this_phase() -> None:
    """Z2.20, Z1.17"""
    match = begin(phase="apply", templates=[["P", "C", "U"], [], []])
    answer(match, Apply("P", 0, gifts=[Gift(to=2, templates=["C"])]))
    assert seat_to_answer(match) == 2
    events = defaults(match, "order")
    assert [event.seat for event in heard(events, Applied)] == [2, 0]
