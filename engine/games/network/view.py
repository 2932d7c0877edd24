"""What one seat may know: everything but the dice. And the position back from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.auctions import Ascending
from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.network.pieces import START, Hex
from engine.games.network.position import Ending, Expansion, Options, Position, Sale, Source
from engine.records import Record


@dataclass(slots=True)
class MapView(Record):
    """What is neither start, mountain nor city is standard, up to `radius` steps from the start."""

    radius: int
    start: Hex
    mountains: list[Hex]
    cities: list[Hex]


@dataclass(slots=True)
class HexView(Record):
    """A hex that `company` has built with `value` chips."""

    at: Hex
    company: int
    value: int


@dataclass(slots=True)
class AuctionView(Record):
    """`bidding` are still in, the next first; `leader` holds the highest bid so far."""

    company: int
    source: Source
    caller: Seat
    least: int
    high: int
    leader: Seat | None
    bidding: list[Seat]


@dataclass(slots=True)
class EndingView(Record):
    """The end was triggered on a turn of `trigger`; `turns_left` count the present one."""

    trigger: Seat
    turns_left: int


@dataclass(slots=True)
class View(Record):
    """The position. Lists of players, and of companies, are by seat: company 1 began with seat 1."""

    game: Literal["network"]
    opts: Options
    seat: Seat
    phase: Literal["turn", "bid", "build", "over"]
    turn: int
    to_act: Seat
    first: Seat
    map: MapView
    hexes: list[HexView]
    cash: list[int]
    treasury: list[int]
    share_value: list[int]
    auctioned: list[int]
    unauctioned: list[int]
    pool: list[int]
    owned: list[list[int]]  # auctioned shares: of each player, by company
    passes: int
    auction: AuctionView | None
    expansion: Expansion | None
    ending: EndingView | None
    ended: Ending


_view_of, _position_of = carrier(Position, View), carrier(View, Position)


def see(position: Position, seat: Seat) -> View:
    """Return the view of `seat`: all that it may know."""
    return _view_of(
        position,
        game="network",
        opts=position.options,
        seat=seat,
        phase=_phase(position),
        map=MapView(position.options.radius, START, position.mountains, position.cities),
        hexes=[
            HexView(where, company, value)
            for where, company, value in zip(position.board.hexes, position.owner, position.value, strict=True)
            if company >= 0
        ],
        auctioned=[position.auctioned(company) for company in range(position.options.players)],
        auction=_auction(position),
        ending=None if position.trigger is None else EndingView(position.trigger, position.turns_left),
        ended=position.ending,
    )


def _phase(position: Position) -> Literal["turn", "bid", "build", "over"]:
    if position.ending:
        return "over"
    if position.sale:
        return "bid"
    return "build" if position.expansion else "turn"


def _auction(position: Position) -> AuctionView | None:
    if not (sale := position.sale):
        return None
    bids = sale.bids
    least = position.share_value[sale.company]
    return AuctionView(sale.company, sale.source, sale.caller, least, bids.high, bids.leader, bids.bidding.copy())


def redraw(position: Position, _seat: Seat, dice: Dice) -> Position:
    """Return a copy with other dice: all the rest is known to everybody."""
    out = position.copy()
    out.dice = dice.fork()
    return out


def imagine(view: View, _heard: Sequence[Event], dice: Dice) -> Position:
    """Return the position that a seat sees."""
    position = _position_of(
        view,
        options=view.opts,
        dice=dice.fork(),
        mountains=view.map.mountains,
        cities=view.map.cities,
        owner=[],
        value=[],
        sale=_sale(view.auction),
        trigger=view.ending.trigger if view.ending else None,
        turns_left=view.ending.turns_left if view.ending else 0,
        ending=view.ended,
    )
    position.owner, position.value = [-1] * len(position.board.hexes), [0] * len(position.board.hexes)
    for built in view.hexes:
        number = position.board.number[built.at]
        position.owner[number], position.value[number] = built.company, built.value
    return position


def _sale(auction: AuctionView | None) -> Sale | None:
    if not auction:
        return None
    bids = Ascending(auction.bidding.copy(), auction.high, auction.leader)
    return Sale(auction.company, auction.source, auction.caller, bids)
