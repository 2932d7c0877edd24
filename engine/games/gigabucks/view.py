"""What one seat may know: all but the dice to come and what others have announced only for the end of this turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.gigabucks.position import Auction, AuctionView, Due, Exit, Options, Position, Step
from engine.records import Record


@dataclass(slots=True)
class View(Record):
    """The public position. Lists of players are by seat, those of corporations by space."""

    game: Literal["gigabucks"]
    opts: Options
    seat: Seat
    turn: int
    current: Seat
    phase: Step | Literal["over"]
    to_do: list[Step]  # the steps of this turn not yet done, the present one first
    order: list[Seat]  # clockwise round the table, the first player first
    cash: list[int]
    tokens: list[int | None]
    owner: list[Seat | None]
    lines: list[int]
    chartered: list[bool]  # without an owner: inactive
    due: Due | None
    auction: AuctionView | None
    winner: Seat | None  # who won last in this turn
    escrow: int
    kept: list[int]
    exits: list[Exit]
    turns: list[int]
    said: list[int]
    seated: int
    decisions: int
    resigning: bool  # you have announced it in this turn


_view_of, _position_of = carrier(Position, View), carrier(View, Position)
_view_of_auction, _auction_of = carrier(Auction, AuctionView), carrier(AuctionView, Auction)


def see(position: Position, seat: Seat) -> View:
    """Return the view of `seat`: all that it may know."""
    return _view_of(
        position,
        game="gigabucks",
        opts=position.options,
        seat=seat,
        phase=position.to_do[0] if position.to_do else "over",
        auction=position.auction and _view_of_auction(position.auction),
        resigning=position.leaving[seat],
    )


def imagine(view: View, _heard: Sequence[Event], dice: Dice) -> Position:
    """Return the position as the seat sees it, with new dice. It takes the others to stay."""
    return _position_of(
        view,
        options=view.opts,
        dice=dice.fork(),
        leaving=[view.resigning and seat == view.seat for seat in range(view.opts.players)],
        auction=view.auction and _auction_of(view.auction, over=not view.auction.bidding),
    )


def redraw(position: Position, seat: Seat, dice: Dice) -> Position:
    """Return a copy with what `seat` may not know drawn afresh: the dice, and who else is about to resign."""
    out = position.copy()
    out.dice = dice.fork()
    gone = {left.seat for left in out.exits}
    out.leaving = [
        leaving if other == seat or other in gone else dice.below(4) == 0 for other, leaving in enumerate(out.leaving)
    ]
    return out
