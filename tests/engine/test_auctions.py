"""The once-around auction and its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.auctions import Ascending, Bid, BidMade, OnceAround, ToBid, ascending, once_around
from engine.core import Flow, Match, Seat, ask
from engine.dice import Dice
from engine.games.zaibatsu import Position
from tests.games.zaibatsu_tables import table


@given(st.integers(1, 30), st.integers(0, 30), st.text("ab"))
def test_a_drawn_bid_is_legal(low: int, more: int, seed: str) -> None:
    question = ToBid(low, low + more)
    assert question.error(question.draw(Dice.of(seed))) is None


def test_every_legal_bid_is_drawn_sooner_or_later() -> None:
    dice = Dice.of("bids")
    assert {ToBid(3, 5).draw(dice).amount for _ in range(100)} == {0, 3, 4, 5}


@pytest.mark.parametrize("amount", [-1, 1, 2, 6, 2**53])
def test_a_bid_outside_the_range_is_refused_with_the_range(amount: int) -> None:
    assert ToBid(3, 5).error(Bid(amount)) == f"bids {amount}; a bid is 3 to 5 here, or 0 to pass"


def rules(position: Position) -> Flow[None]:
    assert position.auction is not None
    yield from once_around(position, position.auction, position.cash)


def test_each_seat_bids_once_and_the_last_highest_leads() -> None:
    position = table(cash=[9, 0, 5], auction=OnceAround(1, 0, [1, 2, 0]))
    match = Match(rules, position)
    match.apply({2: Bid(5)})
    match.apply({0: Bid(6)})
    assert match.over
    assert match.hear() == [BidMade(1, 0, auto=True), BidMade(2, 5), BidMade(0, 6)]
    assert position.auction == OnceAround(1, 0, [], 6, 0)


def bid(seat: Seat, low: int, high: int) -> Flow[int]:
    return (yield from ask(seat, ToBid(low, high))).amount


@given(st.lists(st.integers(0, 12), min_size=2, max_size=5), st.integers(1, 4), st.text("ab"))
def test_an_ascending_auction_ends_with_the_highest_bidder_alone(cash: list[int], least: int, seed: str) -> None:
    auction, dice = Ascending(list(range(len(cash)))), Dice.of(seed)
    match = Match(
        lambda position: ascending(position, auction, least, position.cash.__getitem__, bid), table(cash=cash)
    )
    while not match.over:
        ((seat, question),) = match.questions.items()
        assert seat != auction.leader
        assert isinstance(question, ToBid)
        assert (question.low, question.high) == (max(least, auction.high + 1), cash[seat])
        match.apply({seat: question.draw(dice)})
    assert auction.bidding == ([] if auction.leader is None else [auction.leader])
    bids = [event for event in match.hear() if isinstance(event, BidMade)]
    made = [event for event in bids if event.amount]
    assert [event.amount for event in made] == sorted({event.amount for event in made})
    assert (auction.high, auction.leader) == ((made[-1].amount, made[-1].seat) if made else (0, None))
    passed = [event.seat for event in bids if not event.amount]
    assert len(passed) == len(set(passed))


def test_one_who_opened_is_asked_again_only_when_overbid() -> None:
    auction = Ascending([1, 2, 0], high=5, leader=0)
    match = Match(
        lambda position: ascending(position, auction, 5, position.cash.__getitem__, bid), table(cash=[9, 9, 9])
    )
    for amount in (6, 0, 7, 0):
        match.apply({seat: Bid(amount) for seat in match.questions})
    assert match.over
    assert match.hear() == [BidMade(1, 6), BidMade(2, 0), BidMade(0, 7), BidMade(1, 0)]
    assert (auction.high, auction.leader) == (7, 0)
