"""Cycles of three: A beats B, B beats C and C beats A.

One beats another if it took more than half, beyond 1.645 standard errors. On a line at least one of the three is luck,
so the largest of their three chances bounds that of the cycle, whatever the ratings are (Berger 1982).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from tournaments.ratings.cells import UNIT
from tournaments.ratings.strays import Stray

BEATS = NormalDist().inv_cdf(0.95)  # standard errors over half
SHOWN = 10  # of each kind
NORMAL = NormalDist()
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cycle:
    """Each beats the next, and the last the first; the smallest id comes first."""

    versions: tuple[int, int, int]
    shares: tuple[float, float, float]  # what each took from the next
    chance: float  # corrected for the number of triples and both directions


def short(chance: float) -> float:
    """Three digits: the last ones of a tail differ between machines."""
    return float(f"{chance:.3g}")


def lead_of(stray: Stray, dispersion: float) -> float:
    """Return the first one's lead over half of the games, in standard errors."""
    return stray.lead / error_of(stray, dispersion)


def error_of(stray: Stray, dispersion: float) -> float:
    """Return the standard error of a lead between equals, the largest there is."""
    return sqrt(dispersion * stray.weight / UNIT / 4)


class Beaten:
    """Who beats whom, as bits: of ten thousand pairs the cycles are counted in milliseconds."""

    def __init__(self, pairs: Sequence[Pair] = ()) -> None:
        self.ids = sorted({version for pair in pairs for version in pair})
        self.at = {version: position for position, version in enumerate(self.ids)}
        self.beats, self.loses = [0] * len(self.ids), [0] * len(self.ids)

    def add(self, winner: int, loser: int) -> None:
        self.beats[self.at[winner]] |= 1 << self.at[loser]
        self.loses[self.at[loser]] |= 1 << self.at[winner]

    def between(self, winner: int, loser: int) -> int:
        """Return those whom the loser beats and who beat the winner, as bits."""
        return self.beats[self.at[loser]] & self.loses[self.at[winner]]

    def among(self, winner: int, loser: int) -> list[int]:
        """The same, as ids."""
        bits = self.between(winner, loser)
        return [version for position, version in enumerate(self.ids) if bits >> position & 1]


def triads(pairs: Sequence[Pair]) -> int:
    """The cycles of three among these, each a winner and a loser."""
    beaten = Beaten(pairs)
    for pair in pairs:
        beaten.add(*pair)
    return sum(beaten.between(*pair).bit_count() for pair in pairs) // 3


def triples_of(pairs: Collection[Pair]) -> int:
    """Count triples of which every two met enough: each is found from its first and last."""
    up = Beaten([*pairs])
    for pair in pairs:
        up.add(*pair)
    return sum((up.beats[up.at[i]] & up.loses[up.at[j]]).bit_count() for i, j in pairs)


def strongest(
    pairs: Mapping[Pair, Stray], leads: Mapping[Pair, float], beaten: Sequence[Pair], triples: int
) -> list[Cycle]:
    """Return cycles, best by the least sure of their pairs. Pairs come in one by one, the surest first: the last closes
    a cycle."""
    so_far, cycles = Beaten(beaten), list[Cycle]()
    sureness = {pair: abs(leads[_known(pair, leads)]) for pair in beaten}
    for winner, loser in sorted(beaten, key=lambda pair: (-sureness[pair], pair)):
        so_far.add(winner, loser)
        chance = short(min(1.0, 2 * triples * NORMAL.cdf(-sureness[winner, loser])))
        cycles += [_cycle((winner, loser, third), pairs, chance) for third in so_far.among(winner, loser)]
        if len(cycles) >= SHOWN:
            break
    return cycles[:SHOWN]


def _cycle(triple: tuple[int, int, int], pairs: Mapping[Pair, Stray], chance: float) -> Cycle:
    first = triple.index(min(triple))
    a, b, c = triple[first:] + triple[:first]
    return Cycle((a, b, c), (_share(pairs, a, b), _share(pairs, b, c), _share(pairs, c, a)), chance)


def _share(pairs: Mapping[Pair, Stray], first: int, second: int) -> float:
    stray = pairs[_known((first, second), pairs)]
    share = stray.taken / stray.weight
    return round(share if first < second else 1 - share, 4)


def _known(pair: Pair, pairs: Mapping[Pair, object]) -> Pair:
    """Return the pair as it is kept: the smaller id first."""
    return pair if pair in pairs else pair[::-1]
