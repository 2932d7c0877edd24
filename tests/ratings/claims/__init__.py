"""The claims: `python3 -m tests.ratings.claims --seed N` prints the tables of docs/measurements/ratings.md.

Every module here but this and `__main__` has `def claim(seed: int) -> list[Row]`, which takes a few minutes at most.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what is claimed, and what these seeds show."""

    name: str
    claimed: str
    measured: str  # with ±, two standard errors of the simulation, where it is a mean
    holds: bool = True  # whether they agree as far as these many worlds can tell
