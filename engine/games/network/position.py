"""What Network remembers, what it asks and what may be answered."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine import game
from engine.auctions import Ascending
from engine.copies import SHARED, Copied
from engine.core import Event, Question, Seat
from engine.dice import Dice
from engine.games.network.pieces import CHIP, LARGE, SMALL, Board, Hex, Kind, board, layout_of
from engine.games.network.sites import Site, companies_of, site_on, sites_for
from engine.records import Record
from engine.sentences import Sentence, list_sentence

Source = Literal["hand", "bank"]
FROM: dict[Source, str] = {
    "hand": "company %(company)s from the hand",
    "bank": "company %(company)s from the bank",
}
Ending = Literal["", "all_pass", "sold_out", "cap"]


@dataclass(slots=True, frozen=True)
class Options(game.Options):
    """`map`: "auto" is small for up to three players; `first`: who begins; `bank_buys_unsold`: the bank pays the share
    value into the treasury when a player's share finds no bid; `max_turns`: a safety net."""

    players: int = 4
    map: Literal["auto", "small", "large", "generated"] = "auto"
    first: Literal["random"] | int = "random"
    bank_buys_unsold: bool = True
    max_turns: int = 600

    def error(self) -> Sentence | None:
        return self.outside("players", 2, 6) or self.no_seat("first") or self.outside("max_turns", 1, 10_000)

    @property
    def radius(self) -> int:
        size = {"small": SMALL, "large": LARGE}
        return size.get(self.map, SMALL if self.players <= 3 else LARGE)


# --- actions -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Pass(Record):
    """Do nothing this turn."""

    tag: ClassVar[str] = "pass"


@dataclass(slots=True)
class Auction(Record):
    """Offer a share of `company` from your hand or the bank's pool, opening with `bid`; 0 does not open."""

    tag: ClassVar[str] = "auction"
    company: int
    source: Source
    bid: int = 0


@dataclass(slots=True)
class Act(Record):
    """Act for `company`: build on `hex` with `value` chips, over the route of that number if it leases."""

    tag: ClassVar[str] = "act"
    company: int
    hex: Hex
    value: int
    route: int = 0


@dataclass(slots=True)
class Build(Record):
    """Build on another `hex` with `value` chips, over the route of that number if it leases."""

    tag: ClassVar[str] = "build"
    hex: Hex
    value: int
    route: int = 0


@dataclass(slots=True)
class Stop(Record):
    """Build no more this turn."""

    tag: ClassVar[str] = "stop"


# --- questions -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Offer(Record):
    """A share of `company` that can be put up for auction; `least` is its share value."""

    company: int
    source: Source
    least: int


def build_fault(site: Site | None, build: Act | Build, treasury: int) -> Sentence | None:
    """Return why this cannot be built, or None."""
    if not site:
        return Sentence("builds on %(hex)s, which is none of the sites", hex=list(build.hex))
    if not 1 <= build.value <= site.most:
        sentence = "builds on %(hex)s with value %(value)s; there it is 1 to %(most)s"
        return Sentence(sentence, hex=list(build.hex), value=build.value, most=site.most)
    if not 0 <= build.route < max(1, len(site.routes)):
        sentence = "builds on %(hex)s over route %(route)s; its routes are 0 to %(last)s"
        return Sentence(sentence, hex=list(build.hex), route=build.route, last=max(0, len(site.routes) - 1))
    lease = site.routes[build.route].cost if site.routes else 0
    if lease + CHIP * build.value <= treasury:
        return None
    return Sentence(
        "builds on %(hex)s for %(lease)s for the lease and %(chips)s for the chips; the treasury holds %(treasury)s",
        hex=list(build.hex),
        lease=lease,
        chips=CHIP * build.value,
        treasury=treasury,
    )


def drawn_build(sites: Sequence[Site], treasury: int, dice: Dice) -> Build:
    """Draw a build of any site, by any of its routes, with any value that this leaves money for."""
    site = dice.pick(sites)
    route = dice.below(len(site.routes)) if site.routes else 0
    lease = site.routes[route].cost if site.routes else 0
    return Build(site.hex, 1 + dice.below(min(site.most, (treasury - lease) // CHIP)), route)


@dataclass(slots=True)
class ToTurn(Question[Record]):
    """Pass, offer one of `offers` (a bid is `least` to `cash`, or 0), or act and build on one of `sites`.

    `treasuries` are those of all companies.
    """

    tag: ClassVar[str] = "turn"
    answers: ClassVar[object] = Pass | Auction | Act
    cash: int
    offers: list[Offer]
    sites: Sequence[Site]
    treasuries: list[int]

    def error(self, action: Record) -> Sentence | None:
        match action:
            case Auction():
                return self._bad_auction(action)
            case Act():
                site = site_on(sites_for(self.sites, action.company), action.hex)
                holds = self.treasuries[action.company] if site else 0
                return self._acting(action, build_fault(site, action, holds))
        if isinstance(action, Pass):
            return None
        return Sentence("answers %(kind)s; pass, auction or act", kind=type(action).__name__)

    def _acting(self, action: Act, reason: Sentence | None) -> Sentence | None:
        if not reason:
            return None
        return Sentence("acting for company %(company)s, %(reason)s", company=action.company, reason=reason)

    def _bad_auction(self, action: Auction) -> Sentence | None:
        chosen = (action.company, action.source)
        offer = next((offer_ for offer_ in self.offers if (offer_.company, offer_.source) == chosen), None)
        if not offer:
            offered = [Sentence(FROM[offer_.source], company=offer_.company) for offer_ in self.offers]
            sentence = "offers a share of %(listed)s; to be had: %(others)s"
            asked = Sentence(FROM[action.source], company=action.company)
            return Sentence(sentence, listed=asked, others=list_sentence(offered, Sentence("none")))
        if action.bid and not offer.least <= action.bid <= self.cash:
            sentence = "opens with %(bid)s; an opening bid is %(least)s to %(cash)s here, or 0 for none"
            return Sentence(sentence, bid=action.bid, least=offer.least, cash=self.cash)
        return None

    def default(self) -> Record:
        return Pass()

    def draw(self, dice: Dice) -> Record:
        """A pass, an auction or an act, each as likely as the others, if it can be."""
        kind = dice.pick(["pass"] + ["auction"] * bool(self.offers) + ["act"] * bool(self.sites))
        if kind == "auction":
            offer = dice.pick(self.offers)
            spread = self.cash - offer.least + 1
            bid = offer.least + dice.below(spread) if spread > 0 and dice.below(2) else 0
            return Auction(offer.company, offer.source, bid)
        if kind == "act":
            company = dice.pick(companies_of(self.sites))
            build = drawn_build(sites_for(self.sites, company), self.treasuries[company], dice)
            return Act(company, build.hex, build.value, build.route)
        return Pass()


@dataclass(slots=True)
class ToBuild(Question[Record]):
    """Build on one more of `sites`, out of `treasury`, or stop."""

    tag: ClassVar[str] = "build"
    answers: ClassVar[object] = Build | Stop
    sites: Sequence[Site]
    treasury: int

    def error(self, action: Record) -> Sentence | None:
        if isinstance(action, Build):
            return build_fault(site_on(self.sites, action.hex), action, self.treasury)
        if isinstance(action, Stop):
            return None
        return Sentence("answers %(kind)s; build or stop", kind=type(action).__name__)

    def default(self) -> Record:
        return Stop()

    def draw(self, dice: Dice) -> Record:
        return drawn_build(self.sites, self.treasury, dice) if dice.below(2) else Stop()


# --- the position --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Sale(Copied):
    """A share of `company` under the hammer."""

    company: int
    source: Source
    caller: Seat
    bids: Ascending


@dataclass(slots=True)
class Expansion(Copied):
    """A company being acted for: the value it may still build, and the kind of hex it builds on."""

    company: int
    left: int
    kind: Kind


@dataclass(slots=True)
class Position(Copied):
    """All that is so at one moment. Lists of players, and of companies, are by seat; company 1 is that of seat 1.

    `owner` (-1: nobody) and `value` are by hex, in reading order; the start, which is everybody's, is in neither.
    """

    options: Options
    dice: Dice
    first: Seat
    mountains: list[Hex] = field(metadata=SHARED)
    cities: list[Hex] = field(metadata=SHARED)
    owner: list[int]
    value: list[int]
    cash: list[int]
    treasury: list[int]
    share_value: list[int]
    unauctioned: list[int]  # shares still in the hand of the company's own player
    pool: list[int]  # shares in the bank, unauctioned as well
    owned: list[list[int]]  # auctioned shares: of each player, by company
    turn: int = 0
    to_act: Seat = 0
    passes: int = 0  # in a row
    sale: Sale | None = None
    expansion: Expansion | None = None
    trigger: Seat | None = None
    turns_left: int = 0  # once the end was triggered
    ending: Ending = ""
    heard: list[Event] | None = field(default=None, compare=False, repr=False, metadata={"plain": False})
    # What follows from the map, and from who has built what: kept because it is asked for again and again.
    map_board: Board | None = field(default=None, compare=False, repr=False, metadata={"plain": False, **SHARED})
    land: object = field(default=None, compare=False, repr=False, metadata={"plain": False, **SHARED})

    @property
    def board(self) -> Board:
        if not self.map_board:
            self.map_board = board(layout_of(self.options.radius, self.mountains, self.cities))
        return self.map_board

    def auctioned(self, company: int) -> int:
        """Return how many shares of a company were auctioned so far."""
        return sum([shares[company] for shares in self.owned])
