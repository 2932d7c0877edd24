"""What a position of Kaiju Incorporated is worth to a seat: the Victory points that it is likely to end with.

The weights were learnt (`bots.command.learn_worth`). They are whole numbers, whose sums are the same on every machine.
"""

from typing import Final

from engine.core import Seat
from engine.games.kaiju import HANDBAGS, SUITS, Player, Position, income_of, vp

FINE: Final = 1000  # of the unit of a weight in a Victory point
SIGNS: Final = (
    *("points", "bank", "research wheel", "kaiju wheel", "Buildings"),
    *("own ¥", "own research", "own kaiju", "rival's ¥", "rival's research", "rival's kaiju", "best research"),
)
NOW: Final = (969, 89, 613, -190, -323, -23, 248, -238, -194, 884, -531, 178)
LATER: Final = (-20, 53, -17, -14, 297, 1, 130, 20, -11, 94, 125, 11)  # for each New Product that is still to be taken


def worth(position: Position, seat: Seat) -> int:
    left = products_left(position)
    weights = (now + left * later for now, later in zip(NOW, LATER, strict=True))
    return sum(weight * sign for weight, sign in zip(weights, signs(position, seat), strict=True))


def products_left(position: Position) -> int:
    """How many New Products will be taken until the first Handbag is turned up."""
    return 0 if position.triggered else 1 + max(0, len(position.product_deck) - len(HANDBAGS))


def signs(position: Position, seat: Seat) -> list[int]:
    """Return the signs as `SIGNS` names them; what Buildings pay is for an income of each suit."""
    me = position.players[seat]
    points = vp(position.players, seat, position.options.city_majority)
    best = max(income_of(me.tableau, suit, "Y")[1] for suit in SUITS)
    return [points, me.bank, me.research, me.kaiju, len(me.tableau), *paid(me), best]


def paid(me: Player) -> list[int]:
    """¥, research and kaiju points in our turn, and then in a rival's."""
    own_turn = (income_of(me.tableau, suit, "Y") for suit in SUITS)
    rival_turn = (income_of(me.tableau, suit, "R") for suit in SUITS)
    return [sum(points) for incomes in (own_turn, rival_turn) for points in zip(*incomes, strict=True)]
