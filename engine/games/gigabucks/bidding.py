"""Auctions, however bids are made: in turn, in waves, or once and sealed. And how anything is asked."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeVar

from engine.auctions import BidMade, ascending
from engine.core import Flow, Seat, ask, ask_all, tell
from engine.games.gigabucks.events import NoBid, Said, Untrue, Won
from engine.games.gigabucks.position import Auction, Position
from engine.games.gigabucks.questions import Action, Asked, Bid, ToBid
from engine.games.gigabucks.talk import allowed, is_sound

A = TypeVar("A", bound=Action)


def ask_unless_forced(position: Position, seat: Seat, question: Asked[A]) -> Flow[A]:
    """Ask a seat, unless only one answer is legal or the match has used up its decisions: then take the default."""
    if question.forced or used_up(position):
        return question.default()
    question.talk = allowed(position, seat)
    answer = yield from ask(seat, question)
    note_extras(position, seat, answer)
    return answer


def used_up(position: Position) -> bool:
    return position.decisions >= position.options.max_decisions


def note_extras(position: Position, seat: Seat, answer: Action) -> None:
    """A resignation waits for the end of the turn. Whatever is said is public, but for what is not true."""
    position.decisions += answer.counts
    position.leaving[seat] |= answer.resign
    for message in answer.talk:
        position.said[seat] += 1
        tell(position, Said(seat, message) if is_sound(position, message) else Untrue(seat, message))


def hold_auction(position: Position, auction: Auction) -> Flow[None]:
    """Take bids until it is clear who wins."""
    if auction.over:
        return
    yield from STYLES[position.options.bidding](position, auction)
    auction.close()
    if auction.leader is None:
        tell(position, NoBid(auction.kind))
    else:
        position.winner = auction.leader
        tell(position, Won(auction.kind, auction.leader, auction.high))


def purse(position: Position, payees: int, step: int, seat: Seat) -> int:
    """Return the highest bid that `seat` could pay in full to so many."""
    if used_up(position):
        return 0
    most = position.cash[seat] // payees
    return most - most % step


def payees(position: Position, auction: Auction) -> int:
    """Return the number of players to whom the winner pays its bid."""
    return position.options.players - len(position.exits) - 1 if auction.to_each else 1


def next_bid(auction: Auction, step: int) -> int:
    """Return the lowest bid that is a multiple of the step, meets the minimum and tops the highest so far."""
    return -(-max(auction.least, auction.high + 1) // step) * step


def in_turn(position: Position, auction: Auction) -> Flow[None]:
    """Clockwise, each player bids higher than the last or passes for good; the highest bidder is not asked again."""
    step, once = position.options.bid_step.of(auction.kind), auction.kind in position.options.one_round
    most, ask_bid = (
        partial(purse, position, payees(position, auction), step),
        partial(ask_for_bid, position, auction, step),
    )
    return ascending(position, auction, auction.least, most, ask_bid, once=once)


def ask_for_bid(position: Position, auction: Auction, step: int, seat: Seat, _low: int, high: int) -> Flow[int]:
    return (yield from ask_unless_forced(position, seat, ToBid(next_bid(auction, step), high, step))).amount


def in_waves(position: Position, auction: Auction) -> Flow[None]:
    """The players but the highest bidder bid or pass at once, repeatedly; of equal bids the first clockwise counts."""
    while auction.bidding and auction.bidding != [auction.leader]:
        asked = [seat for seat in auction.bidding if seat != auction.leader]
        amounts = yield from bids_at_once(position, auction, asked)
        auction.bidding = [seat for seat in auction.bidding if amounts.get(seat, 1)]
        take_best(auction, amounts)
        if auction.kind in position.options.one_round:
            return


def bid_sealed(position: Position, auction: Auction) -> Flow[None]:
    """Bidders state a limit once, unseen by the others. The highest wins a step above the second, if it can."""
    step = position.options.bid_step.of(auction.kind)
    low = next_bid(auction, step)
    amounts = yield from bids_at_once(position, auction, auction.bidding)
    take_best(auction, amounts)
    second = max((amount for seat, amount in amounts.items() if seat != auction.leader), default=0)
    auction.high = max(low, min(auction.high, second + step)) if auction.high else 0


STYLES = {"clockwise": in_turn, "open": in_waves, "proxy": bid_sealed}


def bids_at_once(position: Position, auction: Auction, seats: Sequence[Seat]) -> Flow[Mapping[Seat, int]]:
    """A bid of each of `seats`, in their order; whoever cannot pay the next bid passes without being asked."""
    step, to = position.options.bid_step.of(auction.kind), payees(position, auction)
    low = next_bid(auction, step)
    purses = {seat: most for seat in seats if (most := purse(position, to, step, seat)) >= low}
    questions = {seat: ToBid(low, most, step, talk=allowed(position, seat)) for seat, most in purses.items()}
    answers = (yield from ask_all(questions)) if questions else {}
    return {seat: _bid_of(position, seat, answers) for seat in seats}


def _bid_of(position: Position, seat: Seat, answers: Mapping[Seat, Bid]) -> int:
    if seat in answers:
        note_extras(position, seat, answers[seat])
    amount = answers[seat].amount if seat in answers else 0
    tell(position, BidMade(seat, amount, seat not in answers))
    return amount


def take_best(auction: Auction, amounts: Mapping[Seat, int]) -> None:
    """The first of the highest bids leads."""
    for seat, amount in amounts.items():
        if amount > auction.high:
            auction.high, auction.leader = amount, seat
