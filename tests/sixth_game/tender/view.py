"""What a seat may know: all but the order of the contracts to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.records import Record
from tender.rules import Options, Position


@dataclass(slots=True)
class View(Record):
    """Lists of players are by seat; `contract` is what is bid for."""

    game: Literal["tender"]
    opts: Options
    seat: Seat
    contract: int
    notes: list[list[int]]
    won: list[list[int]]
    lost: list[int]


_view_of, _position_of = carrier(Position, View), carrier(View, Position)


def see(position: Position, seat: Seat) -> View:
    return _view_of(position, game="tender", opts=position.options, seat=seat)


def redraw(position: Position, seat: Seat, dice: Dice) -> Position:
    """A copy in which the contracts to come lie in another order."""
    out = position.copy()
    out.dice = dice.fork()
    out.deck.sort()  # what is drawn must not depend on how the secrets lie
    dice.shuffle(out.deck)
    return out


def imagine(view: View, heard: Sequence[Event], dice: Dice) -> Position:
    """A position that looks like this to the seat."""
    seen = {view.contract, *view.lost, *(contract for mine in view.won for contract in mine)}
    deck = [contract for contract in range(1, view.opts.contracts + 1) if contract not in seen]
    dice.shuffle(deck)
    return _position_of(view, options=view.opts, dice=dice.fork(), deck=deck)
