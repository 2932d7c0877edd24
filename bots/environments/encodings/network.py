"""Network: every build can be listed, over the routes of their numbers; bids are exact up to 64 levels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

from bots.environments.actions import Actions, Bids, Block, Way, amounts
from bots.environments.codecs import Codec, counts, each, itself, number, numbers, one_of, places
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.auctions import Bid, ToBid
from engine.games.network import Act, Auction, Build, Options, Pass, Position, Stop, ToBuild, ToTurn, View
from engine.games.network.pieces import CHIP, MOST_CHIPS, Hex, disc
from engine.games.network.position import Site, companies_of, sites_for
from engine.games.network.routes import WAYS

LEVELS: Final = 64  # of a bid
OPENING: Final = 16  # of the bid with which a share is offered
SOURCES: Final = ("hand", "bank")
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
    act, build = actions["act"].index, actions["build"].index
    acts = [{at: act[company, at, 1] for at in hexes} for company in companies]
    ways: dict[Any, Way] = {
        ToTurn: Turn(actions, acts),
        ToBuild: Builds(actions, [{at: build[at, 1] for at in hexes}]),
        ToBid: Bids(actions["bid"]),
    }
    return Parts(layout(View, Position, placed(options), LEFT_OUT), actions, ways)


def payable(site: Site, purse: int, value: int) -> list[int]:
    """The numbers of the routes that leave enough for so many chips."""
    return [number for number, route in enumerate(site.routes) if route.cost + CHIP * value <= purse]


def builds(sites: Sequence[Site], firsts: Mapping[Hex, int]) -> list[int]:
    """An action for each number of chips that can be paid for, by the cheapest route. `firsts`: those of one chip."""
    found = list[int]()
    for site in sites:
        first = firsts[site.hex]
        found += range(first, first + site.most)
    return found


@dataclass(frozen=True, slots=True)
class Routed:
    """A build is its hex and value and, where there are several routes that can be paid for, then the route."""

    actions: Actions
    firsts: Sequence[Mapping[Hex, int]]  # by company, where that counts: by hex the action of one chip

    def by_route(self, site: Site, purse: int, built: Act | Build, parts: Sequence[int]) -> Act | Build | None:
        if len(parts) > 1:
            built.route = self.actions["route"].value(parts[1])
            return built
        routes = payable(site, purse, built.value) if site.routes else []
        built.route = routes[0] if routes else 0
        return built if len(routes) < 2 else None


class Turn(Routed):
    """A pass, a share with its opening bid, or a build."""

    def legal(self, asked: ToTurn, parts: Sequence[int]) -> list[int]:
        if parts:
            act = self.actions["act"].answer(parts[0])
            site, purse = self.site(asked, act), asked.treasuries[act.company]
            return [self.actions["route"][route] for route in payable(site, purse, act.value)]
        found = [self.actions["pass"].start, *self.auctions(asked)]
        for company in companies_of(asked.sites):
            found += builds(sites_for(asked.sites, company), self.firsts[company])
        return found

    def auctions(self, asked: ToTurn) -> list[int]:
        found, block = list[int](), self.actions["auction"]
        for offer in asked.offers:
            none = block[offer.company, offer.source, "none"]
            found += range(none, none + 1 + max(0, min(OPENING, asked.cash - offer.least + 1)))
        return found

    def answer(self, asked: ToTurn, parts: Sequence[int]) -> Any:
        block = self.actions.block_of(parts[0])
        answer = block.answer(parts[0])
        if isinstance(answer, Act):
            return self.by_route(self.site(asked, answer), asked.treasuries[answer.company], answer, parts)
        if isinstance(answer, Auction):
            level: Any = answer.bid
            least = next(it.least for it in asked.offers if (it.company, it.source) == (answer.company, answer.source))
            answer.bid = 0 if level == "none" else amounts(least, asked.cash, OPENING)[level]
        return answer

    @staticmethod
    def site(asked: ToTurn, act: Act) -> Site:
        return next(site for site in sites_for(asked.sites, act.company) if site.hex == act.hex)


class Builds(Routed):
    """One more build, or to stop."""

    def legal(self, asked: ToBuild, parts: Sequence[int]) -> list[int]:
        if parts:
            build = self.actions["build"].answer(parts[0])
            routes = payable(self.site(asked, build), asked.treasury, build.value)
            return [self.actions["route"][route] for route in routes]
        return [*builds(asked.sites, self.firsts[0]), self.actions["stop"].start]

    def answer(self, asked: ToBuild, parts: Sequence[int]) -> Any:
        answer = self.actions.block_of(parts[0]).answer(parts[0])
        if isinstance(answer, Stop):
            return answer
        return self.by_route(self.site(asked, answer), asked.treasury, answer, parts)

    @staticmethod
    def site(asked: ToBuild, build: Build) -> Site:
        return next(site for site in asked.sites if site.hex == build.hex)


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
        "hexes": (built(seats, hexes), lambda at, _seat: (tuple(at.owner), tuple(at.value))),
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
        "auction.least": (number(), lambda at, _seat: at.sale and at.share_value[at.sale.company]),
        "auction.high": (number(), "sale.bids.high"),
        "auction.leader": (seat, "sale.bids.leader"),
        "auction.bidding": (places(seats), "sale.bids.bidding"),
        "expansion.company": company,
        "expansion.left": number(),
        "expansion.kind": one_of(("standard", "city")),
        "ending.trigger": (seat, "trigger"),
        "ending.turns_left": (number(), lambda at, _seat: 0 if at.trigger is None else at.turns_left),
    }


def built(seats: int, hexes: Sequence[Any]) -> Codec:
    """By company and hex the value of what is built: out of the View's list, or of owners and values by hex."""
    size, place = len(hexes), {at: number for number, at in enumerate(hexes)}

    def write(found: Any) -> Sequence[int]:
        out = [0] * (seats * size)
        if isinstance(found, tuple):
            owner, value = found
            for number in compress(range(size), value):
                out[owner[number] * size + number] = value[number]
        else:
            for one in found:
                out[one.company * size + place[one.at]] = one.value
        return out

    about = "value; by company and hex in reading order"
    return Codec((seats, size), write, high=MOST_CHIPS, about=about, key=itself)
