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


def rules(at: Position) -> Flow[None]:
    if not at.secrets:
        at.secrets = [at.dice.below(100) for _ in range(at.options.players)]
        for seat, number in enumerate(at.secrets):
            tell(at, Secret(seat, number))
    if not at.bids:
        bids = yield from ask_all({seat: ToBid(1, 9) for seat in range(at.options.players)})
        at.bids = [bids[seat].amount for seat in range(at.options.players)]
        tell(at, Revealed(at.bids))
    if at.named < 0:
        at.named = (yield from ask(at.bids.index(max(at.bids)), ToBid(1, 9))).amount


def see(at: Position, seat: Seat) -> View:
    return View("sealed", at.options, seat, at.secrets[seat], at.bids.copy())


def scores(at: Position) -> list[int]:
    return [secret - bid for secret, bid in zip(at.secrets, at.bids, strict=True)]


def redraw(at: Position, seat: Seat, dice: Dice) -> Position:
    out = at.copy()
    out.dice = dice.fork()
    out.secrets = [secret if other == seat else dice.below(100) for other, secret in enumerate(at.secrets)]
    return out


def imagine(view: View, heard: Sequence[Event], dice: Dice) -> Position:
    others = [dice.below(100) for _ in range(view.options.players)]
    secrets = [view.secret if other == view.seat else number for other, number in enumerate(others)]
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
