"""What a position of Network is worth to a seat: the net worth that it is likely to end with.

The weights were learnt (`bots.command.learn_worth`). They are whole numbers, whose sums are the same on every machine.
"""

from typing import Final

from engine.core import Seat
from engine.games.network import Position

FINE: Final = 1000  # of the unit of a weight in a dollar
SIGNS: Final = (
    *("net worth", "cash", "own treasury", "shares in hand", "own shares", "shares of others"),
    *("treasuries by shares", "hand by its value", "hand by its treasury"),
)
WEIGHTS: Final = (910, 215, -103, -1839, 2480, 2737, 136, 68, 84)


def worth(at: Position, seat: Seat) -> int:
    return sum([weight * sign for weight, sign in zip(WEIGHTS, signs(at, seat), strict=True)])


def signs(at: Position, seat: Seat) -> list[int]:
    """As `SIGNS` names them. A treasury is worth to a seat what its shares of the company are."""
    cash, hand, treasury, shares = at.cash[seat], at.unauctioned[seat], at.treasury[seat], at.owned[seat]
    net = cash + sum([many * value for many, value in zip(shares, at.share_value, strict=True)])
    behind = sum([many * money for many, money in zip(shares, at.treasury, strict=True)])
    own = shares[seat]
    others = sum(shares) - own
    return [net, cash, treasury, hand, own, others, behind, hand * at.share_value[seat], hand * treasury]
