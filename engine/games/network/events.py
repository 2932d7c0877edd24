"""What happens in Network, as told to those who listen. `BidMade` comes from the auction. Nothing is secret."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.core import Event, Seat
from engine.games.network.pieces import Hex
from engine.games.network.position import Ending, Options, Source


@dataclass(slots=True)
class Setup(Event):
    """The map: its start is [0, 0], and what is neither mountain nor city is standard."""

    tag: ClassVar[str] = "setup"
    opts: Options
    first: Seat
    radius: int
    mountains: list[Hex]
    cities: list[Hex]


@dataclass(slots=True)
class TurnTaken(Event):
    """What `seat` does with its turn; `auto` if it could only pass and was not asked."""

    tag: ClassVar[str] = "turn"
    seat: Seat
    turn: int
    kind: Literal["pass", "auction", "act"]
    auto: bool = False


@dataclass(slots=True)
class Opened(Event):
    """A share of `company` is up for auction, at `least` or more; `bid` is the caller's opening bid, 0 for none."""

    tag: ClassVar[str] = "open"
    seat: Seat
    company: int
    source: Source
    least: int
    bid: int


@dataclass(slots=True)
class Sold(Event):
    """`seat` has bought a share of `company`, and paid `price` to the treasury or the bank."""

    tag: ClassVar[str] = "sold"
    company: int
    seat: Seat
    price: int
    to: Literal["treasury", "bank"]


@dataclass(slots=True)
class Unsold(Event):
    """Nobody bid: the share lies in the pool; the bank has paid `bank_paid` into the treasury."""

    tag: ClassVar[str] = "unsold"
    company: int
    source: Source
    bank_paid: int


@dataclass(slots=True)
class Built(Event):
    """`cost` was paid for the chips and `lease` for the hexes on `path`."""

    tag: ClassVar[str] = "build"
    seat: Seat
    company: int
    hex: Hex
    value: int
    cost: int
    lease: int
    path: list[Hex]


@dataclass(slots=True)
class PaidOut(Event):
    """Each owned share of `company` has earned `per_share`; `amounts` are by seat."""

    tag: ClassVar[str] = "payout"
    reason: Literal["city", "lease"]
    company: int
    per_share: int
    amounts: list[int]


@dataclass(slots=True)
class UpkeepPaid(Event):
    """`seat` paid for the unauctioned shares it kept; `pooled` of them went to the pool, at `share_value` each."""

    tag: ClassVar[str] = "upkeep"
    seat: Seat
    paid: int
    pooled: int
    share_value: int


@dataclass(slots=True)
class Triggered(Event):
    """All shares of `company` are auctioned: the match ends after `turns_left` more turns."""

    tag: ClassVar[str] = "trigger"
    seat: Seat
    company: int
    turns_left: int


@dataclass(slots=True)
class Ended(Event):
    """Net worth and places by seat."""

    tag: ClassVar[str] = "end"
    reason: Ending
    worth: list[int]
    ranks: list[int]
