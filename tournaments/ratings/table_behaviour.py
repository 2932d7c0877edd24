"""How versions do in each other's presence, at tables of more than two. Evidence for an organiser, never a verdict.

For each pair the sets with both at the table are looked at: what did A take, in each set, over what the ratings
expect

    from B                        a gift, if B gives it away on purpose, or a style that B cannot cope with
    from the others, B sitting by kingmaking, if B plays for A against them

`z` is the sum of these surprises over the root of the sum of their squares (Student's ratio about zero, set by set,
so that what games of a deal have in common does no harm). It can never be more than the root of the number of sets.
Tables drawn from the ratings, in which nobody favours anybody, show which z is rare: how often the largest z of
the whole ladder is at least as large.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log, sqrt
from typing import Literal

from engine.dice import Dice
from tournaments.ratings.cells import UNIT, weight_of
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q

FEWEST = 20  # sets together, before two are compared
Kind = Literal["gift", "kingmaking"]
Surprises = Mapping[tuple[Kind, int, int], Sequence[float]]  # by set; the second favours the first


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`other` seems to favour `version`, which takes `points` more of a game than expected."""

    kind: Kind
    version: int
    other: int
    sets: int
    points: float
    z: float
    false_alarms: float  # the share of ladders without favours whose largest z of the kind is as large


def suspicions(sets: Sequence[RatedSet], ratings: Fit, *, ladders: int = 100) -> list[Suspicion]:
    """Return suspicions of every pair with enough sets together, the most striking first.

    `ladders` are drawn to compare with.
    """
    seen = _surprises(sets, ratings)
    largest: dict[Kind, list[float]] = {"gift": [], "kingmaking": []}
    for number in range(ladders):
        drawn = _surprises(list(_drawn(sets, ratings, Dice.of(f"favours {number}"))), ratings)
        for kind, zs in largest.items():
            zs.append(max((_z(by_set) for (this, _, _), by_set in drawn.items() if this == kind), default=0.0))
    ordered = {kind: sorted(zs) for kind, zs in largest.items()}
    lines = [
        Suspicion(
            kind, version, other, len(by_set), fsum(by_set) / len(by_set), z := _z(by_set), _share(ordered[kind], z)
        )
        for (kind, version, other), by_set in seen.items()
    ]
    return sorted(lines, key=lambda line: (line.false_alarms, -line.z, line.kind, line.version, line.other))


def _z(by_set: Sequence[float]) -> float:
    squares = fsum(surprise**2 for surprise in by_set)
    return fsum(by_set) / sqrt(squares) if squares else 0.0


def _share(ordered: Sequence[float], z: float) -> float:
    """The share of these and one more that is as large: a share from so many draws is never zero."""
    return (len(ordered) - bisect_left(ordered, z) + 1) / (len(ordered) + 1)


def _surprises(sets: Iterable[RatedSet], ratings: Fit) -> Surprises:
    by_pair: defaultdict[tuple[Kind, int, int], list[float]] = defaultdict(list)
    for rated_set in sets:
        table = sorted(rated_set.games[0].versions)
        if len(table) > 2:
            for key, surprise in _of_set(rated_set, table, ratings):
                by_pair[key].append(surprise)
    return {key: by_set for key, by_set in by_pair.items() if len(by_set) >= FEWEST}


def _of_set(rated_set: RatedSet, table: Sequence[int], ratings: Fit) -> Iterator[tuple[tuple[Kind, int, int], float]]:
    taken = Pairs([rated_set]).taken
    weight = weight_of(len(table)) * len(rated_set.games)
    for version in table:
        over = {
            j: (taken[version][j] - weight * ratings.expects(version, j)) / UNIT / len(rated_set.games)
            for j in taken[version]
        }
        total = fsum(over.values())
        for other, surprise in over.items():
            yield ("gift", version, other), surprise
            yield ("kingmaking", version, other), total - surprise


def _drawn(sets: Iterable[RatedSet], ratings: Fit, dice: Dice) -> Iterator[RatedSet]:
    """Yield the same tables, finished by the ratings in Plackett and Luce's order: strength plus Gumbel's luck."""
    for rated_set in sets:
        games = [Game(game.versions, _places(game.versions, ratings, dice), game.forfeits) for game in rated_set.games]
        yield RatedSet(rated_set.number, games)


def _places(versions: Sequence[int], ratings: Fit, dice: Dice) -> list[int]:
    luck = [-log(-log((dice.below(1 << 32) + 0.5) / (1 << 32))) for _ in versions]
    strength = [ratings.elo[version] * Q + part for version, part in zip(versions, luck, strict=True)]
    return [1 + sum(other > mine for other in strength) for mine in strength]
