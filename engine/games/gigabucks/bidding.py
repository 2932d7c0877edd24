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


def ask_unless_forced(at: Position, seat: Seat, question: Asked[A]) -> Flow[A]:
    """Ask a seat, unless only one answer is legal or the match has used up its decisions: then take the default."""
    if question.forced or used_up(at):
        return question.default()
    question.talk = allowed(at, seat)
    answer = yield from ask(seat, question)
    note_extras(at, seat, answer)
    return answer


def used_up(at: Position) -> bool:
    return at.decisions >= at.options.max_decisions


def note_extras(at: Position, seat: Seat, answer: Action) -> None:
    """A resignation waits for the end of the turn. Whatever is said is public, but for what is not true."""
    at.decisions += answer.counts
    at.leaving[seat] |= answer.resign
    for message in answer.talk:
        at.said[seat] += 1
        tell(at, Said(seat, message) if is_sound(at, message) else Untrue(seat, message))


def hold_auction(at: Position, auction: Auction) -> Flow[None]:
    """Take bids until it is clear who wins."""
    if auction.over:
        return
    yield from STYLES[at.options.bidding](at, auction)
    auction.close()
    if auction.leader is None:
        tell(at, NoBid(auction.kind))
    else:
        at.winner = auction.leader
        tell(at, Won(auction.kind, auction.leader, auction.high))


def purse(at: Position, payees: int, step: int, seat: Seat) -> int:
    """The highest bid that `seat` could pay in full to so many."""
    if used_up(at):
        return 0
    most = at.cash[seat] // payees
    return most - most % step


def payees(at: Position, auction: Auction) -> int:
    """To how many the winner pays its bid."""
    return at.options.players - len(at.exits) - 1 if auction.to_each else 1


def next_bid(auction: Auction, step: int) -> int:
    """The lowest bid that is a multiple of the step, meets the minimum and tops the highest so far."""
    return -(-max(auction.least, auction.high + 1) // step) * step


def in_turn(at: Position, auction: Auction) -> Flow[None]:
    """Clockwise, each player bids higher than the last or passes for good; the highest bidder is not asked again."""
    step, once = at.options.bid_step.of(auction.kind), auction.kind in at.options.one_round
    most, ask_bid = partial(purse, at, payees(at, auction), step), partial(ask_for_bid, at, auction, step)
    return ascending(at, auction, auction.least, most, ask_bid, once=once)


def ask_for_bid(at: Position, auction: Auction, step: int, seat: Seat, _low: int, high: int) -> Flow[int]:
    return (yield from ask_unless_forced(at, seat, ToBid(next_bid(auction, step), high, step))).amount


def in_waves(at: Position, auction: Auction) -> Flow[None]:
    """All but the highest bidder bid or pass at once, again and again; of equal bids the first clockwise counts."""
    while auction.bidding and auction.bidding != [auction.leader]:
        asked = [seat for seat in auction.bidding if seat != auction.leader]
        amounts = yield from bids_at_once(at, auction, asked)
        auction.bidding = [seat for seat in auction.bidding if amounts.get(seat, 1)]
        take_best(auction, amounts)
        if auction.kind in at.options.one_round:
            return


def sealed(at: Position, auction: Auction) -> Flow[None]:
    """All state a limit once, and none learns another's before. The highest wins a step above the second, if it can."""
    step = at.options.bid_step.of(auction.kind)
    low = next_bid(auction, step)
    amounts = yield from bids_at_once(at, auction, auction.bidding)
    take_best(auction, amounts)
    second = max((amount for seat, amount in amounts.items() if seat != auction.leader), default=0)
    auction.high = max(low, min(auction.high, second + step)) if auction.high else 0


STYLES = {"clockwise": in_turn, "open": in_waves, "proxy": sealed}


def bids_at_once(at: Position, auction: Auction, seats: Sequence[Seat]) -> Flow[Mapping[Seat, int]]:
    """A bid of each of `seats`, in their order; whoever cannot pay the next bid passes without being asked."""
    step, to = at.options.bid_step.of(auction.kind), payees(at, auction)
    low = next_bid(auction, step)
    purses = {seat: most for seat in seats if (most := purse(at, to, step, seat)) >= low}
    questions = {seat: ToBid(low, most, step, talk=allowed(at, seat)) for seat, most in purses.items()}
    answers = (yield from ask_all(questions)) if questions else {}
    return {seat: _bid_of(at, seat, answers) for seat in seats}


def _bid_of(at: Position, seat: Seat, answers: Mapping[Seat, Bid]) -> int:
    if seat in answers:
        note_extras(at, seat, answers[seat])
    amount = answers[seat].amount if seat in answers else 0
    tell(at, BidMade(seat, amount, seat not in answers))
    return amount


def take_best(auction: Auction, amounts: Mapping[Seat, int]) -> None:
    """The first of the highest bids leads."""
    for seat, amount in amounts.items():
        if amount > auction.high:
            auction.high, auction.leader = amount, seat
