"""Shangzhou-Gold: how near each is to a victory, and what the next turns bring it."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.chances import Outlook, clamp
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


def outlook(position: Position, worth: Sequence[float]) -> Outlook:
    ranking = standings(position)
    production, commerce = forecast(position)
    income = [position.options.base_income + mine + more / 6 for mine, more in zip(production, commerce, strict=True)]
    return Outlook(
        _time(position, ranking),
        [_row(position, seat, worth[seat] / 100, standing, income[seat]) for seat, standing in enumerate(ranking)],
    )


def _time(position: Position, ranking: Sequence[Standing]) -> float:
    """Return how far the game is, by what stays from turn to turn: Clout comes and goes."""
    goals = position.options
    progress = [max(standing.sectors / goals.sector_goal, standing.nodes / NODES) for standing in ranking]
    return clamp(max(*progress, position.turn / goals.max_turns))


def _row(position: Position, seat: Seat, nearest: float, standing: Standing, income: float) -> list[float]:
    goals, nearest = position.options, clamp(nearest)
    clout, yields = clamp(standing.clout / goals.clout_goal), clamp(income / goals.clout_goal)
    has = [
        clout,
        standing.sectors / goals.sector_goal,
        standing.nodes / NODES,
        nearest,
        nearest**4,
        standing.agents / 20,
    ]
    kept = clout * position.phase / len(PHASES)
    hand = [position.hackers[seat] / 3, position.viruses[seat] / 3, len(position.templates[seat]) / 3]
    return [*has, yields, yields**4, kept, *hand]
