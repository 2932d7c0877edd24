"""How Shangzhou-Gold is set up, and what it remembers."""

from dataclasses import dataclass, field
from typing import Literal

from engine import game
from engine.copies import SHARED, Copied
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.shangzhou.goods import Goods, Proposal
from engine.games.shangzhou.pieces import BASE_INCOME, CLOUT_GOAL, SECTOR_GOAL, Template, Tile, Zone
from engine.sentences import Sentence

Phase = Literal[
    "opening", "income", "oversight", "display", "offers", "answers", "order_bid", "bid", "order_apply", "apply",
    "offers_2", "answers_2", "order_expand", "expand", "closing", "check", "relinquish",
]  # fmt: skip
Ruled = Literal["bid", "apply", "expand"]  # the phases for which the Overseer names the order
Ending = Literal["", "critical", "sectors", "clout", "cap"]
RANGES = {
    "players": (2, 4),
    "base_income": (0, 10),
    "clout_goal": (15, 100),
    "sector_goal": (20, 64),
    "max_turns": (1, 100),
    "max_bids": (1, 100),
    "max_expansions": (1, 100),
}


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """docs/games/shangzhou.md tells what each does."""

    players: int = 3
    home_layout: Literal["chance", "choose"] = "chance"
    base_income: int = BASE_INCOME
    clout_goal: int = CLOUT_GOAL
    sector_goal: int = SECTOR_GOAL
    critical_rule: Literal["exclusive", "present"] = "exclusive"
    oversight_tie: Literal["priority", "random"] = "priority"
    overseer_power: Literal["order", "start"] = "order"
    trading: Literal["full", "gifts", "off"] = "full"
    trade_windows: Literal["auto"] | int = "auto"
    talk: Literal["public", "private", "off"] = "public"
    restricted_cover: Literal["keep", "evict"] = "keep"
    max_turns: int = 30
    max_bids: int = 30
    max_expansions: int = 40

    def error(self) -> Sentence | None:
        odd = (reason for name, (least, most) in RANGES.items() if (reason := self.outside(name, least, most)))
        return next(odd, None) or self._windows_error()

    def _windows_error(self) -> Sentence | None:
        if self.trade_windows != "auto" and not 0 <= self.trade_windows <= 2:
            return Sentence('options.trade_windows must be "auto" or 0 to 2, not %(given)s', given=self.trade_windows)
        if self.trade_windows not in ("auto", 0) and self.trading != "full":
            sentence = 'options.trade_windows must be "auto" or 0 where trading is "%(trading)s", as nothing is traded'
            return Sentence(sentence, trading=self.trading)
        return None

    @property
    def windows(self) -> int:
        """How many trade windows a turn has."""
        if self.trade_windows != "auto":
            return self.trade_windows
        return int(self.trading == "full" and self.players > 2)


@dataclass(slots=True)
class Lot(Copied):
    """A tile up for bid, and the Clout that each seat has on it."""

    tile: Tile
    bids: list[int]


@dataclass(slots=True)
class Position(Copied):
    """All that is so at one moment. Lists of players are by seat, `zones` and each list of `agents` by sector."""

    options: Options
    dice: Dice
    stack: list[Tile] = field(metadata=SHARED)  # the top first
    priority: list[Seat]  # who wins a tie for oversight: the first
    homes: list[int]  # -1 until it is chosen
    zones: list[Zone]
    agents: list[list[int]]
    clout: list[int]  # in the bank: neither on a template nor an agent
    hackers: list[int]
    viruses: list[int]
    templates: list[list[Template]]  # bought and not yet placed
    to_settle: list[Seat]  # who has yet to choose a home, in order
    order: list[Seat] = field(metadata=SHARED)  # of turns, as last named
    acts: list[int]  # bids, or expansions, of each player in this phase
    said: list[int]  # messages of each player in this match
    turn: int = 0
    phase: int = 0
    overseer: Seat | None = None
    live: list[Seat] = field(default_factory=list)  # who is still in this phase, the next of them first
    lots: list[Lot] = field(default_factory=list)
    offers: list[Proposal] = field(default_factory=list, metadata=SHARED)
    gone: dict[str, int] = field(default_factory=dict)  # tiles out of play
    ending: Ending = ""
    winners: list[Seat] = field(default_factory=list, metadata=SHARED)
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})

    def hand(self, seat: Seat) -> Goods:
        """Return the goods that `seat` holds."""
        return Goods(
            clout=self.clout[seat],
            hackers=self.hackers[seat],
            viruses=self.viruses[seat],
            templates=self.templates[seat].copy(),
        )
