"""Ratings of a few bots from sets between them, on Elo's scale, with 95 % intervals: for play at home.

As on the site, a game between two at a table of k counts 3 / (k + 1), which makes the curvature of the likelihood that
of a seat's score among equals. A prior holds all about their mean, so that who won every game has a rating too. How
much luck is in sets is measured (`spread_of`): duplicate deals make it less than in independent games.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Q = math.log(10) / 400  # natural units in one Elo
PRIOR_SD = 350.0  # Elo by which bots lie about their mean
SURE = 1.96  # standard deviations: 95 %
SUPPOSED = 4  # sets of independent games, beside those played
OPEN = 0.36  # of the variance among equals: one of two is expected to take at most 90 %
STEPS, NEAR = 200, 1e-10


@dataclass(frozen=True, slots=True)
class RatedSet:
    """Who met, by number, how many games each pair played, and what the first of each pair took of them."""

    bots: tuple[int, ...]
    games: int
    taken: Mapping[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Rating:
    """Over the mean of all who are rated together."""

    elo: float
    low: float
    high: float


def set_of(games: Sequence[tuple[Sequence[int], Sequence[int]]]) -> RatedSet:
    """Return a set from its games, each given as the bots by seat and the places."""
    bots = tuple(sorted(games[0][0]))
    taken = dict.fromkeys(combinations(bots, 2), 0.0)
    for seats, places in games:
        place = dict(zip(seats, places, strict=True))
        for first, second in taken:
            taken[first, second] += 0.5 + (place[first] < place[second]) / 2 - (place[first] > place[second]) / 2
    return RatedSet(bots, len(games), taken)


def ratings(bots: int, sets: Sequence[RatedSet]) -> list[Rating]:
    """Return the ratings by the bot's number. A bot that did not play stands at the mean, with the prior's interval."""
    natural = fitted(bots, sets)
    inverse = inverted(curvature(bots, sets, natural))
    spread = spread_of(sets, natural)
    result = []
    for bot, value in enumerate(natural):
        half = SURE * math.sqrt(spread * centred(inverse, bot)) / Q
        elo = (value - sum(natural) / bots) / Q
        result.append(Rating(elo, elo - half, elo + half))
    return result


def neighbour_steps(bots: int, sets: Sequence[RatedSet]) -> list[Rating]:
    """How far each bot but the first is ahead of the one numbered before it."""
    natural = fitted(bots, sets)
    inverse = inverted(curvature(bots, sets, natural))
    spread, result = spread_of(sets, natural), []
    for bot in range(1, bots):
        variance = inverse[bot][bot] + inverse[bot - 1][bot - 1] - 2 * inverse[bot][bot - 1]
        half = SURE * math.sqrt(spread * variance) / Q
        elo = (natural[bot] - natural[bot - 1]) / Q
        result.append(Rating(elo, elo - half, elo + half))
    return result


def fitted(bots: int, sets: Sequence[RatedSet]) -> list[float]:
    """The maximum, by Newton's steps, none of them longer than a unit."""
    natural = [0.0] * bots
    for _ in range(STEPS):
        inverse = inverted(curvature(bots, sets, natural))
        slope = slope_of(sets, natural)
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in inverse]
        longest = max(map(abs, step))
        natural = [value + part / max(1.0, longest) for value, part in zip(natural, step, strict=True)]
        if longest < NEAR:
            break
    return natural


def expected_share(natural: Sequence[float], first: int, second: int) -> float:
    return 1 / (1 + math.exp(natural[second] - natural[first]))


def weight(rated_set: RatedSet) -> float:
    return 3 / (len(rated_set.bots) + 1)


def rating_surprises(rated_set: RatedSet, natural: Sequence[float]) -> tuple[dict[int, float], dict[int, float]]:
    """Return for each bot what it took over what was expected, and the variance of that in independent games."""
    more, variance = dict.fromkeys(rated_set.bots, 0.0), dict.fromkeys(rated_set.bots, 0.0)
    for (first, second), taken in rated_set.taken.items():
        share = expected_share(natural, first, second)
        surprise = weight(rated_set) * (taken - rated_set.games * share)
        for bot, sign in ((first, 1), (second, -1)):
            more[bot] += sign * surprise
            variance[bot] += weight(rated_set) * rated_set.games * share * (1 - share)
    return more, variance


def slope_of(sets: Sequence[RatedSet], natural: Sequence[float]) -> list[float]:
    slope = [-value / (PRIOR_SD * Q) ** 2 for value in natural]
    for rated_set in sets:
        for bot, more in rating_surprises(rated_set, natural)[0].items():
            slope[bot] += more
    return slope


def curvature(bots: int, sets: Sequence[RatedSet], natural: Sequence[float]) -> list[list[float]]:
    rows = [[(PRIOR_SD * Q) ** -2 * (row == column) for column in range(bots)] for row in range(bots)]
    for rated_set in sets:
        for first, second in rated_set.taken:
            share = expected_share(natural, first, second)
            part = weight(rated_set) * rated_set.games * share * (1 - share)
            for row, column, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
                rows[row][column] += sign * part
    return rows


def spread_of(sets: Sequence[RatedSet], natural: Sequence[float]) -> float:
    """How far sets stray from what is expected, as a part of what independent games would: 1 for as far.

    Where the end was as good as certain there is nothing to see of it.
    """
    strayed = [1.0] * SUPPOSED
    for rated_set in sets:
        more, variance = rating_surprises(rated_set, natural)
        most = weight(rated_set) * rated_set.games * (len(rated_set.bots) - 1) / 4
        open_ones = [bot for bot in rated_set.bots if variance[bot] > OPEN * most]
        if open_ones:
            strayed.append(sum(more[bot] ** 2 / variance[bot] for bot in open_ones) / len(open_ones))
    return sum(strayed) / len(strayed)


def centred(inverse: Sequence[Sequence[float]], bot: int) -> float:
    """The variance of a bot's rating over the mean of all."""
    bots = len(inverse)
    return inverse[bot][bot] - 2 * sum(inverse[bot]) / bots + sum(map(sum, inverse)) / bots**2


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse by Gauss and Jordan; a curvature with a prior needs no other pivots than its diagonal."""
    size = len(matrix)
    rows = [[*row, *(float(number == column) for column in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
        for number in range(size):
            if number != pivot and (factor := rows[number][pivot]):
                rows[number] = [a - factor * b for a, b in zip(rows[number], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
