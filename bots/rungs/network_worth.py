"""What a position of Network is worth to each seat: dollars that it is likely to be ahead by at the end.

The weights were learnt (`bots.command.learn_worth`). They are whole numbers, whose sums are the same on every machine.
"""

from collections.abc import Sequence
from typing import Final

from engine.core import Seat
from engine.games.network import Position
from engine.games.network.pieces import CHIP
from engine.games.network.routes import land_of

FINE: Final = 1000  # of the unit of a weight in a dollar
ENOUGH: Final = 30  # dollars: the first of them are worth more than those beyond
SIGNS: Final = (
    *("net worth", "cash", "first cash", "cash by shares to be had", "shares in hand", "hand by its value"),
    *("hand by its treasury", "own shares", "shares of others", "treasuries by shares", "next builds by shares"),
    *("next city builds by shares", "the move"),
)
WEIGHTS: Final = (350, 352, -61, 6, -2148, 77, 24, 2330, 2963, -14, 299, 241, 1011)


def worths(at: Position, weights: Sequence[int] = WEIGHTS) -> list[int]:
    """By seat."""
    return [times(weights, row) for row in signs(at)]


def signs(at: Position) -> list[list[int]]:
    """By seat, as `SIGNS` names them, when the auction that is on has ended."""
    at, mover = settled(at) if at.sale else (at, at.to_act)
    to_be_had, builds = sum(at.unauctioned) + sum(at.pool), next_builds(at)
    cities = [build * free for build, free in zip(builds, beside_cities(at), strict=True)]
    rows = []
    for seat, (cash, hand, shares) in enumerate(zip(at.cash, at.unauctioned, at.owned, strict=True)):
        own, net = shares[seat], cash + times(shares, at.share_value)
        row = [net, cash, min(cash, ENOUGH) ** 2 // ENOUGH, cash * to_be_had]
        row += [hand, hand * at.share_value[seat], hand * at.treasury[seat], own, sum(shares) - own]
        row += [times(shares, at.treasury), times(shares, builds), times(shares, cities), int(seat == mover)]
        rows.append(row)
    return rows


def times(many: Sequence[int], each: Sequence[int]) -> int:
    return sum([a * b for a, b in zip(many, each, strict=True)])


def next_builds(at: Position) -> list[int]:
    """By company: the points of value that it can build at once."""
    return [min(money // CHIP, at.auctioned(company)) for company, money in enumerate(at.treasury)]


def beside_cities(at: Position) -> list[int]:
    """By company: 1 where it has access to a free city."""
    land, kinds = land_of(at), at.board.kinds
    free = (land.access[company] - land.built for company in range(at.options.players))
    return [int(any(kinds[number] == "city" for number in found)) for found in free]


def settled(at: Position) -> tuple[Position, Seat]:
    """As if the auction ended now, and who is next."""
    at = at.copy()
    assert at.sale
    company, bids, is_hand = at.sale.company, at.sale.bids, at.sale.source == "hand"
    at.unauctioned[company] -= is_hand
    if bids.leader is None:
        at.pool[company] += is_hand
        at.treasury[company] += is_hand * at.share_value[company]
    else:
        at.pool[company] -= not is_hand
        at.cash[bids.leader] -= bids.high
        at.owned[bids.leader][company] += 1
        at.treasury[company] += is_hand * bids.high
    return at, (at.to_act + 1) % at.options.players
