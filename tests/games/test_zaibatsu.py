"""One test for each clause, in the order of docs/games/zaibatsu.md; the docstrings name the clauses."""

from collections import Counter

import pytest

from engine.core import IllegalAction, Match
from engine.games.zaibatsu import (
    CARDS,
    COMPANIES,
    ZAIBATSU,
    Bid,
    BidMade,
    Call,
    Called,
    Dealt,
    Ended,
    Options,
    Pile,
    Place,
    Placed,
    RoundBegun,
    Scored,
    Setup,
    Sold,
    ToBid,
    ToCall,
    ToPlace,
    Unsold,
    best,
    see,
)
from engine.games.zaibatsu.pieces import DEALT, EITHER, ROUNDS
from engine.records import RecordError, to_plain
from tests.games.answering import heard, seat_to_answer
from tests.games.zaibatsu_tables import answer, auctions, place, placing, table


def ids(kind: str) -> list[str]:
    return [company.id for company in COMPANIES if company.id[0] == kind]


# --- players, goal, components -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_can_play(players: int) -> None:
    """Z-F1"""
    assert len(ZAIBATSU.start(Options(players), "deal").at.cash) == players


@pytest.mark.parametrize("options", [{"players": 1}, {"players": 5}, {"players": 3, "first": 3}, {"first": -1}])
def test_other_tables_are_refused_with_a_reason(options: dict[str, object]) -> None:
    """Z-F1"""
    with pytest.raises(RecordError, match="must be"):
        ZAIBATSU.read_options(options)


def test_points_are_supplied_companies_and_cash() -> None:
    """Z-F2, Z-F26: a forge without red scores nothing."""
    position = table(2, owned=[["M01", "P01"], ["P01"]], cash=[4, 9])
    assert ZAIBATSU.scores(position) == [3 + 6 + 4, 9]


def test_there_are_48_companies_of_three_varieties() -> None:
    """Z-F3"""
    assert Counter(company.id[0] for company in COMPANIES) == {"M": 21, "P": 12, "A": 10, "F": 5}
    assert len(CARDS) == 48 == len({company.name for company in COMPANIES})


def test_tokens_suffice_for_every_output_of_the_deck() -> None:
    """Z-F4, Z-F28, Z-O1: the token counts are the most of each resource that the deck can make."""
    made = Counter(kind for company in COMPANIES for out in company.outputs for kind in EITHER.get(out, out))
    assert made == {"R": 24, "Y": 24, "G": 24, "O": 7, "K": 7, "W": 5, "B": 5}
    assert sum(out in EITHER for company in COMPANIES for out in company.outputs) == 20


def test_higher_resources_are_made_of_lower_ones() -> None:
    """Z-F5, Z-O9"""
    level = {**dict.fromkeys("RYG", 0), **dict.fromkeys("OK", 1), **dict.fromkeys("WB", 2)}
    for company in COMPANIES:
        for out in "".join(EITHER.get(symbol, symbol) for symbol in company.outputs):
            assert all(level[symbol] < level[out] for symbol in company.inputs)


@pytest.mark.parametrize(("lower", "higher"), [("R", "K"), ("G", "O"), ("O", "B"), ("K", "W")])
def test_some_resources_never_make_others(lower: str, higher: str) -> None:
    """Z-F6"""
    makers = [c for c in COMPANIES if higher in "".join(EITHER.get(symbol, symbol) for symbol in c.outputs)]
    assert makers
    assert not any(lower in company.inputs for company in makers)


def test_yellow_is_used_in_every_type_of_processing_but_rarely_alone() -> None:
    """Z-F7"""
    for output in "OKfWB":
        assert any("Y" in company.inputs for company in COMPANIES if company.outputs == output)
    assert [company.id for company in COMPANIES if set(company.inputs) == {"Y"}] == ["P11", "P12"]


def test_mines_need_nothing_and_always_score_3() -> None:
    """Z-F8"""
    for card in ids("M"):
        assert CARDS[card].inputs == ""
        assert set("".join(EITHER.get(symbol, symbol) for symbol in CARDS[card].outputs)) <= set("RYG")
        assert best([card]).score == 3


def test_processing_scores_6_or_15_and_only_if_supplied() -> None:
    """Z-F9"""
    assert {CARDS[card].score for card in ids("P")} == {6}
    assert {CARDS[card].score for card in ids("A")} == {15}
    assert all(best([card]).score == 0 for card in ids("P") + ids("A"))
    assert best(["M07", "P01"]).operating == ("M07", "P01")


def test_manufacturing_scores_30_and_puts_nothing_out() -> None:
    """Z-F10"""
    assert [(CARDS[card].score, CARDS[card].outputs) for card in ids("F")] == [(30, "")] * 5
    assert best(["M07", "M10", "M11", "M12", "P03", "P08", "A05", "A10", "F05"]).score == 84


def test_a_split_symbol_gives_one_of_two_resources_for_each_company_by_itself() -> None:
    """Z-F11"""
    split = [card for card in ids("M") if CARDS[card].flexible]
    assert all(len(CARDS[card].outputs) == 2 for card in split)
    assert len(split) == 9
    assert best(["M13", "M14", "P01", "P11"]).splits == {"M13": "RR", "M14": "YY", "P11": "O"}


# --- setup and rounds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_one_pile_more_than_players(players: int) -> None:
    """Z-F12"""
    assert len(ZAIBATSU.start(Options(players), "deal").at.piles) == players + 1


def test_the_first_commissioner_is_drawn_or_named() -> None:
    """Z-F13, Z-O6: whoever is named, the deal of a seed stays the same."""
    drawn = {ZAIBATSU.start(Options(3), str(seed)).at.first for seed in range(40)}
    assert drawn == {0, 1, 2}
    decks = {tuple(ZAIBATSU.start(Options(3, first), "deal").at.deck) for first in ("random", 0, 1, 2)}
    assert len(decks) == 1


@pytest.mark.parametrize(
    ("players", "first", "cash", "cards"),
    [(2, 0, [9, 10], 6), (3, 1, [10, 8, 9], 4), (4, 0, [9, 9, 10, 10], 3), (4, 3, [9, 10, 10, 9], 3)],
)
def test_money_and_cards_at_the_start(players: int, first: int, cash: list[int], cards: int) -> None:
    """Z-F14, Z-F15, Z-O5, Z-T18, Z-T19: earlier seats get less money; each player the same cards."""
    position = ZAIBATSU.start(Options(players, first), "deal").at
    assert position.cash == cash
    assert [len(hand) for hand in position.hands] == [cards] * players


def test_twelve_cards_are_dealt_each_round_in_blocks_from_the_commissioner() -> None:
    """Z-F15, Z-O12"""
    position = ZAIBATSU.new(Options(3, 1), ZAIBATSU.start(Options(3, 1), "deal").at.dice)
    deck = position.deck.copy()
    position.heard = []
    next(ZAIBATSU.rules(position))
    assert [position.hands[seat] for seat in (1, 2, 0)] == [deck[:4], deck[4:8], deck[8:12]]
    assert position.deck == deck[12:]


def test_the_smallest_bid_is_1() -> None:
    """Z-F16"""
    match = auctions([], [], [], [])
    answer(match, 1)
    assert match.questions == {1: ToBid(1, 9)}


def test_a_new_round_brings_10_and_passes_the_marker_to_the_left() -> None:
    """Z-F17, Z-F22, Z-S2, Z-S5, Z-T24: and all piles can be called again."""
    match = auctions([], [], [], [], commissioner=2, to_call=[2])
    match.at.piles = [Pile(called=True), Pile(), Pile(called=True), Pile(called=True)]
    match = Match(match.rules, match.at)
    match.at.heard = []
    events = answer(match, 0, 0, 0)
    assert heard(events, RoundBegun) == [RoundBegun(2, 0, 10)]
    assert match.at.cash == [19, 19, 19]
    assert seat_to_answer(match) == 0
    assert not any(pile.called for pile in match.at.piles)


def test_the_first_round_brings_no_income() -> None:
    """Z-F17, Z-S1"""
    events = ZAIBATSU.start(Options(3, 0), "deal").hear()
    assert events[:2] == [Setup(Options(3, 0), 0, [8, 9, 10]), RoundBegun(1, 0, 0)]


def test_cards_are_placed_one_at_a_time_clockwise_until_hands_are_empty() -> None:
    """Z-F18, Z-S3: on any pile, of any size."""
    match = placing([["M02"], ["M01", "M03"], []], [1, 0, 1], to_call=[1, 2, 0, 1], commissioner=1)
    seats = []
    for card in ("M01", "M02", "M03"):
        seats.append(seat_to_answer(match))
        place(match, card, 4)
    assert seats == [1, 0, 1]
    assert match.at.piles[3].cards == ["M01", "M02", "M03"]
    assert match.questions == {1: ToCall([1, 2, 3, 4])}


def test_the_deal_is_twelve_turns_from_the_commissioner() -> None:
    """Z-F18, Z-S3"""
    assert ZAIBATSU.start(Options(4, 2), "deal").at.to_place == [2, 3, 0, 1] * 3


@pytest.mark.parametrize(("players", "callers"), [(2, [1, 0, 1]), (3, [1, 2, 0, 1]), (4, [1, 2, 3, 0, 1])])
def test_the_commissioner_calls_first_and_last(players: int, callers: list[int]) -> None:
    """Z-F19, Z-S4, Z-T24"""
    assert ZAIBATSU.start(Options(players, 1), "deal").at.to_call == callers


def test_empty_piles_are_auctioned_too() -> None:
    """Z-F19, Z-O3: whoever buys one pays for nothing."""
    match = auctions([], ["M01"], [], [])
    events = answer(match, 1, 0, 3, 0)
    assert heard(events, Sold) == [Sold(1, 2, 3, [])]
    assert match.at.cash == [9, 9, 6]


def test_bidding_goes_once_around_and_the_caller_bids_last() -> None:
    """Z-F20"""
    match = auctions(["M01"], [], [], [], to_call=[2, 0, 1, 2])
    answer(match, 1)
    order = []
    for bid in (1, 2, 3):
        order.append(seat_to_answer(match))
        answer(match, bid)
    assert order == [0, 1, 2]
    assert seat_to_answer(match) == 0
    assert isinstance(match.questions[0], ToCall)


def test_the_highest_bidder_takes_the_whole_pile() -> None:
    """Z-F21, Z-V4"""
    match = auctions([], ["M01", "F01"], [], [])
    events = answer(match, 2, 1, 5, 0)
    assert match.at.owned == [[], [], ["M01", "F01"]]
    assert events == [
        Called(0, 2, ["M01", "F01"]),
        BidMade(1, 1),
        BidMade(2, 5),
        BidMade(0, 0),
        Sold(2, 2, 5, ["M01", "F01"]),
    ]


def test_the_example_of_the_rulebook() -> None:
    """Z-F23, Z-T20: Sumitomo 0, Mitsui 1, Mitsubishi 2, Yasuda 3."""
    match = auctions(["M05"], [], [], [], [], to_call=[0, 1, 2, 3, 0], cash=[9, 9, 10, 10])
    answer(match, 1, 0, 4, 0, 5)
    assert (match.at.owned[0], match.at.cash[0]) == (["M05"], 4)
    assert seat_to_answer(match) == 1
    answer(match, 3)
    assert match.at.auction is not None
    assert match.at.auction.to_bid == [2, 3, 0, 1]


# --- scoring -------------------------------------------------------------------------------------------------------


def test_resources_pass_between_companies_of_one_player_only() -> None:
    """Z-F24, Z-O8: the best operation is found for everyone; no decision is asked."""
    assert ZAIBATSU.scores(table(2, owned=[["M01"], ["P01"]], cash=[0, 0])) == [3, 0]
    assert ZAIBATSU.scores(table(2, owned=[["M01", "P01"], []], cash=[0, 0])) == [9, 0]


def test_no_company_operates_twice() -> None:
    """Z-F25, Z-T3"""
    assert best(["M01", "M02", "P01"]).score == 12


def test_the_highest_total_wins_and_ties_share() -> None:
    """Z-F27, Z-O10, Z-E1, Z-E2, Z-T25: 60 + 4, 54 + 10 and 3 + 60."""
    owned = [[f"M{n:02}" for n in range(1, 21)], [f"M{n:02}" for n in range(1, 19)], ["M21"]]
    position = table(3, round=5, owned=owned, cash=[4, 10, 60])
    assert list(ZAIBATSU.rules(position)) == []
    assert ZAIBATSU.scores(position) == [64, 64, 63]
    assert heard(position.heard or [], Ended) == [Ended([1, 1, 3])]


# --- open points and their rulings ---------------------------------------------------------------------------------


def test_the_economy_of_the_deck_closes_exactly() -> None:
    """Z-O1, Z-T1: supply and demand are equal on each level."""
    needs = Counter(symbol for company in COMPANIES for symbol in company.inputs)
    assert (needs["R"], needs["Y"], needs["G"], needs["O"], needs["K"], needs["W"], needs["B"]) == (
        18,
        18,
        18,
        6,
        6,
        5,
        5,
    )
    made = Counter(len(company.outputs) for company in COMPANIES if company.id[0] == "M")
    assert made[3] * 3 + made[2] * 2 == 54


@pytest.mark.parametrize("amount", [4, 10, -1])
def test_a_bid_tops_the_one_before_and_is_covered_by_cash(amount: int) -> None:
    """Z-O2, Z-D3, Z-T21: 4 was bid, the bidder has 9."""
    match = auctions(["M01"], [], [], [])
    answer(match, 1, 4)
    with pytest.raises(IllegalAction, match="5 to 9"):
        match.apply({2: Bid(amount)})
    assert match.questions == {2: ToBid(5, 9)}


def test_a_bid_is_a_whole_number() -> None:
    """Z-O2, Z-T21"""
    match = auctions(["M01"], [], [], [])
    answer(match, 1, 4)
    with pytest.raises(IllegalAction, match="whole number"):
        match.read(2, {"t": "bid", "amount": 4.5})


def test_the_winner_pays_the_bank_and_the_others_nothing() -> None:
    """Z-O2"""
    match = auctions(["M01"], [], [], [])
    answer(match, 1, 2, 7, 0)
    assert match.at.cash == [9, 9, 2]


def test_a_pile_nobody_wants_leaves_the_game() -> None:
    """Z-O3, Z-T23"""
    match = auctions(["M01", "F01"], [], [], [])
    events = answer(match, 1, 0, 0, 0)
    assert match.at.discarded == ["M01", "F01"]
    assert match.at.piles[0].cards == []
    assert heard(events, Unsold) == [Unsold(1, ["M01", "F01"], carried=False)]


def test_unsold_carry_keeps_it_on_its_pile_for_the_next_round() -> None:
    """Z-O3, Z-T23, Z-S2"""
    match = auctions([], ["M01", "F01"], [], [], unsold="carry", to_call=[2])
    match.at.piles = [Pile(called=True), Pile(["M01", "F01"]), Pile(called=True), Pile(called=True)]
    match = Match(match.rules, match.at)
    answer(match, 0, 0, 0)
    assert match.at.round == 2
    assert match.at.piles[1] == Pile(["M01", "F01"])
    assert match.at.discarded == []


def test_after_the_last_round_nothing_is_carried() -> None:
    """Z-O3"""
    match = auctions(["M01"], [], [], [], unsold="carry", round=4)
    answer(match, 1, 0, 0, 0)
    assert match.at.discarded == ["M01"]


def test_the_match_ends_after_four_rounds_when_all_cards_were_dealt() -> None:
    """Z-O4, Z-S5, Z-S6"""
    assert all(ROUNDS * cards * players == len(COMPANIES) for players, cards in DEALT.items())
    match = auctions(["M01"], [], [], [], round=4, to_call=[0], deck=[], owned=[["M02", "P01"], [], []])
    match.at.piles = [Pile(["M01"]), *(Pile(called=True) for _ in range(3))]
    match = Match(match.rules, match.at)
    match.at.heard = []
    events = answer(match, 0, 0, 0)
    assert match.over
    assert heard(events, Scored)[0] == Scored(0, ["M02", "P01"], {}, 9, 9, 18)
    assert events[-1] == Ended([1, 2, 2])


def test_open_piles_show_every_card() -> None:
    """Z-O7"""
    match = placing([["M01"], ["M02"], []], [0, 1])
    events = place(match, "M01", 2)
    assert [event.seen_by(2) for event in events] == [Placed(0, "M01", 2)]
    assert see(match.at, 2).piles[1].cards == ["M01"]


def test_closed_piles_show_counts_until_called() -> None:
    """Z-O7, Z-V2: each placer knows its own cards."""
    match = placing([["M01"], ["M02"], []], [0, 1], piles="closed", to_call=[0, 1, 2, 0])
    events = place(match, "M01", 2)
    assert [event.seen_by(2) for event in events] == [Placed(0, "", 2, face_down=True)]
    assert [event.seen_by(0) for event in events] == [Placed(0, "M01", 2, face_down=True)]
    assert (see(match.at, 2).piles[1].cards, see(match.at, 2).piles[1].count) == ([], 1)
    assert (see(match.at, 2).my_placed, see(match.at, 0).my_placed) == ({}, {"2": ["M01"]})
    place(match, "M02", 2)
    answer(match, 2)
    assert see(match.at, 2).piles[1].cards == ["M01", "M02"]
    assert see(match.at, 0).my_placed == {}


def test_hands_are_hidden_and_cash_is_public() -> None:
    """Z-O7"""
    match = placing([["M01"], ["M02"], ["M03"]], [0, 1, 2], cash=[1, 2, 3])
    view = see(match.at, 1)
    assert (view.hand, view.hand_sizes, view.cash) == (["M02"], [1, 1, 1], [1, 2, 3])
    assert "M03" not in str(to_plain(view))


def test_there_is_nothing_to_do_but_place_call_and_bid() -> None:
    """Z-O11: no trade, no talk."""
    assert ZAIBATSU.questions == (ToPlace, ToCall, ToBid)


# --- decisions -----------------------------------------------------------------------------------------------------


def test_a_card_in_hand_goes_to_any_pile() -> None:
    """Z-D1"""
    match = placing([["M02", "M01"], [], []], [0, 0])
    assert match.read(0, {"t": "place", "card": "M02", "pile": 4}) == Place("M02", 4)
    with pytest.raises(IllegalAction, match="the hand is M01, M02"):
        match.apply({0: Place("M03", 1)})
    for pile in (0, 5):
        with pytest.raises(IllegalAction, match="piles are 1 to 4"):
            match.apply({0: Place("M01", pile)})


def test_without_an_answer_the_lowest_card_goes_to_the_lowest_of_the_smallest_piles() -> None:
    """Z-D1"""
    match = placing([["M02", "M01"], [], []], [0, 0])
    match.at.piles[0].cards = ["A01"]
    match = Match(match.rules, match.at)
    assert match.questions[0].default() == Place("M01", 2)


def test_the_last_card_is_asked_for_too() -> None:
    """Z-D1: even it has several piles to go to."""
    match = placing([["M01"], [], []], [0])
    assert match.questions == {0: ToPlace(["M01"], [1, 2, 3, 4])}


def test_a_pile_is_called_once_a_round() -> None:
    """Z-D2"""
    match = auctions([], [], [], [])
    answer(match, 2, 0, 0, 0)
    assert match.questions == {1: ToCall([1, 3, 4])}
    assert match.questions[1].default() == Call(1)
    with pytest.raises(IllegalAction, match="not yet called are 1, 3, 4"):
        match.apply({1: Call(2)})


def test_the_last_pile_is_called_without_asking() -> None:
    """Z-D2"""
    match = auctions([], [], [], [], to_call=[2, 0])
    match.at.piles = [Pile(called=True), Pile(["M01"]), Pile(), Pile(called=True)]
    match = Match(match.rules, match.at)
    match.at.heard = []
    events = answer(match, 3, 0, 0, 0)
    assert heard(events, Called)[1] == Called(0, 2, ["M01"], auto=True)
    assert match.questions == {1: ToBid(1, 9)}


def test_without_an_answer_a_bidder_passes() -> None:
    """Z-D3"""
    assert ToBid(5, 9).default() == Bid(0)


def test_whoever_cannot_top_the_bid_passes_without_being_asked() -> None:
    """Z-D3, Z-T22"""
    match = auctions(["M01"], [], [], [])
    events = answer(match, 1, 9)
    assert heard(events, BidMade) == [BidMade(1, 9), BidMade(2, 0, auto=True), BidMade(0, 0, auto=True)]
    assert seat_to_answer(match) == 1
    assert isinstance(match.questions[1], ToCall)


# --- what seats see, and how it ends -------------------------------------------------------------------------------


def test_the_public_view() -> None:
    """Z-V1, Z-V3"""
    match = auctions(["M01"], [], ["F01"], [], discarded=["A01"])
    answer(match, 3, 4)
    assert to_plain(see(match.at, 1)) == {
        "game": "zaibatsu",
        "opts": {"players": 3, "first": 0, "unsold": "discard", "piles": "open"},
        "seat": 1,
        "round": 1,
        "commissioner": 0,
        "first": 0,
        "phase": "bid",
        "cash": [9, 9, 9],
        "owned": [[], [], []],
        "piles": [
            {"n": 1, "cards": ["M01"], "count": 1, "called": False},
            {"n": 2, "cards": [], "count": 0, "called": False},
            {"n": 3, "cards": ["F01"], "count": 1, "called": True},
            {"n": 4, "cards": [], "count": 0, "called": False},
        ],
        "discarded": ["A01"],
        "hand_sizes": [0, 0, 0],
        "deck_left": 48,
        "auction": {"pile": 3, "caller": 0, "high": 4, "leader": 1, "to_act": 2, "left_to_act": [2, 0]},
        "hand": [],
        "my_placed": {},
    }


def test_the_view_names_the_phase() -> None:
    """Z-V1"""
    match = placing([["M01"], [], []], [0], to_call=[0])
    phases = [see(match.at, 0).phase]
    place(match, "M01", 1)
    phases.append(see(match.at, 0).phase)
    answer(match, 1)
    assert [*phases, see(match.at, 0).phase] == ["deal", "call", "bid"]
    assert see(table(round=5), 0).phase == "over"


def test_a_hand_is_told_to_its_owner_only() -> None:
    """Z-V2, Z-V4"""
    for event in heard(ZAIBATSU.start(Options(3), "deal").hear(), Dealt):
        assert [event.seen_by(seat) == event for seat in range(3)] == [seat == event.seat for seat in range(3)]
        assert [event.seen_by(seat) for seat in range(3)].count(None) == 2


def test_the_score_tells_what_runs_and_how_splits_are_used() -> None:
    """Z-V4, Z-O8"""
    position = table(2, round=5, owned=[["P03", "M13", "F01"], ["M01"]], cash=[2, 0])
    list(ZAIBATSU.rules(position))
    assert position.heard == [
        Scored(0, ["M13", "P03"], {"M13": "RY"}, 9, 2, 11),
        Scored(1, ["M01"], {}, 3, 0, 3),
        Ended([1, 2]),
    ]
