"""The five kinds of auction and the ways of bidding: the rulebook's sections 6 and 12A, in its order."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.auctions import BidMade
from engine.core import IllegalAction, Match
from engine.games.gigabucks import (
    GIGABUCKS,
    Bankrupt,
    Bid,
    Bundle,
    Called,
    Choose,
    Cut,
    Diversified,
    Lines,
    NoBid,
    Offer,
    Owned,
    Paid,
    Pick,
    Position,
    ToBid,
    ToBuyLines,
    ToChoose,
    ToCut,
    ToOffer,
    ToPick,
    Won,
)
from tests import thorough
from tests.games.answering import heard, seat_to_answer
from tests.games.gigabucks_tables import answer, bids, going, landing, question, table


def charter(players: int = 4, **fields: Any) -> Match[Position]:
    """The current player has landed on space 9, which nobody has chartered."""
    return going(table(players, tokens=[9, *range(1, players)], **fields), "charter", "end")


def selling(menu: list[Bundle], **fields: Any) -> Match[Position]:
    """Seat 0 has offered a menu."""
    owner = {corp: 0 for bundle in menu for corp in bundle.corps}
    match = going(table(owner=owner, lines={9: 5}, **fields), "offer", "end")
    answer(match, Offer(menu))
    return match


def debtor(cash: int = 10, due: int = 25) -> Match[Position]:
    """Seat 0 owns 3 and 9 and owes `due` to seat 1, for landing on 20."""
    position = table(owner={3: 0, 9: 0, 20: 1}, lines={20: due, 9: 2}, cash=[cash, 300, 300, 300])
    return landing(position, 20)


# --- auctions in general -------------------------------------------------------------------------------------------


def test_bidding_goes_clockwise_from_the_callers_left_and_passes_are_final() -> None:
    """G-F13, G-S6, G-A3, G-T14: several rounds; each bid tops the last."""
    match = charter(3)
    asked_in_turn = []
    for amount in (1, 2, 3, 4, 0, 0):
        asked_in_turn.append(seat_to_answer(match))
        bids(match, amount)
    assert asked_in_turn == [1, 2, 0, 1, 2, 0]
    assert (match.at.owner[9], match.at.cash) == (1, [304, 292, 304])


def test_only_the_current_player_calls_auctions() -> None:
    """G-F13"""
    match = going(table(owner={3: 0, 4: 2}), "offer", "diversify", "end")
    events = answer(match, Offer([Bundle([3], 1)])) + bids(match, 0, 0, 0)
    assert [call.by for call in heard(events, Called)] == [0, 0]


@pytest.mark.parametrize("amount", [-1, 3, 4, 76])
def test_a_bid_is_higher_than_the_last_and_can_be_paid_in_full(amount: int) -> None:
    """G-F13, G-F14"""
    match = charter(5)
    bids(match, 4)
    with pytest.raises(IllegalAction, match="5 to 75 here, or 0 to pass"):
        match.apply({2: Bid(amount)})


@pytest.mark.parametrize(("players", "most"), [(6, 60), (2, 300)])
def test_the_highest_bid_is_what_can_be_paid_to_each_opponent(players: int, most: int) -> None:
    """G-F14, G-O15, G-T16"""
    assert charter(players).questions == {1: ToBid(1, most, 1)}


def test_who_cannot_bid_passes_without_being_asked() -> None:
    """G-O15, G-T15, G-D2: six players with 4 each cannot pay 1 to each of five."""
    match = charter(6, cash=[4] * 6)
    events = match.hear()
    assert heard(events, BidMade)[:6] == [BidMade(seat, 0, auto=True) for seat in (1, 2, 3, 4, 5, 0)]
    assert heard(events, NoBid)[0] == NoBid("charter")
    assert match.at.owner[9] is None


def test_without_an_answer_a_bidder_passes() -> None:
    """G-D2"""
    assert ToBid(1, 9, 1).default() == Bid(0)


def test_the_leader_is_not_asked_again_until_overbid() -> None:
    """G-O16"""
    match = charter(3)
    events = bids(match, 2, 0, 0)
    assert heard(events, Won) == [Won("charter", 1, 2)]
    match = charter(3)
    events = bids(match, 0, 0, 7)
    assert heard(events, Won) == [Won("charter", 0, 7)]


@settings(max_examples=thorough.budget(13, full=200), deadline=None)
@given(st.lists(st.integers(0, 40), min_size=2, max_size=6), st.data())
def test_the_highest_bid_wins_whatever_is_bid(cash: list[int], data: st.DataObject) -> None:
    """G-F13, G-E4: bids rise, nobody bids after passing, and it ends."""
    match = going(table(len(cash), tokens=[9, *range(1, len(cash))], cash=cash.copy()), "charter")
    made: list[BidMade] = heard(match.hear(), BidMade)
    while not match.over:
        asked_for: ToBid = question(match)
        made += heard(bids(match, data.draw(st.sampled_from([0, asked_for.low, asked_for.high]))), BidMade)
    amounts = [bid.amount for bid in made if bid.amount]
    passed = [bid.seat for bid in made if not bid.amount]
    assert amounts == sorted(set(amounts))
    assert len(passed) == len(set(passed))
    if amounts:
        assert match.at.owner[9] == next(bid.seat for bid in made if bid.amount == amounts[-1])


# --- charter and reactivation --------------------------------------------------------------------------------------


def test_a_charter_is_paid_to_each_opponent_and_brings_no_lines() -> None:
    """G-F16, G-T10: six players, a bid of 4: 20 in all."""
    match = charter(6)
    events = bids(match, 4, 0, 0, 0, 0, 0)
    assert heard(events, Paid)[0] == Paid(1, [0, 2, 3, 4, 5], 4, "charter")
    assert match.at.cash == [304, 280, 304, 304, 304, 304]
    assert (match.at.owner[9], match.at.chartered[9], match.at.lines[9]) == (1, True, 0)


def test_the_current_player_may_bid_for_a_charter_and_is_last_to_speak() -> None:
    """G-F16"""
    match = charter(3)
    bids(match, 0, 0)
    assert seat_to_answer(match) == 0


def test_a_charter_nobody_wants_can_be_sold_later() -> None:
    """G-F16"""
    match = charter(3)
    events = bids(match, 0, 0, 0)
    assert heard(events, NoBid)[0] == NoBid("charter")
    assert (match.at.owner[9], match.at.chartered[9]) == (None, False)
    again = landing(table(3), 9)
    assert heard(again.hear(), Called) == [Called("charter", 0, 9, [])]


def test_a_reactivated_corporation_keeps_its_lines() -> None:
    """G-F17, G-T27"""
    match = landing(table(owner={9: None}, lines={9: 6}), 9)
    events = bids(match, 2, 0, 0, 0)
    assert heard(events, Paid)[0] == Paid(1, [0, 2, 3], 2, "reactivation")
    assert heard(events, Owned) == [Owned([9], 1)]
    assert (match.at.lines[9], match.at.owner[9]) == (6, 1)


# --- diversification -----------------------------------------------------------------------------------------------


def test_lines_cost_the_bid_for_each_line_and_opponent() -> None:
    """G-F18, G-T11, G-D3: four players, a bid of 5, three lines: 15 to each of three."""
    owner = dict.fromkeys((5, 9, 10, 13, 14), 1)
    match = going(table(owner=owner), "diversify", "end")
    bids(match, 5)
    assert match.questions == {1: ToBuyLines([5, 9, 10, 13, 14], 20, 15)}
    events = answer(match, Lines({"9": 1, "10": 2}))
    assert heard(events, Paid)[0] == Paid(1, [0, 2, 3], 15, "diversification")
    assert heard(events, Diversified) == [Diversified(1, {"9": 1, "10": 2})]
    assert match.at.cash == [315, 255, 315, 315]
    assert (match.at.lines[9], match.at.lines[10]) == (1, 2)


def test_only_owners_bid_for_lines() -> None:
    """G-F18, G-T17"""
    match = going(table(owner={9: 1}), "diversify", "end")
    assert match.at.auction
    assert match.at.auction.bidding == [1]
    bids(match, 3)
    assert match.questions == {1: ToBuyLines([9], 33, 9)}


def test_if_nobody_bids_there_are_no_lines() -> None:
    """G-F18"""
    match = going(table(owner={9: 1}), "diversify", "end")
    assert heard(bids(match, 0), NoBid)[0] == NoBid("diversification")
    assert sum(match.at.lines) == 0


@pytest.mark.parametrize(
    ("add", "reason"),
    [
        ({}, "buys 0 lines; at 15 each it must buy 1 to 20"),
        ({"9": 21}, "buys 21 lines"),
        ({"9": 0}, "adds 0 lines to 9; it must be 1 or more"),
        ({"9": -3, "10": 4}, "adds -3 lines to 9"),
        ({"8": 1}, "adds lines to '8'; it owns 9, 10"),
        ({"09": 1}, "adds lines to '09'"),
    ],
)
def test_lines_are_affordable_and_for_own_corporations(add: dict[str, int], reason: str) -> None:
    """G-D3"""
    assert reason in str(ToBuyLines([9, 10], 20, 15).error(Lines(add)))


def test_without_an_answer_the_winner_buys_one_line_for_its_first_corporation() -> None:
    """G-D3: the bid binds. With one line for one corporation to buy it is not asked."""
    assert ToBuyLines([9, 10], 20, 15).default() == Lines({"9": 1})
    match = going(table(owner={9: 1}, cash=[300, 14, 300, 300]), "diversify", "end")
    assert heard(bids(match, 4), Diversified) == [Diversified(1, {"9": 1})]


# --- voluntary liquidation -----------------------------------------------------------------------------------------


def test_the_seller_names_bundles_and_minimums_and_is_paid_alone() -> None:
    """G-F19, G-D4"""
    match = selling([Bundle([9], 20)])
    assert match.at.auction
    assert (match.at.auction.bidding, match.questions) == ([1, 2, 3], {1: ToBid(20, 300, 1)})
    events = bids(match, 0, 25, 0)
    assert heard(events, Paid) == [Paid(2, [0], 25, "voluntary")]
    assert (match.at.cash, match.at.owner[9], match.at.lines[9]) == ([325, 300, 275, 300], 2, 5)


def test_below_the_minimum_there_is_no_sale() -> None:
    """G-F19"""
    match = selling([Bundle([9], 20)])
    with pytest.raises(IllegalAction, match="20 to 300"):
        match.apply({1: Bid(19)})
    events = bids(match, 0, 0, 0)
    assert heard(events, NoBid)[0] == NoBid("voluntary")
    assert match.at.owner[9] == 0


def test_the_rulebooks_very_complicated_offer_is_a_menu_of_15_bundles() -> None:
    """G-F19, G-O9, G-D6, G-T28: two of one list and one of another, never 17 with 21; 27 costs more."""
    menu = [
        Bundle([*pair, third], 35 if third == 27 else 31)
        for pair in combinations((2, 6, 14, 17), 2)
        for third in (21, 27, 31)
        if not (17 in pair and third == 21)
    ]
    assert sorted(bundle.least for bundle in menu) == [31] * 9 + [35] * 6
    match = selling(menu)
    with pytest.raises(IllegalAction, match="31 to 300"):
        match.apply({1: Bid(30)})
    bids(match, 33, 0, 0)
    without_27 = [number for number, bundle in enumerate(menu) if 27 not in bundle.corps]
    assert match.questions == {1: ToChoose(without_27)}
    assert "the bid is enough for 0, 2" in str(question(match).error(Choose(1)))
    answer(match, Choose(without_27[-1]))
    assert [match.at.owner[corp] for corp in menu[without_27[-1]].corps] == [1, 1, 1]


def test_without_an_answer_the_first_bundle_that_can_be_had_is_taken() -> None:
    """G-D6: and if there is only one, nothing is asked."""
    assert ToChoose([2, 5]).default() == Choose(2)
    match = selling([Bundle([9], 30), Bundle([3], 4)])
    assert heard(bids(match, 10, 0, 0), Owned) == [Owned([3], 1)]


def test_an_offer_need_not_be_made_and_is_made_once_a_turn() -> None:
    """G-D4, G-O2"""
    assert ToOffer([3, 9]).default() == Offer([])
    match = selling([Bundle([9], 20), Bundle([3], 1)])
    bids(match, 0, 0, 0)
    assert match.at.current == 1


@pytest.mark.parametrize("fields", [{"owner": {3: 1}}, {"owner": {3: 0}, "options": {"voluntary_sales": False}}])
def test_who_owns_nothing_or_may_not_sell_is_not_asked(fields: dict[str, Any]) -> None:
    """G-D4"""
    match = going(table(**fields), "offer", "diversify", "end")
    assert isinstance(question(match), ToBid)


@pytest.mark.parametrize(
    ("menu", "reason"),
    [
        ([Bundle([3], 0)], "asks for 0 or more; a minimum is 1 or more"),
        ([Bundle([], 5)], "offers the bundle none; a bundle holds one or more corporations, each once"),
        ([Bundle([3, 3], 5)], "offers the bundle 3, 3"),
        ([Bundle([4], 5)], "offers 4; it owns 3, 9"),
        ([Bundle([3], 5)] * 65, "offers 65 bundles; a menu has at most 64"),
        ([Bundle([3, 9] * 51, 5)] * 2, "names 204 corporations in its menu; at most 100"),
    ],
)
def test_an_offer_is_of_own_corporations_in_at_most_64_bundles(menu: list[Bundle], reason: str) -> None:
    """G-O9, G-D4"""
    assert reason in str(ToOffer([3, 9]).error(Offer(menu)))
    assert ToOffer([3, 9]).error(Offer([Bundle([3], 5)] * 64)) is None


def test_a_second_offer_may_follow_at_5_less_or_lower_still() -> None:
    """G-F30, G-D5"""
    match = selling([Bundle([9], 20), Bundle([3], 14)], options={"voluntary_retry": True})
    bids(match, 0, 0, 0)
    assert match.questions == {0: ToCut(5, 13)}
    assert ToCut(5, 13).default() == Cut(0)
    assert "it may by 5 to 13, or 0" in str(question(match).error(Cut(4)))
    events = answer(match, Cut(6))
    assert heard(events, Called) == [Called("voluntary", 0, None, [Bundle([9], 14), Bundle([3], 8)])]
    assert match.questions == {1: ToBid(8, 300, 1)}
    bids(match, 0, 0, 0)
    assert heard(answer(match, Cut(0)), Owned) == []
    assert match.at.current == 1


def test_no_second_offer_without_the_option_or_below_1() -> None:
    """G-F30, G-D5"""
    for options, least in (({}, 20), ({"voluntary_retry": True}, 5)):
        match = selling([Bundle([9], least)], options=options)
        bids(match, 0, 0, 0)
        assert match.at.current == 1


# --- involuntary liquidation ---------------------------------------------------------------------------------------


def test_opponents_bid_for_one_corporation_of_their_choice() -> None:
    """G-F20, G-T20, G-A4: the debtor keeps the rest and what is left, and no diversification follows."""
    match = debtor()
    assert match.at.auction
    assert (match.at.auction.bidding, match.at.auction.kind) == ([1, 2, 3], "involuntary")
    bids(match, 0, 20, 0)
    assert match.questions == {2: ToPick([9, 3])}
    events = answer(match, Pick(9))
    assert heard(events, Paid) == [Paid(2, [0], 20, "involuntary"), Paid(0, [1], 25, "royalty")]
    assert (match.at.cash, match.at.owner[9], match.at.owner[3], match.at.lines[9]) == ([5, 325, 280, 300], 2, 0, 2)
    assert match.at.current == 1


def test_sales_go_on_until_there_is_enough_or_nothing_left() -> None:
    """G-F20, G-T18, G-A4: the creditor may bid; each auction starts at the debtor's left."""
    match = debtor()
    bids(match, 8, 0, 0)
    assert seat_to_answer(match) == 1
    answer(match, Pick(9))
    assert seat_to_answer(match) == 1
    events = bids(match, 0, 4, 0)
    assert heard(events, Bankrupt) == [Bankrupt(0, 1, 22)]
    assert match.at.cash == [0, 314, 296, 300]
    assert (match.at.owner[9], match.at.owner[3]) == (1, 2)


def test_if_nobody_bids_the_creditor_takes_all() -> None:
    """G-F20, G-O13, G-T19"""
    match = debtor()
    events = bids(match, 0, 0, 0)
    assert heard(events, Bankrupt) == [Bankrupt(0, 1, 10)]
    assert heard(events, Owned) == [Owned([3, 9], 1)]
    assert (match.at.cash, match.at.lines[9]) == ([0, 310, 300, 300], 2)


def test_without_an_answer_the_corporation_with_most_lines_is_picked() -> None:
    """G-D6: then the lowest number; a single one is taken without asking."""
    match = debtor()
    bids(match, 0, 20, 0)
    assert question(match).default() == Pick(9)
    assert question(match).error(Pick(20)) == "picks 20; for sale are 3, 9"


# --- ways of bidding -----------------------------------------------------------------------------------------------


def wave(match: Match[Position], **amounts: int) -> list[BidMade]:
    """Have all who are asked bid at once; s1=3 is seat 1 bidding 3."""
    match.apply({int(seat[1:]): Bid(amount) for seat, amount in amounts.items()})
    return heard(match.hear(), BidMade)


def test_open_bidding_goes_in_waves_and_the_first_of_equal_bids_counts() -> None:
    """G-F31, G-S7: who bid less may bid again; who passed is out."""
    match = charter(4, options={"bidding": "open"})
    assert set(match.questions) == {0, 1, 2, 3}
    assert wave(match, s0=5, s1=0, s2=3, s3=5) == [BidMade(1, 0), BidMade(2, 3), BidMade(3, 5), BidMade(0, 5)]
    assert match.questions == {0: ToBid(6, 100, 1), 2: ToBid(6, 100, 1)}
    wave(match, s0=0, s2=8)
    assert match.questions == {3: ToBid(9, 100, 1)}
    wave(match, s3=0)
    assert (match.at.owner[9], match.at.cash[2]) == (2, 300 - 3 * 8)


def test_open_bidding_ends_when_nobody_bids() -> None:
    """G-S7"""
    match = charter(3, options={"bidding": "open"})
    wave(match, s0=0, s1=0, s2=0)
    assert match.at.owner[9] is None


@pytest.mark.parametrize(
    ("limits", "winner", "price"),
    [
        ((7, 4, 9), 3, 8),
        ((9, 4, 9), 1, 9),
        ((0, 0, 9), 3, 1),
        ((0, 0, 0), None, 0),
        ((1, 1, 0), 1, 1),
    ],
)
def test_proxy_bidding_asks_once_for_a_limit(limits: tuple[int, int, int], winner: int | None, price: int) -> None:
    """G-F31, G-S8, G-T29: the winner pays a step more than the second limit, if it goes so far."""
    match = charter(4, options={"bidding": "proxy"})
    match.apply({0: Bid(0), 1: Bid(limits[0]), 2: Bid(limits[1]), 3: Bid(limits[2])})
    won = heard(match.hear(), Won)
    assert won[:1] == ([] if winner is None else [Won("charter", winner, price)])
    assert match.at.owner[9] == winner


def test_a_proxy_limit_meets_the_minimum_and_the_step() -> None:
    """G-S8, G-F33"""
    options = {"bidding": "proxy", "bid_step": {"voluntary": 5}}
    match = selling([Bundle([9], 21)], options=options)
    assert match.questions == dict.fromkeys((1, 2, 3), ToBid(25, 300, 5))
    match.apply({1: Bid(0), 2: Bid(60), 3: Bid(0)})
    assert heard(match.hear(), Won) == [Won("voluntary", 2, 25)]
    match = selling([Bundle([9], 21)], options=options)
    match.apply({1: Bid(40), 2: Bid(60), 3: Bid(0)})
    assert heard(match.hear(), Won) == [Won("voluntary", 2, 45)]


@pytest.mark.parametrize(
    ("limits", "price", "sold"), [((0, 50, 0), 10, [9]), ((12, 50, 0), 13, [9]), ((40, 50, 0), 41, [9, 10])]
)
def test_with_a_menu_a_proxy_pays_from_the_lowest_minimum_on_and_chooses_by_what_it_pays(
    limits: tuple[int, int, int], price: int, sold: list[int]
) -> None:
    """G-S8, G-O9: it may have been ready to pay for more."""
    match = selling([Bundle([9], 10), Bundle([9, 10], 30)], options={"bidding": "proxy"})
    assert match.questions == dict.fromkeys((1, 2, 3), ToBid(10, 300, 1))
    match.apply({seat: Bid(limit) for seat, limit in enumerate(limits, 1)})
    assert heard(match.hear(), Won) == [Won("voluntary", 2, price)]
    if match.questions.get(2) == ToChoose([0, 1]):
        answer(match, Choose(1))
    assert [corp for corp, owner in enumerate(match.at.owner) if owner == 2] == sold


def test_an_auction_may_be_limited_to_one_round() -> None:
    """G-F32: by its kind; nobody bids twice."""
    match = charter(4, options={"one_round": ["charter"]})
    events = bids(match, 2, 3, 0, 5)
    assert heard(events, Won) == [Won("charter", 0, 5)]
    match = charter(4, options={"one_round": ["diversification"]})
    bids(match, 2, 3, 0, 5)
    assert seat_to_answer(match) == 1


def test_one_round_of_open_bidding_is_one_wave() -> None:
    """G-F32, G-S7"""
    match = charter(4, options={"one_round": ["charter"], "bidding": "open"})
    wave(match, s0=1, s1=6, s2=3, s3=5)
    assert match.at.owner[9] == 1


@pytest.mark.parametrize(("amount", "legal"), [(1, False), (3, False), (4, True), (2, True), (0, True)])
def test_bids_may_have_to_be_multiples_of_a_step(amount: int, *, legal: bool) -> None:
    """G-F33, G-T31"""
    match = charter(4, options={"bid_step": {"charter": 2}})
    assert (question(match).error(Bid(amount)) is None) == legal


def test_the_step_holds_for_the_next_bid_and_the_highest_too() -> None:
    """G-F33: 299 shared by 3 opponents is 99, so 98."""
    match = charter(4, options={"bid_step": {"charter": 2}}, cash=[299] * 4)
    bids(match, 6)
    assert match.questions == {2: ToBid(8, 98, 2)}
    assert "8 to 98 in steps of 2 here" in str(question(match).error(Bid(9)))


def test_fine_grain_doubles_currency_and_royalties_and_leaves_bids_alone() -> None:
    """G-F34"""
    options = GIGABUCKS.read_options({"currency": 600, "royalty_unit": 2})
    assert GIGABUCKS.start(options, "deal").at.cash == [600] * 6
    match = landing(table(owner={9: 2}, lines={9: 4}, options={"royalty_unit": 2}), 9)
    assert heard(match.hear(), Paid) == [Paid(0, [2], 8, "royalty")]
    assert question(charter(4, options={"royalty_unit": 2})) == ToBid(1, 100, 1)
