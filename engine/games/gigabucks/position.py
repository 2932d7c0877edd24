"""How Corporate Gigabucks is set up, and what it remembers."""

from dataclasses import dataclass, field
from typing import Literal

from engine import game
from engine.auctions import Ascending
from engine.copies import SHARED, Copied
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.gigabucks.pieces import CURRENCY, DICE, KINDS, LIQUIDATIONS, SPACES, Kind
from engine.records import Record
from engine.sentences import Sentence

Step = Literal[
    "setup", "seats", "turn", "place", "roll", "charter", "reactivate", "pay", "liquidate", "offer", "diversify", "end"
]
MOST = {"currency": 10_000, "spaces": 100, "royalty_unit": 10, "max_rounds": 300, "max_decisions": 40_000}
DICE_AT_MOST, SIDES_AT_MOST, STEP_AT_MOST = 6, 100, 100


@dataclass(slots=True, frozen=True)
class Steps(Record):
    """Bids are multiples of these, by the kind of auction."""

    charter: int = 1
    reactivation: int = 1
    diversification: int = 1
    voluntary: int = 1
    involuntary: int = 1
    seat: int = 1

    def of(self, kind: Kind) -> int:
        step: int = getattr(self, kind)
        return step


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """The rulebook's optional rules, and ours; docs/games/gigabucks.md tells what each does."""

    players: int = 6
    currency: int = CURRENCY
    spaces: int = SPACES
    dice: list[int] = field(default_factory=lambda: list(DICE))
    seating: Literal["random", "fixed", "auction"] = "random"
    flexible_rounds: Literal[1, 2, 3] = 1
    next_player: Literal["clockwise", "after_winner"] = "clockwise"
    bidding: Literal["clockwise", "open", "proxy"] = "clockwise"
    one_round: list[Kind] = field(default_factory=list)
    bid_step: Steps = Steps()
    diversify_on: Literal["own_and_opponent", "own"] = "own_and_opponent"
    voluntary_sales: bool = True
    voluntary_retry: bool = False
    royalty: Literal["chain", "simple", "product"] = "chain"
    royalty_unit: int = 1
    resigner_keeps_funds: bool = False
    talk: Literal["off", "typed"] = "off"
    max_rounds: int = 300
    max_decisions: int = 40_000

    def error(self) -> Sentence | None:
        ranges = {"players": (2, 8), **{name: (1, most) for name, most in MOST.items()}}
        odd = (reason for name, (least, most) in ranges.items() if (reason := self.outside(name, least, most)))
        return next(odd, None) or self._spaces_error() or self._dice_error() or self._auctions_error()

    def _spaces_error(self) -> Sentence | None:
        least = max(12, (self.flexible_rounds + 1) * self.players)
        if self.spaces >= least:
            return None
        sentence = "options.spaces must be %(least)s to %(most)s with so many players, not %(given)s"
        return Sentence(sentence, least=least, most=MOST["spaces"], given=self.spaces)

    def _dice_error(self) -> Sentence | None:
        if not 1 <= len(self.dice) <= DICE_AT_MOST:
            sentence = "options.dice must be 1 to %(most)s numbers of sides, not %(given)s of them"
            return Sentence(sentence, most=DICE_AT_MOST, given=len(self.dice))
        if odd := [sides for sides in self.dice if not 2 <= sides <= SIDES_AT_MOST]:
            return Sentence(
                "options.dice must have 2 to %(most)s sides, not %(given)s", most=SIDES_AT_MOST, given=odd[0]
            )
        return None

    def _auctions_error(self) -> Sentence | None:
        if len(set(self.one_round)) < len(self.one_round):
            sentence = "options.one_round must name each kind of auction once, not %(given)s"
            return Sentence(sentence, given=", ".join(self.one_round))
        for kind in KINDS:
            if not 1 <= (step := self.bid_step.of(kind)) <= STEP_AT_MOST:
                sentence = "options.bid_step.%(kind)s must be 1 to %(most)s, not %(given)s"
                return Sentence(sentence, kind=kind, most=STEP_AT_MOST, given=step)
        return None


@dataclass(slots=True)
class Bundle(Record):
    """Corporations that are sold together, for `least` or more."""

    corps: list[int]
    least: int


@dataclass(slots=True, kw_only=True)
class AuctionView(Ascending):
    """An auction. `menu` is what a voluntary liquidation offers; `least` is the lowest first bid.

    Nobody is still bidding once it is over.
    """

    kind: Kind
    by: Seat | None = None
    space: int | None = None
    menu: list[Bundle] = field(default_factory=list, metadata=SHARED)
    least: int = 1

    @property
    def to_each(self) -> bool:
        """Whether the winner pays each opponent, rather than the caller alone."""
        return self.kind not in LIQUIDATIONS


@dataclass(slots=True, kw_only=True)
class Auction(AuctionView):
    """An auction as the rules know it: `over` once it is clear who has won, if anybody, while the winner is asked."""

    over: bool = False

    def close(self) -> None:
        """Take no more bids."""
        self.over, self.bidding = True, []


@dataclass(slots=True, frozen=True)
class Due(Record):
    """Royalty that the current player owes, fixed when it landed."""

    to: Seat
    amount: int


@dataclass(slots=True, frozen=True)
class Exit(Record):
    """How a seat left the game, and in which turn."""

    seat: Seat
    turn: int
    how: Literal["bankrupt", "resigned"]


@dataclass(slots=True)
class Position(Copied):
    """All that is so at one moment. Lists of players are by seat, those of corporations by space."""

    options: Options
    dice: Dice
    order: list[Seat]  # clockwise round the table, the first player first
    cash: list[int]
    owner: list[Seat | None]
    lines: list[int]
    chartered: list[bool]  # or inactive, if it has no owner
    tokens: list[int | None]  # the space of each player's token
    turns: list[int]  # how many turns each player has begun
    leaving: list[bool]  # who has announced a resignation in this turn
    said: list[int]  # how many messages each player has sent
    kept: list[int]  # funds of those who resigned, if they keep them
    to_do: list[Step] = field(default_factory=lambda: ["setup"])  # the steps of this turn not yet done
    seated: int = 0  # how many places of `order` have been sold, if seats are
    turn: int = 0
    current: Seat = 0
    due: Due | None = None
    auction: Auction | None = None
    winner: Seat | None = None  # who won last in this turn; an auction without bids changes nothing
    escrow: int = 0
    exits: list[Exit] = field(default_factory=list)
    decisions: int = 0
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})


def players_in(position: Position) -> list[Seat]:
    """Return the players still in the game, in seating order."""
    gone = {left.seat for left in position.exits}
    return [seat for seat in position.order if seat not in gone] if gone else position.order.copy()


def from_left(position: Position, seat: Seat) -> list[Seat]:
    """Return the players still in the game, clockwise from the left of `seat`, which comes last."""
    gone, after = {out.seat for out in position.exits}, position.order.index(seat) + 1
    return [other for other in position.order[after:] + position.order[:after] if other not in gone]


def corporations(position: Position, seat: Seat) -> list[int]:
    """Return the spaces that `seat` owns."""
    return [space for space, owner in enumerate(position.owner) if owner == seat]
