"""The once-around auction and its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.auctions import Bid, BidMade, OnceAround, ToBid, once_around
from engine.core import Flow, Match
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


def rules(at: Position) -> Flow[None]:
    assert at.auction is not None
    yield from once_around(at, at.auction, at.cash)


def test_each_seat_bids_once_and_the_last_highest_leads() -> None:
    at = table(cash=[9, 0, 5], auction=OnceAround(1, 0, [1, 2, 0]))
    match = Match(rules, at)
    match.apply({2: Bid(5)})
    match.apply({0: Bid(6)})
    assert match.over
    assert match.hear() == [BidMade(1, 0, auto=True), BidMade(2, 5), BidMade(0, 6)]
    assert at.auction == OnceAround(1, 0, [], 6, 0)
