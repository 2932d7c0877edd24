"""Shangzhou-Gold: how near each is to a victory, and what the next turns bring it."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances.outlook import Outlook, within
from engine.core import Seat
from engine.games.shangzhou import Position
from engine.games.shangzhou.control import Standing, forecast, standings
from engine.games.shangzhou.pieces import NODES
from engine.games.shangzhou.rules import PHASES

FEATURES: Final = (
    "clout",
    "sectors",
    "nodes",
    "nearest",  # how far it is on the way to a victory on which it is farthest
    "almost",  # the same to the fourth power: the last steps count most
    "agents",
    "income",
    "rich",  # the same to the fourth power: Clout of one turn that is a victory
    "kept",  # Clout late in a turn: what is not spent wins
    "hackers",
    "viruses",
    "templates",
)


def outlook(at: Position, worth: Sequence[float]) -> Outlook:
    found = standings(at)
    production, commerce = forecast(at)
    income = [at.options.base_income + mine + more / 6 for mine, more in zip(production, commerce, strict=True)]
    return Outlook(
        _time(at, found), [_row(at, seat, worth[seat] / 100, its, income[seat]) for seat, its in enumerate(found)]
    )


def _time(at: Position, found: Sequence[Standing]) -> float:
    """By what stays from turn to turn: Clout comes and goes."""
    goals = at.options
    ways = [max(its.sectors / goals.sector_goal, its.nodes / NODES) for its in found]
    return within(max(*ways, at.turn / goals.max_turns))


def _row(at: Position, seat: Seat, nearest: float, its: Standing, income: float) -> list[float]:
    goals, nearest = at.options, within(nearest)
    clout, yields = within(its.clout / goals.clout_goal), within(income / goals.clout_goal)
    has = [clout, its.sectors / goals.sector_goal, its.nodes / NODES, nearest, nearest**4, its.agents / 20]
    kept = clout * at.phase / len(PHASES)
    hand = [at.hackers[seat] / 3, at.viruses[seat] / 3, len(at.templates[seat]) / 3]
    return [*has, yields, yields**4, kept, *hand]
