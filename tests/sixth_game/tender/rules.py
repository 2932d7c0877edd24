"""The rules: each contract goes to the highest note that only one player bids."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from engine import game
from engine.copies import Copied
from engine.core import Event, Flow, Question, Seat, ask_all, tell
from engine.dice import Dice
from engine.records import Record
from engine.sentences import Sentence


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """`contracts` is also how many notes each player has: 1, 2, 3 and so on."""

    players: int = 3
    contracts: int = 9

    def error(self) -> Sentence | None:
        return self.outside("players", 2, 5) or self.outside("contracts", 3, 20)


@dataclass(slots=True, frozen=True)
class Bid(Record):
    note: int


@dataclass(slots=True, frozen=True)
class ToBid(Question[Bid]):
    """Which of your `notes` do you bid?"""

    tag: ClassVar[str] = "bid"
    answers: ClassVar[object] = Bid
    notes: list[int]

    def error(self, action: Bid) -> Sentence | None:
        if action.note in self.notes:
            return None
        return Sentence("bids %(note)s; the notes in hand are %(notes)s", note=action.note, notes=self.notes)

    def default(self) -> Bid:
        return Bid(min(self.notes))

    def draw(self, dice: Dice) -> Bid:
        return Bid(dice.pick(self.notes))


@dataclass(slots=True, frozen=True)
class Offered(Event):
    tag: ClassVar[str] = "offered"
    contract: int


@dataclass(slots=True, frozen=True)
class Settled(Event):
    """`winner` is None where the highest note was bid twice: nobody gets the contract."""

    tag: ClassVar[str] = "settled"
    contract: int
    bids: list[int]  # by seat
    winner: Seat | None


@dataclass(slots=True)
class Position(Copied):
    """Lists of players are by seat. `contract` is 0 between two offers."""

    options: Options
    dice: Dice
    deck: list[int]  # contracts to come, the next one first
    notes: list[list[int]]
    won: list[list[int]]
    contract: int = 0
    lost: list[int] = field(default_factory=list)
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})


def new(options: Options, dice: Dice) -> Position:
    """The contracts 1 to n are shuffled; everybody has the notes 1 to n."""
    deck, seats = list(range(1, options.contracts + 1)), range(options.players)
    notes = [deck.copy() for _ in seats]
    dice.shuffle(deck)
    return Position(options, dice, deck, notes, [[] for _ in seats])


def rules(position: Position) -> Flow[None]:
    """Turn the next contract over, and let everybody bid at once, until none is left. One last note is no choice."""
    while position.contract or position.deck:
        if not position.contract:
            position.contract = position.deck.pop(0)
            tell(position, Offered(position.contract))
        if position.deck:
            bids = yield from ask_all({seat: ToBid(held.copy()) for seat, held in enumerate(position.notes)})
            settle(position, [bids[seat].note for seat in range(position.options.players)])
        else:
            settle(position, [held[0] for held in position.notes])


def settle(position: Position, bids: Sequence[int]) -> None:
    """Spend all notes that were bid. The highest takes the contract, if nobody else bid the same."""
    for held, note in zip(position.notes, bids, strict=True):
        held.remove(note)
    highest = max(bids)
    winner = bids.index(highest) if bids.count(highest) == 1 else None
    (position.lost if winner is None else position.won[winner]).append(position.contract)
    tell(position, Settled(position.contract, list(bids), winner))
    position.contract = 0


def scores(position: Position) -> list[int]:
    return [sum(contracts) for contracts in position.won]
