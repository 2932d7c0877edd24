"""What the penalised likelihood is made of; `tournaments.ratings.newton` has its formula and its maximum."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Versions as positions 0, 1 ...; `kin` are forerunner and followers, at the precision `link`."""

    rivals: Sequence[Sequence[int]]
    weights: Sequence[Sequence[float]]  # beside `rivals`
    taken: Sequence[float]
    prior: Sequence[float]
    kin: Sequence[Sequence[int]]
    link: float


@dataclass(frozen=True, slots=True)
class Slope:
    """Gradient and curvature somewhere. `pulls` of a version: on its rivals by games, then on its kin."""

    uphill: list[float]
    diagonal: list[float]
    pulls: list[list[float]]
