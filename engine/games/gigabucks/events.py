"""What happens in Corporate Gigabucks, as told to those who listen. `BidMade` comes from the auctions."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.core import Event, Seat
from engine.games.gigabucks.pieces import Kind
from engine.games.gigabucks.position import Bundle, Options
from engine.games.gigabucks.talk import Fact, Say


@dataclass(slots=True)
class Setup(Event):
    """The players clockwise; if seats are auctioned, in the order in which they will bid for them."""

    tag: ClassVar[str] = "setup"
    opts: Options
    order: list[Seat]


@dataclass(slots=True)
class Seated(Event):
    """`seat` plays in the place numbered `place`, from 1."""

    tag: ClassVar[str] = "seated"
    seat: Seat
    place: int


@dataclass(slots=True)
class TurnBegun(Event):
    tag: ClassVar[str] = "turn"
    turn: int
    seat: Seat


@dataclass(slots=True)
class Placed(Event):
    tag: ClassVar[str] = "place"
    seat: Seat
    space: int


@dataclass(slots=True)
class Moved(Event):
    """`seat` rolled `dice` and came to space `to`, which was `bumped` spaces farther than rolled."""

    tag: ClassVar[str] = "move"
    seat: Seat
    dice: list[int]
    to: int
    bumped: int


@dataclass(slots=True)
class Royalty(Event):
    """`seat` owes `amount` for landing on `space`; `parts` are the spaces that count and what each adds."""

    tag: ClassVar[str] = "royalty"
    seat: Seat
    to: Seat
    space: int
    parts: dict[str, int]
    amount: int


@dataclass(slots=True)
class Called(Event):
    """An auction: of the corporation `space`, of a bundle of `menu`, or of what its kind says."""

    tag: ClassVar[str] = "auction"
    kind: Kind
    by: Seat | None
    space: int | None
    menu: list[Bundle]


@dataclass(slots=True)
class Won(Event):
    """`seat` won the auction; `bid` is what it pays."""

    tag: ClassVar[str] = "won"
    kind: Kind
    seat: Seat
    bid: int


@dataclass(slots=True)
class NoBid(Event):
    tag: ClassVar[str] = "nobid"
    kind: Kind


@dataclass(slots=True)
class Paid(Event):
    """`seat` paid `each` to each of `to`."""

    tag: ClassVar[str] = "pay"
    seat: Seat
    to: list[Seat]
    each: int
    why: Literal[Kind, "royalty"]


@dataclass(slots=True)
class Owned(Event):
    """`corps` belong to `seat` now; to nobody if they became inactive."""

    tag: ClassVar[str] = "own"
    corps: list[int]
    seat: Seat | None


@dataclass(slots=True)
class Diversified(Event):
    tag: ClassVar[str] = "lines"
    seat: Seat
    add: dict[str, int]


@dataclass(slots=True)
class Bankrupt(Event):
    """`seat` is out, and `creditor` takes its currency: `amount`."""

    tag: ClassVar[str] = "bankrupt"
    seat: Seat
    creditor: Seat
    amount: int


@dataclass(slots=True)
class Resigned(Event):
    """`seat` is out, and leaves `amount` to be split, or keeps it."""

    tag: ClassVar[str] = "resign"
    seat: Seat
    amount: int
    keeps: bool


@dataclass(slots=True)
class Shared(Event):
    """Each player in the game receives `each`; `left` waits in escrow."""

    tag: ClassVar[str] = "escrow"
    each: int
    left: int


@dataclass(slots=True)
class Said(Event):
    tag: ClassVar[str] = "say"
    seat: Seat
    message: Fact | Say


@dataclass(slots=True)
class Untrue(Event):
    """A message that was not passed on: a false statement, or one that addresses no seat. The others do not hear it."""

    tag: ClassVar[str] = "untrue"
    seat: Seat
    message: Fact | Say

    def seen_by(self, seat: Seat) -> "Untrue | None":
        return self if seat == self.seat else None


@dataclass(slots=True)
class Ended(Event):
    """One is left, all who were left resigned together, or a limit was reached.

    `appraisals` are each player's currency and what one landing on each of its spaces would bring; `ranks` are 1, 1, 3.
    """

    tag: ClassVar[str] = "end"
    reason: Literal["last", "resigned", "rounds", "decisions"]
    appraisals: list[int]
    ranks: list[int]
