"""The recorded games of Shangzhou-Gold: each number of players, each way to end, each option, faults."""

from typing import Any

from engine.core import Question
from engine.dice import Dice
from engine.games.shangzhou import Apply, Bid, Expand, Pass, ToApply, ToBid, ToExpand
from engine.records import Record
from tests.games.recording import Recording


def nodal(question: Question[Any], dice: Dice) -> Record:
    """Buys all there is, puts Critical Nodes in the first sectors and all else in the last, and spreads."""
    match question:
        case ToBid(least=least) if low := [lot for lot, amount in enumerate(least) if amount == 1]:
            return Bid(dice.pick(low), 1)
        case ToBid():
            return Pass()
        case ToApply(sectors=sectors):
            held = question.besides.hand.templates
            return Apply("N", sectors[0]) if "N" in held else Apply(held[0], sectors[-1])
        case ToExpand(valid=valid) if valid:
            return Expand([dice.pick(valid)])
    answer: Record = question.default()
    return answer


QUICK: dict[str, object] = {"base_income": 8, "max_bids": 2, "max_expansions": 3}
RECORDINGS = {
    "shangzhou-3": Recording({"players": 3, "clout_goal": 15, "base_income": 6, "max_bids": 3, "max_expansions": 4}),
    "shangzhou-2": Recording({"players": 2, "sector_goal": 20, "clout_goal": 100, **QUICK}),
    "shangzhou-4": Recording({"players": 4, "home_layout": "choose", "max_turns": 2, "talk": "private"}),
    "shangzhou-critical": Recording(
        {
            "players": 2,
            "critical_rule": "present",
            "sector_goal": 64,
            "clout_goal": 100,
            "trading": "off",
            "max_bids": 4,
        },
        nodal,
    ),
    "shangzhou-windows": Recording(
        {"players": 3, "trade_windows": 2, "oversight_tie": "random", "overseer_power": "start", "max_turns": 3}
    ),
    "shangzhou-gifts": Recording(
        {"players": 4, "trading": "gifts", "talk": "off", "restricted_cover": "evict", "max_turns": 5, **QUICK}
    ),
    "shangzhou-faults": Recording({"players": 3, "max_turns": 4, **QUICK}, faults=True),
}
