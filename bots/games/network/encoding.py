"""Network: every build can be listed, over the routes of their numbers; bids are exact up to 64 levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

from bots.environments.actions import Actions, Bids, Block, Marked, Way, amounts
from bots.environments.codecs import Codec, counts, each, itself, number, numbers, one_of, places
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.auctions import Bid, ToBid
from engine.games.network import Act, Auction, Build, Options, Pass, Position, Stop, ToBuild, ToTurn, View
from engine.games.network.pieces import CHIP, MOST_CHIPS, disc
from engine.games.network.routes import WAYS, land_of
from engine.games.network.sites import OfCompany, Site, companies_of, legal_site, sites_for

LEVELS: Final = 64  # of a bid
OPENING: Final = 16  # of the bid with which a share is offered
SOURCES: Final = ("hand", "bank")
ONES: Final = [b"\1" * count for count in range(OPENING + 2)]
LEFT_OUT: Final = {
    "phase": "what is asked says it",
    "auctioned": "it follows from what is owned",
    "ended": "nobody is asked after it",
}


def parts(options: Options) -> Parts:
    companies, hexes, values = range(options.players), disc(options.radius), range(1, MOST_CHIPS + 1)
    actions = Actions.of(
        Block.of(Pass),
        Block.of(Auction, company=companies, source=SOURCES, bid=("none", *range(OPENING))),
        Block.of(Act, company=companies, hex=hexes, value=values),
        Block.of(Build, hex=hexes, value=values),
        Block.of(Stop),
        Block.listed("route", route=range(WAYS)),
        Bids.levels(Bid, LEVELS),
    )
    act, build = actions["act"].start, actions["build"].start
    acts = [act + company * len(hexes) * MOST_CHIPS for company in companies]
    by_question: dict[Any, Way] = {
        ToTurn: Turn(actions, acts),
        ToBuild: Builds(actions, [build]),
        ToBid: Bids(actions["bid"]),
    }
    return Parts(layout(View, Position, placed(options), LEFT_OUT), actions, by_question, longest=20_000)


def payable(site: Site, purse: int, value: int) -> list[int]:
    """The numbers of the routes that leave enough for so many chips."""
    return [number for number, route in enumerate(site.routes) if route.cost + CHIP * value <= purse]


def mark_buildings(row: bytearray, first: int, sites: Sequence[Site]) -> None:
    """An action for each number of chips that can be paid for, by the cheapest route; `first` is that of one chip on
    the first hex."""
    assert isinstance(sites, OfCompany)
    for place, chips in sites.chips.items():
        start = first + place * MOST_CHIPS
        row[start : start + chips] = ONES[chips]


@dataclass(frozen=True, slots=True)
class Routed:
    """A build is its hex and value and, where there are several routes that can be paid for, then the route."""

    actions: Actions
    firsts: Sequence[int]  # by company, where that counts: the action of one chip on the first hex

    def by_route(self, site: Site, purse: int, built: Act | Build, parts: Sequence[int]) -> Act | Build | None:
        if len(parts) > 1:
            built.route = self.actions["route"].value(parts[1])
            return built
        routes = payable(site, purse, built.value) if site.routes else []
        built.route = routes[0] if routes else 0
        return built if len(routes) < 2 else None


class Turn(Routed):
    """A pass, a share with its opening bid, or a build."""

    def legal(self, asked: ToTurn, parts: Sequence[int]) -> Sequence[int]:
        if parts:
            act = self.actions["act"].answer(parts[0])
            site, purse = self.site(asked, act), asked.treasuries[act.company]
            return [self.actions["route"][route] for route in payable(site, purse, act.value)]
        row, auction, cash = bytearray(self.actions.size), self.actions["auction"].index, asked.cash
        row[self.actions["pass"].start] = 1
        for offer in asked.offers:
            no_bid = auction[offer.company, offer.source, "none"]
            levels = max(0, min(OPENING, cash - offer.least + 1))
            row[no_bid : no_bid + 1 + levels] = ONES[1 + levels]
        for company in companies_of(asked.sites):
            mark_buildings(row, self.firsts[company], sites_for(asked.sites, company))
        return Marked(row)

    def answer(self, asked: ToTurn, parts: Sequence[int]) -> Any:
        block = self.actions.block_of(parts[0])
        answer = block.answer(parts[0])
        if isinstance(answer, Act):
            return self.by_route(self.site(asked, answer), asked.treasuries[answer.company], answer, parts)
        if isinstance(answer, Auction):
            level: Any = answer.bid
            least = next(
                offer.least
                for offer in asked.offers
                if (offer.company, offer.source) == (answer.company, answer.source)
            )
            answer.bid = 0 if level == "none" else amounts(least, asked.cash, OPENING)[level]
        return answer

    @staticmethod
    def site(asked: ToTurn, act: Act) -> Site:
        return legal_site(sites_for(asked.sites, act.company), act.hex)


class Builds(Routed):
    """One more build, or to stop."""

    def legal(self, asked: ToBuild, parts: Sequence[int]) -> Sequence[int]:
        if parts:
            build = self.actions["build"].answer(parts[0])
            routes = payable(self.site(asked, build), asked.treasury, build.value)
            return [self.actions["route"][route] for route in routes]
        row = bytearray(self.actions.size)
        row[self.actions["stop"].start] = 1
        mark_buildings(row, self.firsts[0], asked.sites)
        return Marked(row)

    def answer(self, asked: ToBuild, parts: Sequence[int]) -> Any:
        answer = self.actions.block_of(parts[0]).answer(parts[0])
        if isinstance(answer, Stop):
            return answer
        return self.by_route(self.site(asked, answer), asked.treasury, answer, parts)

    @staticmethod
    def site(asked: ToBuild, build: Build) -> Site:
        return legal_site(asked.sites, build.hex)


def placed(options: Options) -> dict[str, Any]:
    seats, hexes = options.players, disc(options.radius)
    seat, company, land = one_of(range(seats)), one_of(range(seats)), counts(hexes, about="hexes in reading order")
    return {
        "seat": (seat, my_seat),
        "turn": number(),
        "to_act": seat,
        "first": seat,
        "map.mountains": (land, "mountains"),
        "map.cities": (land, "cities"),
        "hexes": (built_values(seats, hexes), lambda position, _seat: land_of(position).key),
        "cash": numbers(seats),
        "treasury": numbers(seats),
        "share_value": numbers(seats),
        "unauctioned": numbers(seats),
        "pool": numbers(seats),
        "owned": each(seats, numbers(seats)),
        "passes": number(),
        "auction.company": (company, "sale.company"),
        "auction.source": (one_of(SOURCES), "sale.source"),
        "auction.caller": (seat, "sale.caller"),
        "auction.least": (
            number(),
            lambda position, _seat: position.sale and position.share_value[position.sale.company],
        ),
        "auction.high": (number(), "sale.bids.high"),
        "auction.leader": (seat, "sale.bids.leader"),
        "auction.bidding": (places(seats), "sale.bids.bidding"),
        "expansion.company": company,
        "expansion.left": number(),
        "expansion.kind": one_of(("standard", "city")),
        "ending.trigger": (seat, "trigger"),
        "ending.turns_left": (number(), lambda position, _seat: 0 if position.trigger is None else position.turns_left),
    }


def built_values(seats: int, hexes: Sequence[Any]) -> Codec:
    """Return the codec of the values built, by company and hex: out of the View's list, or of a land's key."""
    size, place = len(hexes), {hex_: number for number, hex_ in enumerate(hexes)}

    def write(laid: Any) -> Sequence[int]:
        out = [0] * (seats * size)
        if isinstance(laid, bytes):
            for number in compress(range(size), laid):
                out[(laid[number] - 1) * size + number] = laid[size + number]
        else:
            for entry in laid:
                out[entry.company * size + place[entry.at]] = entry.value
        return out

    about = "value; by company and hex in reading order"
    return Codec((seats, size), write, high=MOST_CHIPS, about=about, key=itself)
