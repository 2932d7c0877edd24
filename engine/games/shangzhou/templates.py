"""Phases 4 and 5: bidding for templates and applying them."""

from itertools import compress
from operator import not_

from engine.core import Flow, Seat, tell
from engine.games.shangzhou.actions import Bid
from engine.games.shangzhou.events import Applied, Awarded, BidMade, Passed, Unsold
from engine.games.shangzhou.extras import ask_one, discard_tile, extras_for, remove_agents
from engine.games.shangzhou.pieces import SECTORS, Template, Tile
from engine.games.shangzhou.position import Lot, Position
from engine.games.shangzhou.questions import ToApply, ToBid

# --- 4 bidding for templates ---------------------------------------------------------------------------------------


def bid_for_templates(position: Position) -> Flow[None]:
    """Players in turn put Clout on a template, to have more there than any other, or pass and are out.

    Whoever cannot, or has made as many bids as a phase allows, passes without being asked.
    """
    while position.live and position.lots:
        seat, least = position.live[0], [least_bid(lot, position.live[0]) for lot in position.lots]
        auto = position.acts[seat] >= position.options.max_bids or position.clout[seat] < min(least)
        answer = None if auto else (yield from ask_one(position, seat, ToBid(extras_for(position, seat), least)))
        del position.live[0]
        if isinstance(answer, Bid):
            put_clout(position, seat, answer)
        else:
            tell(position, Passed("bid", seat, auto))
    award(position)


def least_bid(lot: Lot, seat: Seat) -> int:
    """Return the least that `seat` must add to have more there than any other."""
    highest = max(lot.bids[:seat] + lot.bids[seat + 1 :])
    return max(1, highest + 1 - lot.bids[seat])


def put_clout(position: Position, seat: Seat, bid: Bid) -> None:
    lot = position.lots[bid.lot]
    position.clout[seat] -= bid.amount
    lot.bids[seat] += bid.amount
    position.acts[seat] += 1
    position.live.append(seat)
    tell(position, BidMade(seat, bid.lot, bid.amount, lot.bids[seat]))


def award(position: Position) -> None:
    """The highest total is lost and gets the tile; all other Clout returns, and tiles without bids leave play."""
    for number, lot in enumerate(position.lots):
        price = max(lot.bids)
        if not price:
            discard_tile(position, lot.tile)
            tell(position, Unsold(number, lot.tile))
            continue
        seat = lot.bids.index(price)
        position.clout = [
            clout + (bid if bid < price else 0) for clout, bid in zip(position.clout, lot.bids, strict=True)
        ]
        hand_out(position, seat, lot.tile)
        tell(position, Awarded(number, lot.tile, seat, price))
    position.lots = []


def hand_out(position: Position, seat: Seat, tile: Tile) -> None:
    """Hackers and Viruses are kept until they are used."""
    if tile == "H":
        position.hackers[seat] += 1
    elif tile == "V":
        position.viruses[seat] += 1
    else:
        position.templates[seat].append(tile)


# --- 5 applying templates ------------------------------------------------------------------------------------------


def apply_templates(position: Position) -> Flow[None]:
    """Players in turn put a template on a sector without one, until all are placed. If none is left it leaves play."""
    while any(position.templates):
        seat, free = position.live[0], list(compress(SECTORS, map(not_, position.zones)))
        held = position.templates[seat]
        auto = len(free) < 2 and len(set(held)) < 2
        if not held:
            pass
        elif auto or not free:
            place_template(position, seat, held[0], free[0] if free else -1, auto=True)
        else:
            answer = yield from ask_one(position, seat, ToApply(extras_for(position, seat), free))
            place_template(position, seat, answer.template, answer.sector)
        position.live.append(position.live.pop(0))


def place_template(position: Position, seat: Seat, tile: Template, sector: int, *, auto: bool = False) -> None:
    """Agents that are there stay, unless it is a Restricted sector and they are to be evicted."""
    position.templates[seat].remove(tile)
    evicted: list[int] = []
    if sector < 0:
        discard_tile(position, tile)
    else:
        position.zones[sector] = tile
        if tile == "R" and position.options.restricted_cover == "evict":
            evicted = remove_agents(position, sector)
    tell(position, Applied(seat, tile, sector, evicted, auto))
