"""Phases 4 and 5: bidding for templates and applying them."""

from itertools import compress
from operator import not_

from engine.core import Flow, Seat, tell
from engine.games.shangzhou.actions import Bid
from engine.games.shangzhou.events import Applied, Awarded, BidMade, Passed, Unsold
from engine.games.shangzhou.extras import ask_one, discard, extras_for, remove_agents
from engine.games.shangzhou.pieces import SECTORS, Template, Tile
from engine.games.shangzhou.position import Lot, Position
from engine.games.shangzhou.questions import ToApply, ToBid

# --- 4 bidding for templates ---------------------------------------------------------------------------------------


def bid_for_templates(at: Position) -> Flow[None]:
    """In turn, put Clout on a template, to have more there than any other player, or pass and be out.

    Whoever cannot, or has made as many bids as a phase allows, passes without being asked.
    """
    while at.live and at.lots:
        seat, least = at.live[0], [least_bid(lot, at.live[0]) for lot in at.lots]
        auto = at.acts[seat] >= at.options.max_bids or at.clout[seat] < min(least)
        answer = None if auto else (yield from ask_one(at, seat, ToBid(extras_for(at, seat), least)))
        del at.live[0]
        if isinstance(answer, Bid):
            put_clout(at, seat, answer)
        else:
            tell(at, Passed("bid", seat, auto))
    award(at)


def least_bid(lot: Lot, seat: Seat) -> int:
    """The least that `seat` must add to have more there than any other."""
    others = max(lot.bids[:seat] + lot.bids[seat + 1 :])
    return max(1, others + 1 - lot.bids[seat])


def put_clout(at: Position, seat: Seat, bid: Bid) -> None:
    lot = at.lots[bid.lot]
    at.clout[seat] -= bid.amount
    lot.bids[seat] += bid.amount
    at.acts[seat] += 1
    at.live.append(seat)
    tell(at, BidMade(seat, bid.lot, bid.amount, lot.bids[seat]))


def award(at: Position) -> None:
    """The highest total is lost and gets the tile; all other Clout returns, and tiles without bids leave play."""
    for number, lot in enumerate(at.lots):
        price = max(lot.bids)
        if not price:
            discard(at, lot.tile)
            tell(at, Unsold(number, lot.tile))
            continue
        seat = lot.bids.index(price)
        at.clout = [clout + (bid if bid < price else 0) for clout, bid in zip(at.clout, lot.bids, strict=True)]
        hand_out(at, seat, lot.tile)
        tell(at, Awarded(number, lot.tile, seat, price))
    at.lots = []


def hand_out(at: Position, seat: Seat, tile: Tile) -> None:
    """Hackers and Viruses are kept until they are used."""
    if tile == "H":
        at.hackers[seat] += 1
    elif tile == "V":
        at.viruses[seat] += 1
    else:
        at.templates[seat].append(tile)


# --- 5 applying templates ------------------------------------------------------------------------------------------


def apply_templates(at: Position) -> Flow[None]:
    """In turn, put a template on a sector that has none, until all are placed. Without such a sector it leaves play."""
    while any(at.templates):
        seat, free = at.live[0], list(compress(SECTORS, map(not_, at.zones)))
        held = at.templates[seat]
        auto = len(free) < 2 and len(set(held)) < 2
        if not held:
            pass
        elif auto or not free:
            place_template(at, seat, held[0], free[0] if free else -1, auto=True)
        else:
            answer = yield from ask_one(at, seat, ToApply(extras_for(at, seat), free))
            place_template(at, seat, answer.template, answer.sector)
        at.live.append(at.live.pop(0))


def place_template(at: Position, seat: Seat, tile: Template, sector: int, *, auto: bool = False) -> None:
    """Agents that are there stay, unless it is a Restricted sector and they are to be evicted."""
    at.templates[seat].remove(tile)
    evicted: list[int] = []
    if sector < 0:
        discard(at, tile)
    else:
        at.zones[sector] = tile
        if tile == "R" and at.options.restricted_cover == "evict":
            evicted = remove_agents(at, sector)
    tell(at, Applied(seat, tile, sector, evicted, auto))
