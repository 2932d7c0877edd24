"""Players, board, movement and what a landing brings: the rulebook's sections 1 to 5, in its order."""

from collections import Counter

import pytest

from engine.core import IllegalAction, Match
from engine.games.gigabucks import (
    GIGABUCKS,
    Bid,
    Bundle,
    Called,
    Lines,
    Moved,
    Offer,
    Options,
    Paid,
    Place,
    Placed,
    Position,
    Setup,
    ToBid,
    ToBuyLines,
    ToOffer,
    ToPlace,
    TurnBegun,
    Won,
)
from engine.records import RecordError
from tests.games.answering import heard, seat_to_answer
from tests.games.gigabucks_tables import answer, bids, dice_that_roll, going, landing, question, table


def start(seed: str = "deal", **options: object) -> Match[Position]:
    return GIGABUCKS.start(GIGABUCKS.read_options(options), seed)


# --- necessities and preliminaries ---------------------------------------------------------------------------------


def test_the_last_player_left_wins() -> None:
    """G-F1, G-E1"""
    match = landing(table(2, cash=[5, 595], owner={9: 1}, lines={9: 6}), 9)
    assert match.over
    assert GIGABUCKS.scores(match.at) == [0, 606]


@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_can_play(players: int) -> None:
    """G-F2, G-O10"""
    assert len(start(players=players).at.cash) == players


def test_six_players_are_the_default() -> None:
    """G-O10"""
    assert Options().players == 6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "players must be 2 to 8, not 1"),
        ({"players": 9}, "players must be 2 to 8, not 9"),
        ({"spaces": 11, "players": 2}, "spaces must be 12 to 100 with so many players, not 11"),
        ({"spaces": 15, "players": 8}, "spaces must be 16 to 100"),
        ({"spaces": 31, "players": 8, "flexible_rounds": 3}, "spaces must be 32 to 100"),
        ({"spaces": 101}, "spaces must be 1 to 100, not 101"),
        ({"currency": 0}, "currency must be 1 to 10000, not 0"),
        ({"dice": []}, "dice must be 1 to 6 numbers of sides, not 0"),
        ({"dice": [6, 1]}, "dice must have 2 to 100 sides, not 1"),
        ({"one_round": ["charter", "charter"]}, "each kind of auction once, not charter, charter"),
        ({"bid_step": {"charter": 0}}, "bid_step.charter must be 1 to 100, not 0"),
        ({"flexible_rounds": 4}, "flexible_rounds must be one of 1, 2, 3"),
        ({"bidding": "loud"}, "bidding must be one of"),
        ({"max_rounds": 301}, "max_rounds must be 1 to 300"),
        ({"max_decisions": 40_001}, "max_decisions must be 1 to 40000"),
        ({"royalty_unit": 0}, "royalty_unit must be 1 to 10"),
    ],
)
def test_other_tables_are_refused_with_a_reason(options: dict[str, object], reason: str) -> None:
    """G-F2, G-O10"""
    with pytest.raises(RecordError, match=reason):
        GIGABUCKS.read_options(options)


def test_the_track_is_a_circle_of_42_spaces_with_a_corporation_each() -> None:
    """G-F3"""
    position = start().at
    assert len(position.owner) == len(position.lines) == len(position.chartered) == 42
    assert (set(position.owner), set(position.lines), set(position.chartered)) == ({None}, {0}, {False})


def test_there_are_no_fractions() -> None:
    """G-F4"""
    match = going(table(), "charter")
    with pytest.raises(IllegalAction, match="whole number"):
        match.read(1, {"t": "bid", "amount": 1.5})


def test_a_space_can_hold_any_number_of_product_lines() -> None:
    """G-F5"""
    match = going(table(2, owner={9: 0}, lines={9: 1000}), "diversify")
    bids(match, 1)
    answer(match, Lines({"9": 300}))
    assert match.at.lines[9] == 1300


def test_two_ordinary_dice_are_rolled() -> None:
    """G-F6"""
    seen = Counter[int]()
    for seed in range(300):
        position = table()
        position.dice = GIGABUCKS.start(Options(), str(seed)).at.dice
        (moved,) = heard(going(position, "roll").hear(), Moved)
        assert len(moved.dice) == 2
        seen.update(moved.dice)
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert min(seen.values()) > 60


def test_everybody_starts_with_300_and_no_token_on_the_board() -> None:
    """G-F7, G-S1"""
    position = start(players=4).at
    assert (position.cash, position.tokens) == ([300] * 4, [None] * 4)


def test_seats_and_first_player_are_drawn() -> None:
    """G-F8, G-O19, G-S1"""
    orders = {tuple(start(str(seed), players=3).at.order) for seed in range(60)}
    assert len(orders) == 6
    match = start(players=5)
    assert match.hear()[:2] == [Setup(match.at.options, match.at.order), TurnBegun(1, match.at.order[0])]


def test_fixed_seats_are_the_platforms_and_the_dice_of_a_seed_stay_the_same() -> None:
    """G-F40"""
    assert start(players=5, seating="fixed").at.order == [0, 1, 2, 3, 4]
    assert start(players=5, seating="fixed").at.dice == start(players=5).at.dice


def test_turns_go_clockwise() -> None:
    """G-F8, G-S5: and a player who is out is passed over."""
    match = start(players=4)
    seats = []
    for space in (1, 9, 17, 25):
        seats.append(seat_to_answer(match))
        answer(match, Place(space))
        bids(match, 0, 0, 0, 0)
    assert seats == match.at.order
    assert match.at.current == seats[0]


# --- course of play ------------------------------------------------------------------------------------------------


def test_the_first_turn_is_a_placement_of_choice_and_a_charter_auction() -> None:
    """G-F9, G-S2, G-D1"""
    match = start(players=3, seating="fixed")
    assert match.questions == {0: ToPlace(list(range(42)))}
    events = answer(match, Place(7))
    assert heard(events, Placed) == [Placed(0, 7)]
    assert heard(events, Called) == [Called("charter", 0, 7, [])]
    bids(match, 0, 0, 0)
    assert seat_to_answer(match) == 1


def test_without_an_answer_the_token_goes_to_the_lowest_space_it_may() -> None:
    """G-D1"""
    assert ToPlace([3, 8]).default() == Place(3)
    assert ToPlace([3, 8]).error(Place(4)) == "goes to space 4; open to it are 3, 8"


def test_a_placement_is_on_a_vacant_space_never_chartered() -> None:
    """G-O3"""
    position = table(3, turns=[3, 3, 0], current=2, tokens=[5, 6, None], owner={7: 1, 8: None})
    match = going(position, "place")
    assert match.questions == {2: ToPlace([space for space in range(42) if space not in (5, 6, 7, 8)])}


def test_if_every_vacant_space_was_chartered_any_of_them_will_do() -> None:
    """G-O3: it may happen under `after_winner`, when a player waits long for the first turn."""
    position = table(2, options={"spaces": 12}, tokens=[None, 4], owner=dict.fromkeys(range(12), 1), lines={3: 1})
    match = going(position, "place")
    assert match.questions == {0: ToPlace([space for space in range(12) if space != 4])}
    assert heard(answer(match, Place(3)), Paid) == [Paid(0, [1], 1, "royalty")]


def test_with_more_flexible_rounds_the_token_is_lifted_and_placed_again() -> None:
    """G-F37, G-O3"""
    match = start(players=2, seating="fixed", flexible_rounds=2)
    for space in (1, 2):
        answer(match, Place(space))
        bids(match, 0, 0)
    assert match.questions == {0: ToPlace([space for space in range(42) if space != 2])}
    answer(match, Place(1))
    bids(match, 0, 0)
    assert seat_to_answer(match) == 1
    answer(match, Place(9))
    assert [isinstance(event, Moved) for event in bids(match, 0, 0)].count(True) == 1


@pytest.mark.parametrize(("tokens", "to", "bumped"), [([20, 21, 22], 7, 0), ([7, 8, 22], 9, 2), ([6, 8, 9], 7, 0)])
def test_the_token_moves_upwards_and_on_to_the_first_vacant_space(tokens: list[int], to: int, bumped: int) -> None:
    """G-F10, G-T12, G-T13, G-S3: from 39, a roll of 10."""
    match = going(table(tokens=[39, *tokens], dice=dice_that_roll(4, 6)), "roll")
    assert heard(match.hear(), Moved) == [Moved(0, [4, 6], to, bumped)]
    assert match.at.tokens[0] == to


def test_nobody_stands_in_its_own_way() -> None:
    """G-O17: with a full lap a token comes back to where it was."""
    position = table(2, options={"spaces": 12}, tokens=[5, 9], dice=dice_that_roll(6, 6))
    assert heard(going(position, "roll").hear(), Moved) == [Moved(0, [6, 6], 5, 0)]


def test_other_dice_can_be_used() -> None:
    """G-F39"""
    position = table(options={"dice": [4, 8, 20]})
    (moved,) = heard(going(position, "roll").hear(), Moved)
    assert len(moved.dice) == 3
    assert all(1 <= eyes <= sides for eyes, sides in zip(moved.dice, (4, 8, 20), strict=True))


def test_less_currency_or_fewer_spaces_can_be_used() -> None:
    """G-F38"""
    position = start(players=2, currency=50, spaces=20).at
    assert (position.cash, len(position.owner)) == ([50, 50], 20)


# --- the landing table ---------------------------------------------------------------------------------------------


def test_a_space_not_chartered_brings_a_charter_auction_and_nothing_else() -> None:
    """G-F11, G-O1, G-O2, G-S4"""
    match = landing(table(owner={3: 0}), 9)
    assert heard(match.hear(), Called) == [Called("charter", 0, 9, [])]
    assert match.at.to_do == ["charter", "end"]


def test_an_inactive_corporation_brings_a_reactivation_auction_and_nothing_else() -> None:
    """G-F11, G-O1, G-O2"""
    match = landing(table(owner={3: 0, 9: None}), 9)
    assert heard(match.hear(), Called) == [Called("reactivation", 0, 9, [])]
    assert match.at.to_do == ["reactivate", "end"]


def test_your_own_brings_a_sale_if_you_like_and_a_diversification_auction() -> None:
    """G-F11, G-O1"""
    match = landing(table(owner={9: 0}), 9)
    assert match.questions == {0: ToOffer([9])}
    assert heard(answer(match, Offer([])), Called) == [Called("diversification", 0, None, [])]


def test_an_opponents_is_paid_for_and_then_like_your_own() -> None:
    """G-F11, G-O1"""
    match = landing(table(owner={9: 2, 3: 0}, lines={9: 4}), 9)
    assert heard(match.hear(), Paid) == [Paid(0, [2], 4, "royalty")]
    assert match.questions == {0: ToOffer([3])}
    assert heard(answer(match, Offer([])), Called) == [Called("diversification", 0, None, [])]


def test_diversification_may_be_for_landings_on_your_own_only() -> None:
    """G-O1: `diversify_on`."""
    position = table(owner={9: 2, 3: 0}, lines={9: 4}, options={"diversify_on": "own"})
    match = landing(position, 9)
    assert heard(match.hear(), Paid) == [Paid(0, [2], 4, "royalty")]
    assert heard(answer(match, Offer([])), Called)[:1] != [Called("diversification", 0, None, [])]
    match = landing(table(owner={9: 0}, options={"diversify_on": "own", "voluntary_sales": False}), 9)
    assert heard(match.hear(), Called) == [Called("diversification", 0, None, [])]


def test_without_enough_currency_you_liquidate_and_no_other_auction_follows() -> None:
    """G-F12, G-O1, G-O2"""
    match = landing(table(owner={9: 2, 3: 0, 4: 0}, lines={9: 4}, cash=[3, 300, 300, 300]), 9)
    assert heard(match.hear(), Called) == [Called("involuntary", 0, None, [])]
    assert match.at.to_do == ["liquidate", "end"]


def test_without_corporations_you_give_what_you_have_and_are_out() -> None:
    """G-F12"""
    match = landing(table(owner={9: 2}, lines={9: 4}, cash=[3, 300, 300, 300]), 9)
    assert match.at.cash == [0, 300, 303, 300]
    assert [(out.seat, out.how) for out in match.at.exits] == [(0, "bankrupt")]
    assert match.at.tokens[0] is None
    assert match.at.current == 1


def test_no_diversification_if_nobody_owns_a_corporation() -> None:
    """G-O2"""
    match = going(table(), "diversify", "end")
    assert not [call for call in heard(match.hear(), Called) if call.kind == "diversification"]


def test_after_winner_the_turn_is_at_the_left_of_the_last_auctions_winner() -> None:
    """G-F35, G-O11"""
    match = going(table(options={"next_player": "after_winner"}, tokens=[9, 1, 2, 3]), "charter", "end")
    bids(match, 0, 3, 0, 0)
    assert match.at.owner[9] == 2
    assert match.at.current == 3
    match = going(table(options={"next_player": "after_winner"}), "charter", "end")
    bids(match, 0, 0, 0, 0)
    assert match.at.current == 1


def test_an_auction_without_bids_has_no_winner_and_leaves_the_turns_last_winner_as_it_was() -> None:
    """G-O11, G-V1"""
    after_winner = {"next_player": "after_winner"}
    match = going(table(owner={9: 0, 10: 0}, options=after_winner, turn=9), "offer", "diversify", "end")
    answer(match, Offer([Bundle([9], 1)]))
    bids(match, 0, 3, 0)
    assert match.at.owner[9] == 2
    bids(match, 0, 0)
    assert (match.at.current, match.at.turn) == (3, 10)
    assert GIGABUCKS.see(match.at, 0).winner is None  # type: ignore[attr-defined]


# --- seats by auction ----------------------------------------------------------------------------------------------


def test_seats_can_be_sold_place_by_place() -> None:
    """G-F40, G-O12, G-D7: the winner pays each other player; the last place is left for the last."""
    match = start(players=3, seating="auction")
    drawn = match.at.order.copy()
    assert [seat_to_answer(match), question(match)] == [drawn[0], ToBid(1, 150, 1)]
    events = bids(match, 0, 5, 0)
    assert heard(events, Won) == [Won("seat", drawn[1], 5)]
    assert match.at.cash[drawn[1]] == 290
    assert seat_to_answer(match) == drawn[0]
    bids(match, 0, 0)
    assert match.at.order == [drawn[1], drawn[0], drawn[2]]
    assert match.at.current == drawn[1]
    assert isinstance(question(match), ToPlace)
    assert sum(match.at.cash) == 900


# --- irregularities and limits -------------------------------------------------------------------------------------


def test_nobody_can_take_a_turn_that_is_not_its_own() -> None:
    """G-F29: the rulebook lets a wrong turn stand; here it cannot happen."""
    match = start(players=3, seating="fixed")
    with pytest.raises(IllegalAction, match="is not asked now; asked: 0"):
        match.read(1, {"t": "place", "space": 3})


def test_assets_move_only_by_auction_royalty_and_exit() -> None:
    """G-F28: no question lets a player give or trade."""
    assert {kind.tag for kind in GIGABUCKS.questions} == {"place", "bid", "lines", "offer", "cut", "pick", "choose"}


def test_a_bid_made_is_binding() -> None:
    """G-F15: nothing is asked between the last bid and the payment."""
    match = going(table(tokens=[9, 1, 2, 3]), "charter", "end")
    bids(match, 4, 0, 0, 0)
    assert (match.at.owner[9], match.at.cash) == (1, [304, 288, 304, 304])


def test_answers_of_the_wrong_kind_are_refused() -> None:
    """G-D2: with what was given and what was possible."""
    match = going(table(), "charter", "end")
    with pytest.raises(IllegalAction, match="bids 101; a bid is 1 to 100 here, or 0 to pass"):
        match.apply({1: Bid(101)})
    assert isinstance(question(match), ToBid)
    with pytest.raises(IllegalAction, match='"t": "bid"'):
        match.read(1, {"t": "place", "space": 3})
    assert not isinstance(question(match), ToBuyLines)
