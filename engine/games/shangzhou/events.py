"""What happens in Shangzhou-Gold, as told to those who listen."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.core import Event, Seat
from engine.games.shangzhou.actions import Ban
from engine.games.shangzhou.goods import Gift, Proposal, Tool
from engine.games.shangzhou.pieces import Template, Tile
from engine.games.shangzhou.position import Ending, Options, Ruled
from engine.records import Record


@dataclass(slots=True)
class Setup(Event):
    """Homes are by seat, -1 where they are yet to be chosen."""

    tag: ClassVar[str] = "setup"
    opts: Options
    homes: list[int]
    priority: list[Seat]


@dataclass(slots=True)
class Settled(Event):
    """`seat` has put its Home Node on `sector`; `auto` if no other was left."""

    tag: ClassVar[str] = "home"
    seat: Seat
    sector: int
    auto: bool = False


@dataclass(slots=True)
class TurnBegun(Event):
    tag: ClassVar[str] = "turn"
    turn: int


@dataclass(slots=True)
class Payout(Record):
    """What a sector with agents in it gave: `amount` was there, of which `paid` went to the seats."""

    sector: int
    amount: int
    paid: list[int]


@dataclass(slots=True)
class Income(Event):
    """Each seat got `base` and its part of what the `sectors` gave; `clout` is what each has now."""

    tag: ClassVar[str] = "income"
    base: int
    sectors: list[Payout]
    clout: list[int]


@dataclass(slots=True)
class Overseen(Event):
    """The bids for oversight by seat, who has it, and the priority list from now on."""

    tag: ClassVar[str] = "oversight"
    bids: list[int]
    overseer: Seat
    priority: list[Seat]


@dataclass(slots=True)
class Displayed(Event):
    tag: ClassVar[str] = "display"
    tiles: list[Tile]
    left: int  # in the stack


@dataclass(slots=True)
class Offered(Event):
    """All offers of a trade window, in the order in which they would be carried out."""

    tag: ClassVar[str] = "offers"
    offers: list[Proposal]


@dataclass(slots=True)
class Traded(Event):
    """The offer numbered `offer` was accepted, and carried out if `done`: both sides could still cover it."""

    tag: ClassVar[str] = "deal"
    offer: int
    by: Seat
    to: Seat
    done: bool


@dataclass(slots=True)
class Ordered(Event):
    """The Overseer's order of turns."""

    tag: ClassVar[str] = "order"
    phase: Ruled
    seats: list[Seat]


@dataclass(slots=True)
class BidMade(Event):
    """`seat` put `amount` more on a lot, where it has `total` now."""

    tag: ClassVar[str] = "bid"
    seat: Seat
    lot: int
    amount: int
    total: int


@dataclass(slots=True)
class Passed(Event):
    """`seat` is out of the phase; `auto` if it could not do otherwise and was not asked."""

    tag: ClassVar[str] = "pass"
    phase: Literal["bid", "expand"]
    seat: Seat
    auto: bool = False


@dataclass(slots=True)
class Awarded(Event):
    tag: ClassVar[str] = "award"
    lot: int
    tile: Tile
    seat: Seat
    price: int


@dataclass(slots=True)
class Unsold(Event):
    """Nobody bid on `tile`: it leaves play."""

    tag: ClassVar[str] = "unsold"
    lot: int
    tile: Tile


@dataclass(slots=True)
class Applied(Event):
    """`seat` put `tile` on `sector`, or nowhere (-1) as all are taken; `evicted` are the agents removed, by seat."""

    tag: ClassVar[str] = "apply"
    seat: Seat
    tile: Template
    sector: int
    evicted: list[int]
    auto: bool = False


@dataclass(slots=True)
class Expanded(Event):
    tag: ClassVar[str] = "expand"
    seat: Seat
    sectors: list[int]


@dataclass(slots=True)
class Engaged(Event):
    """`left` are the agents left to `seat` and to `opponent`."""

    tag: ClassVar[str] = "engage"
    seat: Seat
    opponent: Seat
    sector: int
    left: list[int]


@dataclass(slots=True)
class Given(Event):
    tag: ClassVar[str] = "gift"
    seat: Seat
    gift: Gift


@dataclass(slots=True)
class Used(Event):
    """A Hacker has removed `template`, or a Virus `agents`, by seat."""

    tag: ClassVar[str] = "use"
    seat: Seat
    tile: Tool
    sector: int
    template: str
    agents: list[int]


@dataclass(slots=True)
class Dropped(Event):
    """A gift, use or message of `seat` that could not be was left out; `private` is what that seat alone hears."""

    tag: ClassVar[str] = "dropped"
    seat: Seat
    reason: str
    private: bool = False

    def seen_by(self, seat: Seat) -> "Dropped | None":
        return self if not self.private or seat == self.seat else None


@dataclass(slots=True)
class Said(Event):
    """Words, to one seat or, with null, to all; `private` ones are heard by that seat alone."""

    tag: ClassVar[str] = "say"
    seat: Seat
    to: Seat | None
    text: str
    private: bool = False

    def seen_by(self, seat: Seat) -> "Said | None":
        return self if not self.private or seat in (self.seat, self.to) else None


@dataclass(slots=True)
class Checked(Event):
    """Exclusive sectors, exclusive Critical Nodes and Clout, by seat."""

    tag: ClassVar[str] = "check"
    sectors: list[int]
    nodes: list[int]
    clout: list[int]


@dataclass(slots=True)
class Vetoed(Event):
    tag: ClassVar[str] = "veto"
    seat: Seat
    bans: list[Ban]


@dataclass(slots=True)
class Relinquished(Event):
    """The Clout each seat kept, and what it lost."""

    tag: ClassVar[str] = "relinquish"
    kept: list[int]
    lost: list[int]


@dataclass(slots=True)
class Ended(Event):
    """Who has won, by which rule, and the places by seat. At the cap nobody has."""

    tag: ClassVar[str] = "end"
    reason: Ending
    winners: list[Seat]
    scores: list[int]
    ranks: list[int]
