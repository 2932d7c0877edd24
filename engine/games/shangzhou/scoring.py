"""The score people see, and the finer ranking that tells equal scores apart."""

from typing import Final

from engine.core import Seat
from engine.game import Rank
from engine.games.shangzhou.control import Standing, standings
from engine.games.shangzhou.position import Position

WON: Final = 100  # points for a winner: more than there are sectors


def scores(position: Position) -> list[int]:
    """Return exclusive sectors by seat, and 100 more for a winner."""
    return [score_of(position, seat, standing) for seat, standing in enumerate(standings(position))]


def score_of(position: Position, seat: Seat, standing: Standing) -> int:
    return standing.sectors + WON * (seat in position.winners)


def ranking(position: Position) -> list[Rank]:
    """Return ranks by seat: scores, and of equal ones exclusive Critical Nodes, then Clout, then agents."""
    return [
        (score_of(position, seat, standing), standing.nodes, standing.clout, standing.agents)
        for seat, standing in enumerate(standings(position))
    ]
