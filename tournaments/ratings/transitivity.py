"""Whether a line is enough: who beats whom beyond the ratings, and who beats each other in a circle (`cycles`).

**Surprises.** What a pair took over what was expected, over its standard error (that without the fit, which only makes
it smaller); the chance of one as large, times the number of pairs still in question (Holm 1979): among all that are
said to stray none does by luck, with 95 %.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from tournaments.ratings.cells import UNIT
from tournaments.ratings.cycles import BEATS, NORMAL, SHOWN, Cycle, Pair, lead_of, short, strongest, triads, triples_of
from tournaments.ratings.drawn_cycles import LADDERS, drawn_counts
from tournaments.ratings.strays import Stray, Strays

SURE = 0.05  # a chance that is named beyond luck
MOST = 5000  # pairs that are looked at for cycles, those with the most information


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
    """Return the transitivity of the versions that are listed: a pure function of the ledger, to the byte."""
    versions = {*listed}
    judged = {pair: stray for pair, stray in sorted(strays.by_pair.items()) if versions.issuperset(pair)}
    surprises = _surprises(judged, strays.dispersion)
    most = sorted(sorted(judged, key=lambda pair: -judged[pair].information)[:MOST])
    pairs = {pair: judged[pair] for pair in most}
    leads = {pair: lead_of(stray, strays.dispersion) for pair, stray in pairs.items()}
    beaten = [pair if lead > 0 else pair[::-1] for pair, lead in leads.items() if abs(lead) > BEATS]
    cycles, drawn = triads(beaten), drawn_counts(pairs, strays.dispersion)
    triples = triples_of(pairs)
    return Transitivity(
        pairs=len(judged),
        straying=sum(surprise.chance < SURE for surprise in surprises),
        surprises=surprises[:SHOWN],
        triples=triples,
        cycles=cycles,
        by_chance=round(fsum(drawn) / LADDERS, 2),
        as_many=(1 + sum(number >= cycles for number in drawn)) / (1 + LADDERS),
        strongest=strongest(pairs, leads, beaten, triples),
    )


def _surprises(pairs: Mapping[Pair, Stray], dispersion: float) -> list[Surprise]:
    scored = sorted(
        (-abs(stray.surprise) / sqrt(dispersion * stray.information), pair) for pair, stray in pairs.items()
    )
    surprises, least = [], 0.0
    for rank, (z, pair) in enumerate(scored):
        least = max(least, min(1.0, (len(scored) - rank) * 2 * NORMAL.cdf(z)))
        surprises.append(_surprise(pair, pairs[pair], least))
    return surprises


def _surprise(pair: Pair, stray: Stray, chance: float) -> Surprise:
    (winner, loser), games = (pair if stray.surprise > 0 else pair[::-1]), stray.weight / UNIT
    share = stray.taken / stray.weight
    expected = share - stray.surprise / games
    taken, expected = (share, expected) if stray.surprise > 0 else (1 - share, 1 - expected)
    return Surprise(winner, loser, stray.sets, round(taken, 4), round(expected, 4), short(chance))
