"""What each pair scored against each other beyond what the ratings expect: the input of `transitivity`.

Games of a set share a deal, so a pair's luck is measured between its sets: the variance about its own mean, over that
of independent games, pooled over all pairs. A clash of styles is in that mean and not in the variance.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from tournaments.ratings.cells import UNIT

FEWEST = 5  # sets together, before a pair is looked at
ENOUGH = 5.0  # information, over the pairs' dispersion: that of 20 games of two equals, if luck is independent
POOL = 20.0  # information of independent games that is mixed into the dispersion
Met = Sequence[tuple[float, float, int, int]]  # of a pair, set by set: surprise, information, units taken, of so many


@dataclass(frozen=True, slots=True)
class Stray:
    """Of one pair over all its sets, from the side of the first."""

    sets: int
    taken: int  # units
    weight: int  # units, of both together
    surprise: float  # in games, over what is expected
    information: float

    @property
    def lead(self) -> float:
        """Games over half of them."""
        return (2 * self.taken - self.weight) / UNIT / 2


@dataclass(frozen=True, slots=True)
class Strays:
    """`dispersion`: the variance of what a pair takes in a set, over that of independent games."""

    dispersion: float = 1.0
    by_pair: Mapping[tuple[int, int], Stray] = field(default_factory=dict)


def strays_of(by_pair: Mapping[tuple[int, int], Met]) -> Strays:
    """Return the strays of all pairs that met often enough to be judged."""
    dispersion = _dispersion([met for met in by_pair.values() if len(met) > 1])
    often = ((pair, met) for pair, met in by_pair.items() if len(met) >= FEWEST)
    judged = ((pair, _stray(met)) for pair, met in often)
    return Strays(dispersion, {pair: stray for pair, stray in judged if stray.information >= ENOUGH * dispersion})


def _dispersion(pairs: Sequence[Met]) -> float:
    squares, information = array("d"), array("d")
    for met in pairs:
        surprises, informations, _, _ = zip(*met, strict=True)
        total = fsum(informations)
        if total:
            mean = fsum(surprises) / total
            squares.extend((r - v * mean) ** 2 for r, v in zip(surprises, informations, strict=True))
            information.append(total - fsum(v * v for v in informations) / total)
    return (fsum(squares) + POOL) / (fsum(information) + POOL)


def _stray(met: Met) -> Stray:
    surprises, informations, taken, weights = zip(*met, strict=True)
    return Stray(len(met), sum(taken), sum(weights), fsum(surprises), fsum(informations))
