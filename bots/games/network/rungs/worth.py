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


def worths(position: Position, weights: Sequence[int] = WEIGHTS) -> list[int]:
    """Return the worth of the position by seat."""
    return [times(weights, row) for row in signs(position)]


def signs(position: Position) -> list[list[int]]:
    """Return the signs by seat, as `SIGNS` names them, when the auction that is on has ended."""
    position, mover = settled(position) if position.sale else (position, position.to_act)
    to_be_had, builds = sum(position.unauctioned) + sum(position.pool), next_builds(position)
    cities = [build * free for build, free in zip(builds, beside_cities(position), strict=True)]
    rows = []
    for seat, (cash, hand, shares) in enumerate(zip(position.cash, position.unauctioned, position.owned, strict=True)):
        own_shares, net = shares[seat], cash + times(shares, position.share_value)
        row = [net, cash, min(cash, ENOUGH) ** 2 // ENOUGH, cash * to_be_had]
        row += [
            hand,
            hand * position.share_value[seat],
            hand * position.treasury[seat],
            own_shares,
            sum(shares) - own_shares,
        ]
        row += [times(shares, position.treasury), times(shares, builds), times(shares, cities), int(seat == mover)]
        rows.append(row)
    return rows


def times(left: Sequence[int], right: Sequence[int]) -> int:
    return sum([a * b for a, b in zip(left, right, strict=True)])


def next_builds(position: Position) -> list[int]:
    """Return by company the points of value that it can build at once."""
    return [min(money // CHIP, position.auctioned(company)) for company, money in enumerate(position.treasury)]


def beside_cities(position: Position) -> list[int]:
    """Return by company 1 where it has access to a free city."""
    land, kinds = land_of(position), position.board.kinds
    free = (land.access[company] - land.built for company in range(position.options.players))
    return [int(any(kinds[number] == "city" for number in reachable)) for reachable in free]


def settled(position: Position) -> tuple[Position, Seat]:
    """Return the position as if the auction ended now, and who is next."""
    position = position.copy()
    assert position.sale
    company, bids, is_hand = position.sale.company, position.sale.bids, position.sale.source == "hand"
    position.unauctioned[company] -= is_hand
    if bids.leader is None:
        position.pool[company] += is_hand
        position.treasury[company] += is_hand * position.share_value[company]
    else:
        position.pool[company] -= not is_hand
        position.cash[bids.leader] -= bids.high
        position.owned[bids.leader][company] += 1
        position.treasury[company] += is_hand * bids.high
    return position, (position.to_act + 1) % position.options.players
