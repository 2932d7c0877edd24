"""The guided first game of Shangzhou-Gold: sectors that yield, agents that collect, and Clout that is not spent."""

from typing import Final

from bots.viewer.first_games import Facts, read_lesson
from bots.viewer.language import decimal
from engine.core import Seat
from engine.games.shangzhou import Position, see, valid

ROLLS: Final = 6  # a forecast adds up the yields of so many rolls of a die
YIELDING: Final = ("C", "P")


def _facts(before: Position, after: Position, seat: Seat) -> Facts:
    """Return Clout and what the next turn would bring, before the choice and after it."""
    was, now = see(before, seat), see(after, seat)
    return {
        "clout": was.clout[seat],
        "clout_now": now.clout[seat],
        "goal": was.opts.clout_goal,
        "next": decimal(_income(before)),
        "next_now": decimal(_income(after)),
        "templates_now": len(now.templates[seat]),
    }


def _clout(position: Position) -> int:
    return see(position, 0).clout[0]


def _income(position: Position) -> float:
    """Return what the reader's next income is, with average rolls."""
    forecast = see(position, 0).forecast
    return forecast.base + forecast.production[0] + forecast.commerce[0] / ROLLS


def _yielding(position: Position) -> int:
    """Return how many templates that yield Clout the reader has bought and not placed yet."""
    return len([tile for tile in see(position, 0).templates[0] if tile in YIELDING])


def _within_reach(position: Position) -> int:
    """Return how many sectors that yield Clout the reader could put agents into now."""
    return len([sector for sector in valid(position, 0) if position.zones[sector] in YIELDING])


def _bids_over(_before: Position, now: Position) -> bool:
    return see(now, 0).phase not in ("order_bid", "bid")


def _turn_over(before: Position, now: Position) -> bool:
    view = see(now, 0)
    return bool(view.ended) or view.turn != see(before, 0).turn


UNTIL: Final = {"bids_over": _bids_over, "turn_over": _turn_over}
MEASURES: Final = {"clout": _clout, "income": _income, "within_reach": _within_reach, "yielding": _yielding}
LESSON: Final = read_lesson("shangzhou", _facts, UNTIL, MEASURES)
