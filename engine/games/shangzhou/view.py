"""What one seat may know: all but the order of the stack, the dice, and where talk is private how much others said.

And positions that fit it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.shangzhou.control import forecast, standings
from engine.games.shangzhou.goods import Proposal
from engine.games.shangzhou.pieces import SAYINGS, TILES, Template, Tile, Zone
from engine.games.shangzhou.position import Ending, Lot, Options, Phase, Position
from engine.games.shangzhou.rules import PHASES
from engine.records import Record


@dataclass(slots=True)
class Forecast(Record):
    """What the next income would be: `base` for all, and by seat what Production gives and Commerce on six rolls, one
    of each number, together."""

    base: int
    production: list[int]
    commerce: list[int]


@dataclass(slots=True)
class View(Record):
    """The position. Lists of players are by seat, `zones` and each list of `agents` by sector."""

    game: Literal["shangzhou"]
    opts: Options
    seat: Seat
    turn: int
    phase: Phase | Literal["home", "over"]
    zones: list[Zone]
    agents: list[list[int]]
    homes: list[int]
    clout: list[int]
    hackers: list[int]
    viruses: list[int]
    templates: list[list[Template]]
    lots: list[Lot]
    offers: list[Proposal]
    priority: list[Seat]
    overseer: Seat | None
    order: list[Seat]
    live: list[Seat]
    acts: list[int]
    said: list[int]  # messages; where talk is private 0 for all others
    to_settle: list[Seat]
    stack: int
    gone: dict[str, int]
    exclusive: list[int]
    nodes: list[int]
    forecast: Forecast
    ended: Ending
    winners: list[Seat]


_view_of, _position_of = carrier(Position, View, but=["said"]), carrier(View, Position)


def see(position: Position, seat: Seat) -> View:
    """Return the view of `seat`: all that it may know."""
    measured = standings(position)
    return _view_of(
        position,
        game="shangzhou",
        opts=position.options,
        seat=seat,
        phase=_phase(position),
        said=[messages if _hears_of(position, seat, other) else 0 for other, messages in enumerate(position.said)],
        stack=len(position.stack),
        exclusive=[standing.sectors for standing in measured],
        nodes=[standing.nodes for standing in measured],
        forecast=Forecast(position.options.base_income, *forecast(position)),
        ended=position.ending,
    )


def _hears_of(position: Position, seat: Seat, other: Seat) -> bool:
    """Whether `seat` may know how much `other` has said."""
    return seat == other or position.options.talk != "private"


def _phase(position: Position) -> Phase | Literal["home", "over"]:
    if position.ending:
        return "over"
    return PHASES[position.phase] if position.turn else "home"


def imagine(view: View, _heard: Sequence[Event], dice: Dice) -> Position:
    """Return the position that a seat sees, with the tiles that are nowhere else stacked in any order."""
    seen = [*view.zones, *(lot.tile for lot in view.lots), *(template for held in view.templates for template in held)]
    elsewhere = {"H": sum(view.hackers), "V": sum(view.viruses)}
    left = {tile: n - view.gone.get(tile, 0) - elsewhere.get(tile, 0) - seen.count(tile) for tile, n in TILES.items()}
    stack: list[Tile] = [tile for tile, number in left.items() for _ in range(number)]
    dice.shuffle(stack)
    return _position_of(
        view,
        options=view.opts,
        dice=dice.fork(),
        stack=stack,
        phase=0 if view.phase in ("home", "over") else PHASES.index(view.phase),
        ending=view.ended,
    )


def redraw(position: Position, seat: Seat, dice: Dice) -> Position:
    """Return a copy with the stack shuffled afresh, other dice, and as much said as can be where `seat` cannot know."""
    out = position.copy()
    out.dice = dice.fork()
    out.said = [
        messages if _hears_of(position, seat, other) else dice.below(SAYINGS + 1)
        for other, messages in enumerate(position.said)
    ]
    out.stack = sorted(out.stack)  # what is drawn must not depend on how the stack lies
    dice.shuffle(out.stack)
    return out
