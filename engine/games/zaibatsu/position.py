"""What Zaibatsu remembers, what it asks and what may be answered."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine import game
from engine.auctions import OnceAround
from engine.copies import Copied
from engine.core import Event, Question, Seat
from engine.dice import Dice
from engine.records import Record, show
from engine.sentences import Sentence


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """`first`: the first Commissioner; `unsold`: what becomes of a pile nobody bought; `piles`: face up or down."""

    players: int = 3
    first: Literal["random"] | int = "random"
    unsold: Literal["discard", "carry"] = "discard"
    piles: Literal["open", "closed"] = "open"

    def error(self) -> Sentence | None:
        return self.outside("players", 2, 4) or self.no_seat("first")


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

    def error(self, action: Place) -> Sentence | None:
        if action.card not in self.cards:
            hand = ", ".join(sorted(self.cards))
            return Sentence("places %(given)s; the hand is %(hand)s", given=show(action.card), hand=hand)
        if action.pile not in self.piles:
            last = len(self.piles)
            return Sentence("places on pile %(pile)s; the piles are 1 to %(last)s", pile=action.pile, last=last)
        return None

    def default(self) -> Place:
        """Return the lowest card on the lowest pile of those with the fewest cards."""
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

    def error(self, action: Call) -> Sentence | None:
        if action.pile in self.piles:
            return None
        piles = ", ".join(map(str, self.piles))
        return Sentence("calls pile %(pile)s; not yet called are %(piles)s", pile=action.pile, piles=piles)

    def default(self) -> Call:
        """Return the lowest pile."""
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
