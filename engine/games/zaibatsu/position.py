"""What Zaibatsu remembers, what it asks and what may be answered."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine import game
from engine.auctions import OnceAround
from engine.copies import Copied
from engine.core import Event, Question, Seat
from engine.dice import Dice
from engine.records import Record, show


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """`first`: the first Commissioner; `unsold`: what becomes of a pile nobody bought; `piles`: face up or down."""

    players: int = 3
    first: Literal["random"] | int = "random"
    unsold: Literal["discard", "carry"] = "discard"
    piles: Literal["open", "closed"] = "open"

    def error(self) -> str | None:
        if not 2 <= self.players <= 4:
            return f"options.players must be 2 to 4, not {self.players}"
        if self.first != "random" and not 0 <= self.first < self.players:
            return f'options.first must be "random" or a seat from 0 to {self.players - 1}, not {self.first}'
        return None


# --- actions and questions -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Place(Record):
    """Place `card` from your hand on the pile numbered `pile`."""

    tag: ClassVar[str] = "place"
    card: str
    pile: int


@dataclass(slots=True)
class Call(Record):
    """Call the pile numbered `pile` for auction."""

    tag: ClassVar[str] = "call"
    pile: int


@dataclass(slots=True)
class ToPlace(Question[Place]):
    """Place one of `cards` on one of `piles`: all pile numbers, those with the fewest cards first."""

    tag: ClassVar[str] = "place"
    answers: ClassVar[object] = Place
    cards: list[str]
    piles: list[int]

    def error(self, action: Place) -> str | None:
        if action.card not in self.cards:
            return f"places {show(action.card)}; the hand is {', '.join(sorted(self.cards))}"
        if action.pile not in self.piles:
            return f"places on pile {action.pile}; the piles are 1 to {len(self.piles)}"
        return None

    def default(self) -> Place:
        """The lowest card on the lowest pile of those with the fewest cards."""
        return Place(min(self.cards), self.piles[0])

    def draw(self, dice: Dice) -> Place:
        chosen, pile = divmod(dice.below(len(self.cards) * len(self.piles)), len(self.piles))
        return Place(self.cards[chosen], self.piles[pile])


@dataclass(slots=True)
class ToCall(Question[Call]):
    """Call one of `piles`, the numbers of those not yet called this round."""

    tag: ClassVar[str] = "call"
    answers: ClassVar[object] = Call
    piles: list[int]

    def error(self, action: Call) -> str | None:
        if action.pile in self.piles:
            return None
        return f"calls pile {action.pile}; not yet called are {', '.join(map(str, self.piles))}"

    def default(self) -> Call:
        """The lowest pile."""
        return Call(self.piles[0])

    def draw(self, dice: Dice) -> Call:
        return Call(dice.pick(self.piles))


# --- the position --------------------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True)
class FaceDown(Record):
    """A card in a closed pile, known to the seat that placed it."""

    card: str
    seat: Seat


@dataclass(slots=True)
class Pile(Copied):
    """A pile: the cards face up, those face down, and whether it was called this round."""

    cards: list[str] = field(default_factory=list)
    hidden: list[FaceDown] = field(default_factory=list)
    called: bool = False


Phase = Literal["begin", "deal", "place", "auctions"]  # of a round


@dataclass(slots=True)
class Position(Copied):
    """All that is so at one moment. Lists of players are by seat; pile 1 is `piles[0]`."""

    options: Options
    dice: Dice
    first: Seat
    commissioner: Seat
    deck: list[str]  # the top first
    cash: list[int]
    hands: list[list[str]]
    owned: list[list[str]]
    piles: list[Pile]
    round: int = 0
    phase: int = 0  # by its place in `rules.PHASES`
    to_place: list[Seat] = field(default_factory=list)  # who places the next cards of this round
    to_call: list[Seat] = field(default_factory=list)  # who calls the next auctions of this round
    auction: OnceAround | None = None
    discarded: list[str] = field(default_factory=list)
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})
