"""The claims: `python3 -m tests.ratings.claims --seed N` prints the tables of docs/measurements/ratings.md.

Every module here but this and `__main__` has `def claim(seed: int) -> list[Row]`, which takes a few minutes at most.
What is claimed was found in other worlds, and partly by rules of before. So it stays beside what these seeds show, and
the command fails only by what we state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what is claimed, and what these seeds show."""

    name: str
    claimed: str
    measured: str  # with ±, two standard errors of the simulation, where it is a mean
    holds: bool = True  # what is stated
    agrees: bool = True  # with what is claimed, as far as these many worlds can tell
    stated: str = ""  # of any seed, where that is not what is claimed, or why nothing is

    @property
    def mark(self) -> str:
        return "FAILS" if not self.holds else "" if self.agrees else "DIFFERS"


def agrees(values: Sequence[float], low: float, high: float) -> bool:
    """Return whether the mean is between two numbers, give or take two standard errors."""
    wide = 2 * stdev(values) / sqrt(len(values))
    return low - wide <= fmean(values) <= high + wide
