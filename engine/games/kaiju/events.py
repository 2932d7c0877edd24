"""What happens in Kaiju Incorporated, as told to those who listen. Nothing is secret."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.core import Event, Seat
from engine.games.kaiju.pieces import Suit
from engine.games.kaiju.position import Options


@dataclass(slots=True)
class Setup(Event):
    """Companies by seat; the New Products face up; the first threat."""

    tag: ClassVar[str] = "setup"
    opts: Options
    start_player: Seat
    companies: list[str]
    display: list[str]
    kaiju: str


@dataclass(slots=True)
class TurnBegun(Event):
    """`row` is turned up, and with two players `sixth` beside it."""

    tag: ClassVar[str] = "turn"
    turn: int
    start_player: Seat
    row: list[str]
    sixth: str


@dataclass(slots=True)
class Reshuffled(Event):
    """The discard pile has become part of the deck, which now holds `size` cards."""

    tag: ClassVar[str] = "reshuffle"
    deck: Literal["building", "kaiju"]
    size: int


@dataclass(slots=True)
class Built(Event):
    """`seat` has paid `cost` for a Building, which is in its tableau, or for a Special Action, which follows."""

    tag: ClassVar[str] = "build"
    seat: Seat
    card: str
    cost: int
    bank: int


@dataclass(slots=True)
class Rebuilt(Event):
    """The Special Case: `discarded` are gone, the bank was 11¥, and `card` is bought."""

    tag: ClassVar[str] = "rebuild"
    seat: Seat
    card: str
    discarded: list[str]
    bank: int


@dataclass(slots=True)
class SpecialDone(Event):
    """What `seat` has chosen for a Special Action: a rival, a card or a suit; `revealed` are cards turned up for it."""

    tag: ClassVar[str] = "special"
    seat: Seat
    card: str
    rival: Seat | None = None
    chosen: str = ""
    revealed: tuple[str, ...] = ()


@dataclass(slots=True)
class IncomeBegun(Event):
    """Income of `suit` is paid: by `seat`, who discarded `card`; by the sixth card; or by a Special Action."""

    tag: ClassVar[str] = "income"
    seat: Seat | None
    suit: Suit
    card: str


@dataclass(slots=True)
class Paid(Event):
    """`seat` gets money, research and kaiju points by Your Turn ("Y") or Rival's Turn ("R") Buildings, or by a Special
    Action; then come its bank, its wheels, and what they have run up."""

    tag: ClassVar[str] = "pay"
    seat: Seat
    source: str
    money: int
    research: int
    kaiju: int
    bank: int
    research_at: int
    kaiju_at: int
    products: int
    attacks: int


@dataclass(slots=True)
class ProductTaken(Event):
    """`refill` is turned up for it, "" if the deck is empty; `trigger` if this is the Handbag that ends the game."""

    tag: ClassVar[str] = "product"
    seat: Seat
    card: str
    refill: str
    trigger: bool = False


@dataclass(slots=True)
class Attacked(Event):
    """What the attack took: a Building ("" for none), money, research steps."""

    tag: ClassVar[str] = "attack"
    seat: Seat
    kaiju: str
    lost: str = ""
    money: int = 0
    research: int = 0


@dataclass(slots=True)
class Threatened(Event):
    """The threat `old` has struck, and `new` is the threat now."""

    tag: ClassVar[str] = "kaiju"
    old: str
    new: str


@dataclass(slots=True)
class Discarded(Event):
    """Cards that nobody took."""

    tag: ClassVar[str] = "discard"
    cards: list[str]


@dataclass(slots=True)
class Scored(Event):
    """The Victory points of `seat`: by New Product, for the majority, for its `cities` different cities."""

    tag: ClassVar[str] = "score"
    seat: Seat
    products: dict[str, int]
    majority: int
    cities: int
    cities_vp: int
    buildings: int
    bank: int
    vp: int


@dataclass(slots=True)
class Ended(Event):
    """After `turn`; `capped` if no Handbag came. Ranks by seat, ties broken."""

    tag: ClassVar[str] = "end"
    turn: int
    capped: bool
    ranks: list[int]
