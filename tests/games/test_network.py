"""Network clause by clause, in the order of the rulebook: the map, shares, turns, auctions, the end."""

from collections import Counter

import pytest

from engine.auctions import BidMade, ToBid
from engine.core import Match
from engine.dice import Dice
from engine.games.network import (
    MAPS,
    NETWORK,
    Auction,
    Ended,
    Layout,
    Opened,
    Options,
    Pass,
    Position,
    Setup,
    Sold,
    ToTurn,
    Triggered,
    TurnTaken,
    Unsold,
    generate,
    scores,
)
from engine.games.network.pieces import Board, Hex, board, disc, distance
from engine.records import RecordError, to_plain
from tests.games.answering import refusal, seat_to_answer
from tests.games.network_tables import act, answer, begin, shares, table

HAND, POOL = Auction(0, "hand"), Auction(1, "bank")


# --- the map -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kinds"), [("small", (1, 24, 6, 6)), ("large", (1, 36, 12, 12))])
def test_the_two_maps_have_these_hexes(name: str, kinds: tuple[int, ...]) -> None:
    """N-F2, N-O2: one start in the middle; standard, city and mountain hexes."""
    counted = Counter(board(MAPS[name]).kinds)
    assert tuple(counted[kind] for kind in ("start", "standard", "city", "mountain")) == kinds
    assert board(MAPS[name]).is_whole()


@pytest.mark.parametrize("name", MAPS)
def test_the_two_maps_look_the_same_from_all_sides(name: str) -> None:
    """N-O2: under all six turns and all mirrors, so that no seat is favoured."""
    layout = MAPS[name]

    def mirrored(hexes: tuple[Hex, ...]) -> set[Hex]:
        return {(q + r, -r) for q, r in hexes}

    def turned(hexes: tuple[Hex, ...]) -> set[Hex]:
        return {(-r, q + r) for q, r in hexes}

    for hexes in (layout.mountains, layout.cities):
        assert turned(hexes) == mirrored(hexes) == set(hexes)


def test_cities_lie_three_and_four_builds_from_the_start() -> None:
    """N-O2"""
    assert Counter(map(distance, MAPS["small"].cities)) == {3: 6}
    assert Counter(map(distance, MAPS["large"].cities)) == {3: 6, 4: 6}


def drawn_maps(radius: int) -> list[Layout]:
    return [generate(radius, Dice.of(str(seed))) for seed in range(60)]


@pytest.mark.parametrize(("radius", "count"), [(3, 6), (4, 12)])
def test_a_generated_map_is_threefold_whole_and_fair(radius: int, count: int) -> None:
    """N-O2: as many mountains and cities, the first ring free, all of it reachable, and hardly ever the same."""
    layouts = drawn_maps(radius)
    for layout in layouts:
        assert len(layout.mountains) == len(layout.cities) == count
        assert min(map(distance, layout.mountains)) >= 2
        assert min(map(distance, layout.cities)) >= 3
        assert {(-q - r, q) for q, r in layout.cities} == set(layout.cities)
        assert {(-q - r, q) for q, r in layout.mountains} == set(layout.mountains)
        assert Board(layout).is_whole()
    assert len(set(layouts)) > 40


@pytest.mark.parametrize(("players", "chosen", "radius"), [(3, "auto", 3), (4, "auto", 4), (2, "large", 4)])
def test_up_to_three_players_use_the_small_map(players: int, chosen: str, radius: int) -> None:
    """N-O1, N-O2"""
    options = NETWORK.read_options({"players": players, "map": chosen})
    assert NETWORK.start(options, "s").at.options.radius == radius
    assert len(disc(radius)) == {3: 37, 4: 61}[radius]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 1}, "options.players must be 2 to 6, not 1"),
        ({"players": 7}, "options.players must be 2 to 6, not 7"),
        ({"first": 4}, 'options.first must be "random" or a seat from 0 to 3, not 4'),
        ({"max_turns": 0}, "options.max_turns must be 1 to 10000, not 0"),
    ],
)
def test_options_out_of_range_are_refused_with_the_range(options: dict[str, object], reason: str) -> None:
    """N-O1, N-O15"""
    with pytest.raises(RecordError) as refused:
        NETWORK.read_options(options)
    assert str(refused.value) == reason


# --- shares and setup ----------------------------------------------------------------------------------------------


def test_at_the_start_everybody_has_a_company_and_25_dollars() -> None:
    """N-F4, N-F5, N-F9, N-F10, N-S1, N-T1: the start is worth 5 to every company; of 5 shares one is auctioned."""
    position = NETWORK.start(Options(3, first=0), "s").at
    assert (position.cash, position.treasury, position.share_value) == ([25] * 3, [5] * 3, [5] * 3)
    assert (position.unauctioned, position.pool) == ([4] * 3, [0] * 3)
    assert position.owned == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert set(position.owner) == {-1}


def test_the_first_player_is_drawn_or_named_and_the_map_is_the_same() -> None:
    """N-O15, N-S1"""
    assert {NETWORK.start(Options(3), str(seed)).at.first for seed in range(40)} == {0, 1, 2}
    drawn, named = (NETWORK.start(Options(4, "generated", first), "s").at for first in ("random", 2))
    assert (drawn.mountains, drawn.cities) == (named.mountains, named.cities)
    assert named.to_act == 2


def test_only_auctioned_shares_are_owned() -> None:
    """N-F7, N-F8, N-O18: an unauctioned share is controlled, and worth nothing; it can be auctioned once."""
    position = table(2, owned=[[1, 0], [0, 1]], cash=[3, 3])
    assert scores(position) == [8, 8]
    position.unauctioned = [0, 0]
    assert scores(position) == [8, 8]


def test_net_worth_is_cash_and_the_share_value_of_owned_shares() -> None:
    """N-F1, N-F36, N-E4, N-T22"""
    position = table(3, cash=[12, 0, 0], owned=shares(3, p0=(2, 1, 0)), share_value=[9, 6, 5])
    assert scores(position)[0] == 36


# --- turns ---------------------------------------------------------------------------------------------------------


def test_a_turn_is_an_auction_an_act_or_a_pass_and_then_the_next_player_has_one() -> None:
    """N-F11, N-S2, N-D1"""
    match = begin(3)
    question = match.questions[0]
    assert isinstance(question, ToTurn)
    assert [(offer.company, offer.source, offer.least) for offer in question.offers] == [(0, "hand", 5)]
    events = answer(match, Pass(), Pass())
    assert [event.seat for event in events if isinstance(event, TurnTaken)] == [0, 1]
    assert seat_to_answer(match) == 2


def test_who_can_only_pass_is_not_asked() -> None:
    """N-D1"""
    match = begin(2, unauctioned=[0, 4], owned=shares(2, p1=(2, 1)), to_act=1)
    events = answer(match, Pass())
    assert TurnTaken(0, 2, "pass", auto=True) in events


def test_all_passing_in_a_row_ends_the_match_at_once() -> None:
    """N-F34, N-E1, N-T21, N-O17"""
    match = begin(3)
    events = answer(match, Pass(), Pass(), Pass())
    assert match.over
    assert isinstance(events[-1], Ended)
    assert events[-1].reason == "all_pass"


def test_an_auction_or_an_act_breaks_a_row_of_passes() -> None:
    """N-F34, N-S5, N-T21"""
    match = begin(3)
    answer(match, Pass(), Pass(), act(2, 1, 0), Pass(), Pass())
    assert not match.over
    assert match.at.passes == 2


def test_a_match_is_cut_short_after_max_turns_and_scored_as_it_stands() -> None:
    """N-E1, N-E3, N-S5"""
    match = begin(2, max_turns=3)
    events = answer(match, Pass(), act(1, 1, 0), Pass())
    assert match.over
    assert isinstance(events[-1], Ended)
    assert (events[-1].reason, events[-1].worth) == ("cap", scores(match.at))


# --- auctions ------------------------------------------------------------------------------------------------------


def test_the_turn_player_offers_an_own_unauctioned_share_or_any_of_the_pool() -> None:
    """N-F12"""
    match = begin(3, pool=[0, 2, 0])
    question = match.questions[0]
    assert isinstance(question, ToTurn)
    assert [(offer.company, offer.source) for offer in question.offers] == [(0, "hand"), (1, "bank")]
    assert refusal(match, Auction(2, "bank")) == (
        "offers a share of company 2 from the bank; to be had: company 0 from the hand, company 1 from the bank"
    )


@pytest.mark.parametrize("bid", [4, 26, -1])
def test_an_opening_bid_is_the_share_value_or_more_and_no_more_than_the_cash(bid: int) -> None:
    """N-F13, N-O6, N-T20"""
    reason = f"opens with {bid}; an opening bid is 5 to 25 here, or 0 for none"
    assert refusal(begin(3), Auction(0, "hand", bid)) == reason


def test_bidding_goes_clockwise_and_who_passes_is_out() -> None:
    """N-F14, N-F15, N-S3, N-D3, N-T13, N-A3: the last one in wins."""
    match = begin(3)
    events = answer(match, Auction(0, "hand", 5), 6, 8, 0, 0)
    assert [event for event in events if isinstance(event, BidMade)] == [
        *(BidMade(1, 6), BidMade(2, 8), BidMade(0, 0), BidMade(1, 0))
    ]
    assert (match.at.cash[2], match.at.treasury[0]) == (17, 13)
    assert match.at.owned[2] == [1, 0, 1]
    assert seat_to_answer(match) == 1


def test_a_bid_is_at_least_the_share_value_then_higher_than_the_last_and_within_the_cash() -> None:
    """N-F14, N-D3, N-T20"""
    match = begin(3)
    answer(match, HAND)
    assert match.questions == {1: ToBid(5, 25)}
    answer(match, 7)
    assert match.questions == {2: ToBid(8, 25)}
    plain = to_plain(match.questions[2])
    for amount in (7, 26, 4.5):
        with pytest.raises((AssertionError, RecordError)):
            assert match.questions[2].error(match.questions[2].read({**plain, "t": "bid", "amount": amount})) is None


def test_not_to_open_is_no_pass() -> None:
    """N-F13, N-O5: the caller is asked last, and may take the share for its value."""
    match = begin(3)
    events = answer(match, HAND, 0, 0)
    assert events[1] == Opened(0, 0, "hand", 5, 0)
    assert match.questions == {0: ToBid(5, 25)}
    answer(match, 5)
    assert (match.at.cash[0], match.at.treasury[0], match.at.auctioned(0)) == (20, 10, 2)


def test_who_has_too_little_passes_unasked() -> None:
    """N-O5, N-D3"""
    match = begin(3, cash=[25, 4, 25])
    events = answer(match, HAND)
    assert BidMade(1, 0, auto=True) in events
    assert seat_to_answer(match) == 2


def test_without_a_bid_the_share_goes_to_the_pool_and_the_bank_pays_the_company() -> None:
    """N-F16, N-O3, N-O14, N-T11: still unauctioned, to be auctioned later."""
    match = begin(3)
    events = answer(match, HAND, 0, 0, 0)
    position = match.at
    assert (position.pool, position.treasury[0]) == ([1, 0, 0], 10)
    assert (position.unauctioned[0], position.auctioned(0)) == (3, 1)
    assert Unsold(0, "hand", 5) in events
    assert position.passes == 0


def test_the_bank_pays_nothing_if_the_option_says_so() -> None:
    """N-O3"""
    match = begin(3, bank_buys_unsold=False)
    answer(match, HAND, 0, 0, 0)
    assert (match.at.pool[0], match.at.treasury[0]) == (1, 5)


def test_the_price_goes_to_the_treasury_of_the_company() -> None:
    """N-F17, N-F18, N-O7, N-T12: and the share counts as auctioned."""
    match = begin(3)
    events = answer(match, HAND, 0, 0, 5)
    assert (match.at.cash[0], match.at.treasury[0], match.at.auctioned(0)) == (20, 10, 2)
    assert Sold(0, 0, 5, "treasury") in events


def test_the_price_of_a_pooled_share_goes_to_the_bank() -> None:
    """N-F18, N-T14"""
    match = begin(3, pool=[0, 1, 0], unauctioned=[4, 3, 4])
    events = answer(match, POOL, 0, 5, 0)
    assert (match.at.cash[2], match.at.treasury[1], match.at.pool[1], match.at.auctioned(1)) == (20, 5, 0, 2)
    assert Sold(1, 2, 5, "bank") in events


def test_a_pooled_share_that_nobody_wants_changes_nothing_and_counts_as_a_pass() -> None:
    """N-O4, N-T15, N-T21"""
    match = begin(3, pool=[0, 1, 0], unauctioned=[4, 3, 4])
    before = to_plain(match.at)
    events = answer(match, POOL, 0, 0, 0)
    after = to_plain(match.at)
    assert {name for name in before if before[name] != after[name]} == {"turn", "to_act", "passes"}
    assert Unsold(1, "bank", 0) in events
    answer(match, Pass(), Pass())
    assert match.over


# --- the end -------------------------------------------------------------------------------------------------------


def last_share_of_company_1(players: int) -> Match[Position]:
    """Seat 1 is to offer the last unauctioned share of its company."""
    owned = [[(4 if seat == 1 else 1) * (company == seat) for company in range(players)] for seat in range(players)]
    return begin(players, owned=owned, unauctioned=[1 if seat == 1 else 4 for seat in range(players)], to_act=1)


@pytest.mark.parametrize(
    ("players", "order"),
    [(2, [0, 1, 0]), (3, [2, 0, 1, 2, 0]), (6, [2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0])],
)
def test_once_sold_out_the_others_have_a_turn_and_then_all_have_one(players: int, order: list[int]) -> None:
    """N-F19, N-F35, N-E2, N-T17"""
    match, turns = last_share_of_company_1(players), []
    answer(match, Auction(1, "hand", 5), *[0] * (players - 1))
    while not match.over:
        turns.append(seat_to_answer(match))
        answer(match, Pass() if turns[-1] == 1 else Auction(turns[-1], "hand"))
        while any(isinstance(question, ToBid) for question in match.questions.values()):
            answer(match, 0)
    assert turns == order
    assert match.at.ending == "sold_out"


def test_the_last_share_triggers_the_end() -> None:
    """N-F19, N-O7, N-T16"""
    match = last_share_of_company_1(3)
    match.at.share_value[1] = 6
    match = match.copy()
    match.at.heard = []
    assert match.at.auctioned(1) == 4
    events = answer(match, Auction(1, "hand", 6), 0, 0)
    assert (match.at.auctioned(1), match.at.treasury[1], match.at.trigger) == (5, 11, 1)
    assert Triggered(1, 1, 5) in events


def test_a_second_company_selling_out_changes_nothing() -> None:
    """N-O17"""
    owned = shares(2, p0=(4, 0), p1=(0, 4))
    match = begin(2, owned=owned, unauctioned=[1, 1], to_act=0, cash=[50, 50])
    answer(match, Auction(0, "hand", 5), 0)
    left = match.at.turns_left
    events = answer(match, Auction(1, "hand", 5), 0)
    assert not any(isinstance(event, Triggered) for event in events)
    assert (match.at.trigger, match.at.turns_left) == (0, left - 1)


def test_equal_worth_shares_the_place() -> None:
    """N-O18, N-E4"""
    match = begin(3)
    events = answer(match, Pass(), Pass(), Pass())
    assert events[-1] == Ended("all_pass", [30, 30, 30], [1, 1, 1])


def test_nothing_is_secret() -> None:
    """N-O19, N-V1"""
    match = NETWORK.start(Options(3), "s")
    assert isinstance(match.hear()[0], Setup)
    views = [to_plain(NETWORK.see(match.at, seat)) for seat in range(3)]
    assert all({**view, "seat": 0} == views[0] for view in views)
