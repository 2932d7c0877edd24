"""The guided first game of Network: feed your company, own its shares, and build where it pays for each of them."""

from typing import Final

from bots.viewer.first_games import Facts, read_lesson
from engine.core import Seat
from engine.games.network import Position, see

ARC: Final = 0  # the reader's company


def _facts(before: Position, after: Position, seat: Seat) -> Facts:
    """Return how Arc, the reader and Mika stood before the choice, and how they stand after it."""
    was, now = see(before, seat), see(after, seat)
    return {
        "cash": was.cash[seat],
        "mika_cash": was.cash[1],
        "treasury": was.treasury[ARC],
        "treasury_now": now.treasury[ARC],
        "value": was.share_value[ARC],
        "value_now": now.share_value[ARC],
        "shares": was.owned[seat][ARC],
        "shares_now": now.owned[seat][ARC],
        "limit": was.auctioned[ARC],
        "limit_now": now.auctioned[ARC],
        "high": was.auction.high if was.auction else 0,
        "worth": _worth(before, seat),
        "mika_worth": _worth(before, 1),
        "worth_now": _worth(after, seat),
        "mika_worth_now": _worth(after, 1),
    }


def _worth(position: Position, seat: Seat) -> int:
    """Return a seat's net worth."""
    view = see(position, seat)
    shares = zip(view.owned[seat], view.share_value, strict=True)
    return view.cash[seat] + sum(owned * value for owned, value in shares)


def _treasury(position: Position) -> int:
    return see(position, 0).treasury[ARC]


def _turn_over(before: Position, now: Position) -> bool:
    return see(now, 0).turn != see(before, 0).turn


def _next_turn_over(before: Position, now: Position) -> bool:
    """Return whether the reader's next turn is over, too."""
    return see(now, 0).turn > see(before, 0).turn + 2


def _at_the_end(_before: Position, now: Position) -> bool:
    return bool(see(now, 0).ended)


UNTIL: Final = {"at_the_end": _at_the_end, "next_turn_over": _next_turn_over, "turn_over": _turn_over}
MEASURES: Final = {"treasury": _treasury}
LESSON: Final = read_lesson("network", _facts, UNTIL, MEASURES)
