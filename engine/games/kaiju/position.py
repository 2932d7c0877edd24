"""What Kaiju Incorporated remembers."""

from dataclasses import dataclass, field
from typing import Literal

from engine import game
from engine.copies import Copied
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.kaiju.pieces import BANK, COMPANY
from engine.records import Record, show
from engine.sentences import Sentence

Ending = Literal["", "handbag", "cap"]
Phase = Literal["row", "goes", "sixth", "settle", "discard"]  # of a turn
Step = Literal["choose", "special", "settle", "discard"]  # of a go


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """`companies`: by seat, or drawn; `special_case`: who earns no ¥ may start over; `city_majority`: in one's own city
    or any in play; `kaiju_backwards`: what a marker does that moves back over its start; `reshuffle`: whether the
    cards left in the deck stay on top; `max_turns`: a safety net."""

    players: int = 4
    start_player: Literal["random"] | int = "random"
    companies: Literal["random"] | tuple[str, ...] = "random"
    special_case: bool = True
    city_majority: Literal["own", "any"] = "own"
    kaiju_backwards: Literal["attack", "stop"] = "attack"
    reshuffle: Literal["keep_top", "all"] = "keep_top"
    max_turns: int = 60

    def error(self) -> Sentence | None:
        seating = self.outside("players", 2, 5) or self.no_seat("start_player")
        return seating or self._companies_error() or self.outside("max_turns", 1, 200)

    def _companies_error(self) -> Sentence | None:
        named = self.companies
        if named == "random" or (len(named) == len(set(named)) == self.players and set(named) <= COMPANY.keys()):
            return None
        return Sentence(
            'options.companies must be "random" or %(players)s different ones of %(companies)s, not %(given)s',
            players=self.players,
            companies=", ".join(COMPANY),
            given=show(list(named)),
        )


@dataclass(slots=True)
class Player(Copied):
    """What lies before a player: the company, the Bank Account, the two wheels, Buildings and New Products."""

    company: str
    bank: int = BANK
    research: int = 0
    kaiju: int = 0
    tableau: list[str] = field(default_factory=list)
    products: list[str] = field(default_factory=list)

    @property
    def city(self) -> str:
        return COMPANY[self.company].city


@dataclass(slots=True)
class Gain(Record):
    """What `seat` is to get. `source`: "Y" or "R" for its Buildings of that timing, or a Special Action's id."""

    seat: Seat
    source: str
    money: int
    research: int
    kaiju: int


@dataclass(slots=True)
class Owed(Copied):
    """What the wheels of `seat` have run up: New Products to take, then attacks to suffer."""

    seat: Seat
    products: int
    attacks: int


@dataclass(slots=True)
class Position(Copied):
    """All that is so at one moment. Of each deck the top comes first."""

    options: Options
    dice: Dice
    first_start: Seat
    start_player: Seat
    players: list[Player]
    deck: list[str]  # Buildings and Special Actions
    product_deck: list[str]
    display: list[str]  # New Products face up
    kaiju_deck: list[str]
    threat: str  # the current Kaiju Attack card
    discard: list[str] = field(default_factory=list)
    kaiju_discard: list[str] = field(default_factory=list)
    turn: int = 0
    phase: int = 0  # of the turn, by its place in `rules.PHASES`
    goes: list[Seat] = field(default_factory=list)  # who has yet to take a card this turn, the next first
    step: int = 0  # of the go, by its place in `rules.STEPS`
    row: list[str] = field(default_factory=list)
    sixth: str = ""  # with two players: the card turned up beside the row
    special: str = ""  # the Special Action being carried out
    revealed: list[str] = field(default_factory=list)  # cards it has turned up
    gains: list[Gain] = field(default_factory=list)  # who is to get what next
    owed: Owed | None = None
    struck: bool = False  # whether the threat has attacked since it was turned up
    triggered: bool = False
    ended: Ending = ""
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})
