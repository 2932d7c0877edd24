"""What a game tells of a position to weigh chances by: public knowledge alone."""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from engine.core import Seat

Rows = list[list[float]]  # by seat, its features


class Outlook(NamedTuple):
    """`time`: how much of the match is over, from 0 to 1. `out`: who cannot win any more."""

    time: float
    rows: Rows
    out: AbstractSet[Seat] = frozenset()


def within(share: float) -> float:
    return max(0.0, min(1.0, share))
