"""What may be answered in Shangzhou-Gold.

Any answer may carry gifts, uses of Hackers and Viruses, and words. These are done first; a gift or a use that cannot
be is dropped, while the answer stands. What is given away can no longer be bid, placed or offered.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from engine.core import Seat
from engine.games.shangzhou.goods import Gift, Message, Offer, Use
from engine.games.shangzhou.pieces import Template
from engine.records import Record


@dataclass(slots=True, kw_only=True)
class Action(Record):
    """What every answer may carry."""

    gifts: list[Gift] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    say: list[Message] = field(default_factory=list)

    @property
    def carries(self) -> bool:
        """Whether something goes with it."""
        return bool(self.gifts or self.uses or self.say)


@dataclass(slots=True)
class Home(Action):
    """Put the Home Node on `sector`."""

    tag: ClassVar[str] = "home"
    sector: int


@dataclass(slots=True)
class Wait(Action):
    """Nothing but what every answer may carry."""

    tag: ClassVar[str] = "window"


@dataclass(slots=True)
class Bribe(Action):
    """Bid `amount` for oversight; it is lost."""

    tag: ClassVar[str] = "oversight"
    amount: int


@dataclass(slots=True)
class Offers(Action):
    """Make these offers."""

    tag: ClassVar[str] = "offers"
    offers: list[Offer]


@dataclass(slots=True)
class Accept(Action):
    """Accept the offers with these numbers."""

    tag: ClassVar[str] = "accept"
    offers: list[int]


@dataclass(slots=True)
class Order(Action):
    """The order of turns in this phase."""

    tag: ClassVar[str] = "order"
    seats: list[Seat]


@dataclass(slots=True)
class Bid(Action):
    """Put `amount` more Clout on the lot numbered `lot`, from 0."""

    tag: ClassVar[str] = "bid"
    lot: int
    amount: int


@dataclass(slots=True)
class Pass(Action):
    """Be out of this phase."""

    tag: ClassVar[str] = "pass"


@dataclass(slots=True)
class Apply(Action):
    """Put `template` on `sector`."""

    tag: ClassVar[str] = "apply"
    template: Template
    sector: int


@dataclass(slots=True)
class Expand(Action):
    """Place an agent in each of `sectors`; one named twice gets two."""

    tag: ClassVar[str] = "expand"
    sectors: list[int]


@dataclass(slots=True)
class Engage(Action):
    """Engage the agents of `opponent` in `sector`."""

    tag: ClassVar[str] = "engage"
    sector: int
    opponent: Seat


@dataclass(slots=True)
class Ban(Record):
    """`seat` may not bank on `sector`."""

    sector: int
    seat: Seat


@dataclass(slots=True)
class Veto(Action):
    """Forbid these to bank."""

    tag: ClassVar[str] = "veto"
    bans: list[Ban]
