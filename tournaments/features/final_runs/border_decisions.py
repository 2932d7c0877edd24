"""Whether a table decides which places are above a border: every pair across it is checked.

A pair is decided when the upper one is surely ahead (`ratings.surely_ahead`), by the same errors from which the
table's own probabilities come: the run looks after every set, so an interval for one look would err too often. A border
is decided when all its pairs are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from math import hypot
from statistics import NormalDist

from tournaments.ratings.surely_ahead import lead_needed

NORMAL = NormalDist()
MOST = 1000  # pairs of a border that are looked at: those next to it, while they are not told apart


@dataclass(frozen=True, slots=True)
class Line:
    """Of a table, best first. `comparable`: whether games connect it with the others."""

    elo: float
    sd: float
    comparable: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """Two places, from 1, on both sides of a border. `likely`: that the upper one is better, by one look; None where no
    games connect the two. `reached`: its lead, as a share of that which would be sure."""

    above: int
    below: int
    likely: float | None
    reached: float = -1.0


@dataclass(frozen=True, slots=True)
class Border:
    """After a place. `least`: the least sure of the pairs looked at; None where nobody is below."""

    after: int
    least: Pair | None
    unsure: Sequence[Pair]  # the least sure first; of a large field those next to the border

    @property
    def decided(self) -> bool:
        return not self.unsure


def border_of(lines: Sequence[Line], after: int) -> Border:
    """Return the border after place `after` of a table in order of rating."""
    candidates = chain(_strangers(lines, after), _near(lines, after))
    pairs = sorted(islice(candidates, MOST), key=_sureness)
    unsure = [pair for pair in pairs if pair.reached < 1]
    return Border(after, pairs[0] if pairs else None, unsure)


def _sureness(pair: Pair) -> tuple[float, int, int]:
    return pair.reached, -pair.above, pair.below


def _strangers(lines: Sequence[Line], after: int) -> Iterator[Pair]:
    """Pairs that no games connect."""
    strange = {place for place, line in enumerate(lines, 1) if not line.comparable}
    beneath = range(after + 1, len(lines) + 1)
    strange_beneath = sorted(strange.intersection(beneath))
    for above in range(1, min(after, len(lines)) + 1):
        for below in beneath if above in strange else strange_beneath:
            yield Pair(above, below, None)


def _near(lines: Sequence[Line], after: int) -> Iterator[Pair]:
    """Yield comparable pairs that are not told apart, and the least sure, from the border outwards.

    The search goes no further than such pairs can be.
    """
    comparable = [place for place in range(1, len(lines) + 1) if lines[place - 1].comparable]
    beneath = [place for place in comparable if place > after]
    widest = max((lines[place - 1].sd for place in beneath), default=0.0)
    least = float("inf")
    for above in reversed([place for place in comparable if place <= after]):
        upper = lines[above - 1]
        for below in beneath:
            lower = lines[below - 1]
            lead = upper.elo - lower.elo
            if lead > max(1.0, least) * lead_needed(hypot(upper.sd, widest)):
                break  # whoever is further down is surer still
            error = hypot(upper.sd, lower.sd)
            reached = lead / lead_needed(error)
            if reached < max(1.0, least):
                least = min(least, reached)
                yield Pair(above, below, NORMAL.cdf(lead / error), reached)
