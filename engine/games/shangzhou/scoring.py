"""The score people see, and the finer ranking that tells equal scores apart."""

from typing import Final

from engine.core import Seat
from engine.games.shangzhou.control import Standing, standings
from engine.games.shangzhou.position import Position

WON: Final = 100  # points for a winner: more than there are sectors
WIDE: Final = 10**6  # no count of nodes, Clout or agents is as large


def scores(at: Position) -> list[int]:
    """Exclusive sectors, and 100 more for a winner."""
    return [score_of(at, seat, its) for seat, its in enumerate(standings(at))]


def score_of(at: Position, seat: Seat, its: Standing) -> int:
    return its.sectors + WON * (seat in at.winners)


def ranking(at: Position) -> list[int]:
    """Equal scores are told apart by exclusive Critical Nodes, then Clout, then agents."""
    return [
        ((score_of(at, seat, its) * WIDE + its.nodes) * WIDE + its.clout) * WIDE + its.agents
        for seat, its in enumerate(standings(at))
    ]
