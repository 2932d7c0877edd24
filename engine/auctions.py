"""Auctions that more than one game could hold. A bid is a whole number, 0 a pass, and a question gives their range."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.copies import Copied
from engine.core import Event, Flow, Position, Question, Seat, ask, tell
from engine.dice import Dice
from engine.records import Record
from engine.sentences import Sentence


@dataclass(slots=True)
class Bid(Record):
    """Bid `amount`; 0 passes."""

    tag: ClassVar[str] = "bid"
    amount: int


@dataclass(slots=True)
class ToBid(Question[Bid]):
    """Bid from `low` to `high`, or pass with 0."""

    tag: ClassVar[str] = "bid"
    answers: ClassVar[object] = Bid
    low: int
    high: int

    def error(self, action: Bid) -> Sentence | None:
        if action.amount == 0 or self.low <= action.amount <= self.high:
            return None
        sentence = "bids %(amount)s; a bid is %(low)s to %(high)s here, or 0 to pass"
        return Sentence(sentence, amount=action.amount, low=self.low, high=self.high)

    def default(self) -> Bid:
        return Bid(0)

    def draw(self, dice: Dice) -> Bid:
        """Return a pass or a bid, each amount as likely as the pass."""
        chosen = dice.below(self.high - self.low + 2)
        return Bid(chosen and self.low + chosen - 1)


@dataclass(slots=True)
class BidMade(Event):
    """`seat` bid `amount`, or passed with 0; `auto` if there was no other answer and it was not asked."""

    tag: ClassVar[str] = "bid"
    seat: Seat
    amount: int
    auto: bool = False


@dataclass(slots=True)
class OnceAround(Copied):
    """One auction in which each seat bids once at most: `to_bid` have yet to, the first of them is next."""

    lot: int
    caller: Seat
    to_bid: list[Seat]
    high: int = 0
    leader: Seat | None = None


def once_around(position: Position, auction: OnceAround, purses: Sequence[int]) -> Flow[None]:
    """Ask seats in turn for more than the highest bid so far and no more than they have, or a pass.

    A seat that has too little for that passes without being asked.
    """
    while auction.to_bid:
        seat, low = auction.to_bid[0], auction.high + 1
        forced = purses[seat] < low
        amount = 0 if forced else (yield from ask(seat, ToBid(low, purses[seat]))).amount
        del auction.to_bid[0]
        if amount:
            auction.high, auction.leader = amount, seat
        tell(position, BidMade(seat, amount, forced))


@dataclass(slots=True)
class Ascending(Copied):
    """An auction in rounds: `bidding` are still in, the next of them first. A seat that passes is out of it."""

    bidding: list[Seat]
    high: int = 0
    leader: Seat | None = None


AskBid = Callable[[Seat, int, int], Flow[int]]  # asks a seat for a bid from low to high, 0 to pass


def ascending(
    position: Position,
    auction: Ascending,
    least: int,
    purse: Callable[[Seat], int],
    ask_bid: AskBid,
    *,
    once: bool = False,
) -> Flow[None]:
    """Ask seats in turn for more than the highest bid so far, from `least` to what is in their purse, or a pass.

    A pass is final. It is over when only the leader is in, who is not asked again, or nobody. A seat with too little
    for the next bid passes without being asked. With `once`, nobody bids twice.
    """
    while auction.bidding and auction.bidding != [auction.leader]:
        seat, low = auction.bidding[0], max(least, auction.high + 1)
        most = purse(seat)
        forced = most < low
        amount = 0 if forced else (yield from ask_bid(seat, low, most))
        del auction.bidding[0]
        if amount:
            auction.bidding += [] if once else [seat]
            auction.high, auction.leader = amount, seat
        tell(position, BidMade(seat, amount, forced))
