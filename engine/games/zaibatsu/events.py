"""What happens in Zaibatsu, as told to those who listen. `BidMade` comes from the auction."""

from dataclasses import dataclass, replace
from typing import ClassVar

from engine.core import Event, Seat
from engine.games.zaibatsu.position import Options


@dataclass(slots=True)
class Setup(Event):
    tag: ClassVar[str] = "setup"
    opts: Options
    first: Seat
    cash: list[int]


@dataclass(slots=True)
class RoundBegun(Event):
    """Each player has got `income`; `commissioner` places and calls first."""

    tag: ClassVar[str] = "round"
    round: int
    commissioner: Seat
    income: int


@dataclass(slots=True)
class Dealt(Event):
    """The cards `seat` was dealt; nobody else sees them."""

    tag: ClassVar[str] = "dealt"
    seat: Seat
    hand: list[str]

    def seen_by(self, seat: Seat) -> "Dealt | None":
        return self if seat == self.seat else None


@dataclass(slots=True)
class Placed(Event):
    """`card` was put on `pile`; "" to the others if it lies face down."""

    tag: ClassVar[str] = "place"
    seat: Seat
    card: str
    pile: int
    face_down: bool = False

    def seen_by(self, seat: Seat) -> "Placed":
        return replace(self, card="") if self.face_down and seat != self.seat else self


@dataclass(slots=True)
class Called(Event):
    """`pile`, which holds `cards`, is up for auction; `auto` if it was the only one left."""

    tag: ClassVar[str] = "call"
    seat: Seat
    pile: int
    cards: list[str]
    auto: bool = False


@dataclass(slots=True)
class Sold(Event):
    tag: ClassVar[str] = "sold"
    pile: int
    seat: Seat
    price: int
    cards: list[str]


@dataclass(slots=True)
class Unsold(Event):
    """Nobody bid for `pile`; `cards` are discarded, or stay where they are if `carried`."""

    tag: ClassVar[str] = "unsold"
    pile: int
    cards: list[str]
    carried: bool


@dataclass(slots=True)
class Scored(Event):
    """The best operation of what `seat` owns: which companies run, and what each split output gives."""

    tag: ClassVar[str] = "score"
    seat: Seat
    operating: list[str]
    splits: dict[str, str]
    op: int
    cash: int
    total: int


@dataclass(slots=True)
class Ended(Event):
    """Places by seat: 1, 1, 3 when two share the win."""

    tag: ClassVar[str] = "end"
    ranks: list[int]
