"""What one set says about its pairs, in whole units.

A game between i and j at a table of k counts 3 / (k + 1), of which each takes its part: all for being placed ahead,
half for being level. That weight makes the curvature of the pairwise likelihood equal to the variance of a seat's
score among equals, for every k, so that tables of all sizes mix and error bars are right. In units of 1/10080 every
weight and credit of tables of 2 to 8 is a whole number, so any order of games, any split of the work and any
subtraction give the same sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import gt, lt

UNIT = 10_080  # one game between two


def weight_of(seats: int) -> int:
    """The weight of one game for each pair at the table, in units."""
    return 3 * UNIT // (seats + 1)


def games_ahead(mine: Sequence[int], others_places: Sequence[int]) -> int:
    """Return the games in which my place is the better one, less those in which it is the worse."""
    lead: int = sum(map(lt, mine, others_places)) - sum(map(gt, mine, others_places))
    return lead


@dataclass(frozen=True, slots=True)
class Cell:
    """The part of a set that its dispersion needs: of how many games, and what the first of each pair took of them."""

    versions: tuple[int, ...]  # in order
    games: int
    credits: Sequence[int]  # of each pair, in the order of `itertools.combinations`

    @property
    def weight(self) -> int:
        """Weight of all games of a pair."""
        return self.games * weight_of(len(self.versions))

    @property
    def taken(self) -> dict[int, int]:
        """Credit that each version took from all others together."""
        taken = dict.fromkeys(self.versions, 0)
        for (i, j), credit in zip(combinations(self.versions, 2), self.credits, strict=True):
            taken[i] += credit
            taken[j] += self.weight - credit
        return taken
