"""What one seat may know: all but the dice to come and what others have announced only for the end of this turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.gigabucks.position import Auction, Due, Exit, Options, Position, Step
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
    auction: Auction | None
    winner: Seat | None  # who won last in this turn
    escrow: int
    kept: list[int]
    exits: list[Exit]
    turns: list[int]
    said: list[int]
    seated: int
    decisions: int
    resigning: bool  # you have announced it in this turn


def see(at: Position, seat: Seat) -> View:
    """What `seat` may know."""
    return View(
        game="gigabucks",
        opts=at.options,
        seat=seat,
        turn=at.turn,
        current=at.current,
        phase=at.to_do[0] if at.to_do else "over",
        to_do=at.to_do.copy(),
        order=at.order.copy(),
        cash=at.cash.copy(),
        tokens=at.tokens.copy(),
        owner=at.owner.copy(),
        lines=at.lines.copy(),
        chartered=at.chartered.copy(),
        due=at.due,
        auction=at.auction and at.auction.copy(),
        winner=at.winner,
        escrow=at.escrow,
        kept=at.kept.copy(),
        exits=at.exits.copy(),
        turns=at.turns.copy(),
        said=at.said.copy(),
        seated=at.seated,
        decisions=at.decisions,
        resigning=at.leaving[seat],
    )


def imagine(view: View, _heard: Sequence[Event], dice: Dice) -> Position:
    """The position as the seat sees it, with new dice. It takes the others to stay."""
    return Position(
        view.opts,
        dice.fork(),
        view.order.copy(),
        view.cash.copy(),
        view.owner.copy(),
        view.lines.copy(),
        view.chartered.copy(),
        view.tokens.copy(),
        view.turns.copy(),
        [view.resigning and seat == view.seat for seat in range(view.opts.players)],
        view.said.copy(),
        view.kept.copy(),
        view.to_do.copy(),
        view.seated,
        view.turn,
        view.current,
        view.due,
        view.auction and view.auction.copy(),
        view.winner,
        view.escrow,
        view.exits.copy(),
        view.decisions,
    )


def redraw(at: Position, seat: Seat, dice: Dice) -> Position:
    """A copy in which all that `seat` may not know is drawn afresh: the dice, and who else is about to resign."""
    out = at.copy()
    out.dice = dice.fork()
    gone = {left.seat for left in out.exits}
    out.leaving = [
        leaving if other == seat or other in gone else dice.below(4) == 0 for other, leaving in enumerate(out.leaving)
    ]
    return out
