"""Whether a line is enough: who beats whom beyond the ratings, and who beats each other in a circle.

**Surprises.** What a pair took over what was expected, over its standard error (that without the fit, which only makes
it smaller); the chance of one as large, times the number of pairs still in question (Holm 1979): among all that are
said to stray none does by luck, with 95 %.

**Cycles.** One beats another if it took more than half, beyond 1.645 standard errors. A beats B, B beats C and C beats
A: on a line at least one of the three is luck, so the largest of their three chances bounds that of the cycle, whatever
the ratings are (Berger 1982). As many cycles as chance makes are counted in ladders drawn from the ratings.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, shake_128
from math import fsum, sqrt
from statistics import NormalDist
from struct import unpack

from tournaments.ratings.cells import UNIT
from tournaments.ratings.strays import Stray, Strays

SURE = 0.05  # a chance that is named beyond luck
BEATS = NormalDist().inv_cdf(0.95)  # standard errors over half
LADDERS = 199  # drawn from the ratings
MOST = 5000  # pairs that are looked at for cycles, those with the most information
SHOWN = 10  # of each kind
NORMAL = NormalDist()
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Surprise:
    """`one` took more from `other` than the ratings of both expect."""

    one: int
    other: int
    sets: int
    taken: float  # the share of `one`
    expected: float
    chance: float  # corrected for the number of pairs


@dataclass(frozen=True, slots=True)
class Cycle:
    """Each beats the next, and the last the first; the smallest id comes first."""

    versions: tuple[int, int, int]
    shares: tuple[float, float, float]  # what each took from the next
    chance: float  # corrected for the number of triples and both directions


@dataclass(frozen=True, slots=True)
class Transitivity:
    pairs: int  # that met enough to be looked at
    straying: int  # beyond luck
    surprises: Sequence[Surprise]  # the least likely first
    triples: int  # of which all three pairs met enough
    cycles: int
    by_chance: float  # cycles in a ladder drawn from the ratings, on the average
    as_many: float  # the share of drawn ladders with at least as many
    strongest: Sequence[Cycle]


def transitivity(strays: Strays, listed: Collection[int]) -> Transitivity:
    """Of the versions that are listed: a pure function of the ledger, to the byte."""
    known = {pair: stray for pair, stray in sorted(strays.by_pair.items()) if {*pair} <= {*listed}}
    surprises = _surprises(known, strays.dispersion)
    most = sorted(sorted(known, key=lambda pair: -known[pair].information)[:MOST])
    pairs = {pair: known[pair] for pair in most}
    leads = {pair: _lead(stray, strays.dispersion) for pair, stray in pairs.items()}
    beaten = [pair if lead > 0 else pair[::-1] for pair, lead in leads.items() if abs(lead) > BEATS]
    cycles, drawn = count(beaten), _drawn(pairs, strays.dispersion)
    triples = _triples(pairs)
    return Transitivity(
        pairs=len(known),
        straying=sum(one.chance < SURE for one in surprises),
        surprises=surprises[:SHOWN],
        triples=triples,
        cycles=cycles,
        by_chance=round(fsum(drawn) / LADDERS, 2),
        as_many=(1 + sum(number >= cycles for number in drawn)) / (1 + LADDERS),
        strongest=_strongest(pairs, leads, beaten, triples),
    )


def _surprises(pairs: Mapping[Pair, Stray], dispersion: float) -> list[Surprise]:
    scored = sorted(
        (-abs(stray.surprise) / sqrt(dispersion * stray.information), pair) for pair, stray in pairs.items()
    )
    found, least = [], 0.0
    for rank, (z, pair) in enumerate(scored):
        least = max(least, min(1.0, (len(scored) - rank) * 2 * NORMAL.cdf(z)))
        found.append(_surprise(pair, pairs[pair], least))
    return found


def _surprise(pair: Pair, stray: Stray, chance: float) -> Surprise:
    (one, other), games = (pair if stray.surprise > 0 else pair[::-1]), stray.weight / UNIT
    share = stray.taken / stray.weight
    expected = share - stray.surprise / games
    taken, expected = (share, expected) if stray.surprise > 0 else (1 - share, 1 - expected)
    return Surprise(one, other, stray.sets, round(taken, 4), round(expected, 4), _short(chance))


def _short(chance: float) -> float:
    """Three digits: the last ones of a tail differ between machines."""
    return float(f"{chance:.3g}")


def _lead(stray: Stray, dispersion: float) -> float:
    """Of the first over half of the games, in standard errors."""
    return stray.lead / _error(stray, dispersion)


def _error(stray: Stray, dispersion: float) -> float:
    """Of a lead between equals, the largest there is."""
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
        """Those whom the loser beats and who beat the winner, as bits."""
        return self.beats[self.at[loser]] & self.loses[self.at[winner]]

    def among(self, winner: int, loser: int) -> list[int]:
        """The same, as ids."""
        bits = self.between(winner, loser)
        return [version for position, version in enumerate(self.ids) if bits >> position & 1]


def count(pairs: Sequence[Pair]) -> int:
    """The cycles of three among these, each a winner and a loser."""
    beaten = Beaten(pairs)
    for pair in pairs:
        beaten.add(*pair)
    return sum(beaten.between(*pair).bit_count() for pair in pairs) // 3


def _triples(pairs: Collection[Pair]) -> int:
    """Of which every two met enough: each is found from its first and last."""
    up = Beaten([*pairs])
    for pair in pairs:
        up.add(*pair)
    return sum((up.beats[up.at[i]] & up.loses[up.at[j]]).bit_count() for i, j in pairs)


def _drawn(pairs: Mapping[Pair, Stray], dispersion: float) -> list[int]:
    """How many cycles each ladder has that is drawn from the ratings, on the same tables."""
    bounds = [_bounds(stray, dispersion) for stray in pairs.values()]
    told = [(*pair, stray.taken, stray.weight) for pair, stray in pairs.items()]
    seed = blake2b(repr(told).encode(), digest_size=32).digest()
    return [count(list(_outcomes([*pairs], bounds, seed, number))) for number in range(LADDERS)]


def _bounds(stray: Stray, dispersion: float) -> tuple[int, int]:
    """Of 2**32 draws: under the first the second one beats, from the second on the first one."""
    luck = NormalDist(stray.lead - stray.surprise, sqrt(dispersion * stray.information))
    over = BEATS * _error(stray, dispersion)
    return round(luck.cdf(-over) * 2**32), round(luck.cdf(over) * 2**32)


def _outcomes(pairs: Sequence[Pair], bounds: Sequence[tuple[int, int]], seed: bytes, number: int) -> Iterator[Pair]:
    """Winner and loser, where one beats the other. One hash makes all draws of a ladder."""
    hashed = shake_128(seed + number.to_bytes(4, "big")).digest(4 * len(pairs))
    for pair, (low, high), drawn in zip(pairs, bounds, unpack(f">{len(pairs)}I", hashed), strict=True):
        if drawn < low:
            yield pair[::-1]
        elif drawn >= high:
            yield pair


def _strongest(
    pairs: Mapping[Pair, Stray], leads: Mapping[Pair, float], beaten: Sequence[Pair], triples: int
) -> list[Cycle]:
    """By the least sure of their three. Pairs come in one by one, the surest first: the last one closes a cycle."""
    so_far, found = Beaten(beaten), list[Cycle]()
    sureness = {pair: abs(leads[_known(pair, leads)]) for pair in beaten}
    for winner, loser in sorted(beaten, key=lambda pair: (-sureness[pair], pair)):
        so_far.add(winner, loser)
        chance = _short(min(1.0, 2 * triples * NORMAL.cdf(-sureness[winner, loser])))
        found += [_cycle((winner, loser, third), pairs, chance) for third in so_far.among(winner, loser)]
        if len(found) >= SHOWN:
            break
    return found[:SHOWN]


def _cycle(each: tuple[int, int, int], pairs: Mapping[Pair, Stray], chance: float) -> Cycle:
    first = each.index(min(each))
    a, b, c = each[first:] + each[:first]
    return Cycle((a, b, c), (_share(pairs, a, b), _share(pairs, b, c), _share(pairs, c, a)), chance)


def _share(pairs: Mapping[Pair, Stray], one: int, other: int) -> float:
    stray = pairs[_known((one, other), pairs)]
    share = stray.taken / stray.weight
    return round(share if one < other else 1 - share, 4)


def _known(pair: Pair, pairs: Mapping[Pair, object]) -> Pair:
    """As it is kept: the smaller id first."""
    return pair if pair in pairs else pair[::-1]
