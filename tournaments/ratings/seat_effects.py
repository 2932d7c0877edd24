"""What a seat is worth, in Elo, relative to the mean of all seats at tables of that size.

Estimated with the ratings held fixed, by Newton's method on one offset for each seat. The share of games won from a
seat is not enough: strong and weak players make it look like less than it is. In complete sets seats cancel out, and
the ratings need no correction; this is for display and for games that were not played in sets.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, fsum, sqrt
from operator import mul

from tournaments.ratings.cells import UNIT, weight_of
from tournaments.ratings.fit import Fit
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.scale import Q

STEPS = 8  # quadratic from the first: offsets are small


@dataclass(frozen=True, slots=True)
class SeatEffect:
    seat: int  # in the order of play
    elo: float
    ci95: float
    games: int


def seat_effects(sets: Iterable[RatedSet], ratings: Fit, seats: int) -> list[SeatEffect]:
    """Return the effect of each seat at tables of `seats`; [] where no match was played at one."""
    games = [game for rated_set in sets for game in rated_set.games if len(game.versions) == seats]
    if not games:
        return []
    pairs = [_against(games, ratings, a, b) for a, b in combinations(range(seats), 2)]
    offsets = [0.0] * seats
    for _ in range(STEPS):
        uphill, curvature = _slope(pairs, offsets)
        inverse = _inverse(curvature)
        offsets = [offset + fsum(map(mul, row, uphill)) for offset, row in zip(offsets, inverse, strict=True)]
    mean = fsum(offsets) / seats
    errors = [sqrt(inverse[seat][seat] - seats**-2) for seat in range(seats)]  # without the shift of all together
    return [SeatEffect(seat, (offsets[seat] - mean) / Q, CI95 * errors[seat] / Q, len(games)) for seat in range(seats)]


# two seats; of each game that both finished: how far apart by rating, and the result
Against = tuple[int, int, list[tuple[float, float]]]


def _against(games: Sequence[Game], ratings: Fit, a: int, b: int) -> Against:
    return a, b, list(_results(games, ratings, a, b))


def _results(games: Sequence[Game], ratings: Fit, a: int, b: int) -> Iterator[tuple[float, float]]:
    for game in games:
        if not (game.forfeits[a] or game.forfeits[b]):
            ahead = (game.places[a] < game.places[b]) - (game.places[a] > game.places[b])
            yield (ratings.elo[game.versions[b]] - ratings.elo[game.versions[a]]) * Q, 0.5 + ahead / 2


def _slope(pairs: Sequence[Against], offsets: Sequence[float]) -> tuple[list[float], list[list[float]]]:
    """Return gradient and curvature. A shift of all together changes nothing: 1 added to every entry fixes it."""
    seats = len(offsets)
    weight = weight_of(seats) / UNIT
    uphill = [0.0] * seats
    curvature = [[1.0] * seats for _ in range(seats)]
    for a, b, results in pairs:
        shares = [(1 / (1 + exp(offsets[b] - offsets[a] + gap)), result) for gap, result in results]
        surprise = weight * fsum(result - share for share, result in shares)
        pull = weight * fsum(share * (1 - share) for share, _ in shares)
        for seat, other, sign in ((a, b, 1), (b, a, -1)):
            uphill[seat] += sign * surprise
            curvature[seat][seat] += pull
            curvature[seat][other] -= pull
    return uphill, curvature


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a small positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [[*row, *(float(number == other) for other in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for number in range(size):
            if number != pivot:
                factor = rows[number][pivot]
                rows[number] = [value - factor * top for value, top in zip(rows[number], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
