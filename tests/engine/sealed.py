"""A tiny game for tests of the engine: two sealed bids at once, then the higher bidder names a number alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine.auctions import Bid, ToBid
from engine.core import Event, Flow, Seat, ask, ask_all, tell
from engine.dice import Dice
from engine.game import Game
from engine.game import Options as GameOptions
from engine.records import Record
from engine.sentences import Sentence


@dataclass(slots=True, frozen=True)
class Options(GameOptions):
    players: int = 2

    def error(self) -> Sentence | None:
        return self.outside("players", 2, 3)


@dataclass(slots=True)
class Secret(Event):
    """The secret of `seat`; nobody else sees it."""

    tag: ClassVar[str] = "secret"
    seat: Seat
    number: int

    def seen_by(self, seat: Seat) -> "Secret | None":
        return self if seat == self.seat else None


@dataclass(slots=True)
class Revealed(Event):
    tag: ClassVar[str] = "revealed"
    bids: list[int]


@dataclass(slots=True)
class Position(Record):
    options: Options
    dice: Dice
    secrets: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    named: int = -1
    heard: list[Event] | None = field(default=None, compare=False, metadata={"plain": False})

    def copy(self) -> "Position":
        return Position(self.options, self.dice.copy(), self.secrets.copy(), self.bids.copy(), self.named)


@dataclass(slots=True)
class View(Record):
    kind: Literal["sealed"]
    options: Options
    seat: Seat
    secret: int
    bids: list[int]


def new(options: Options, dice: Dice) -> Position:
    return Position(options, dice)


def rules(position: Position) -> Flow[None]:
    if not position.secrets:
        position.secrets = [position.dice.below(100) for _ in range(position.options.players)]
        for seat, number in enumerate(position.secrets):
            tell(position, Secret(seat, number))
    if not position.bids:
        bids = yield from ask_all({seat: ToBid(1, 9) for seat in range(position.options.players)})
        position.bids = [bids[seat].amount for seat in range(position.options.players)]
        tell(position, Revealed(position.bids))
    if position.named < 0:
        position.named = (yield from ask(position.bids.index(max(position.bids)), ToBid(1, 9))).amount


def see(position: Position, seat: Seat) -> View:
    return View("sealed", position.options, seat, position.secrets[seat], position.bids.copy())


def scores(position: Position) -> list[int]:
    return [secret - bid for secret, bid in zip(position.secrets, position.bids, strict=True)]


def redraw(position: Position, seat: Seat, dice: Dice) -> Position:
    out = position.copy()
    out.dice = dice.fork()
    out.secrets = [secret if other == seat else dice.below(100) for other, secret in enumerate(position.secrets)]
    return out


def imagine(view: View, heard: Sequence[Event], dice: Dice) -> Position:
    numbers = [dice.below(100) for _ in range(view.options.players)]
    secrets = [view.secret if other == view.seat else number for other, number in enumerate(numbers)]
    return Position(view.options, dice.fork(), secrets, view.bids.copy())


SEALED = Game(
    name="sealed",
    title="Sealed",
    version=1,
    players=range(2, 4),
    options=Options,
    questions=(ToBid,),
    events=(Secret, Revealed),
    new=new,
    position=Position,
    rules=rules,
    view=View,
    see=see,
    scores=scores,
    redraw=redraw,
    imagine=imagine,
)

__all__ = ["SEALED", "Bid", "Options", "Position", "Revealed", "Secret", "View"]
