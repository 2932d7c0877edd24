"""How many cycles luck causes: counted in ladders simulated from the ratings, with the same tables."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b, shake_128
from math import sqrt
from statistics import NormalDist
from struct import unpack

from tournaments.ratings.cycles import BEATS, Pair, error_of, triads
from tournaments.ratings.strays import Stray

LADDERS = 199  # drawn from the ratings


def drawn_counts(pairs: Mapping[Pair, Stray], dispersion: float) -> list[int]:
    """Return how many cycles each ladder has that is drawn from the ratings, on the same tables."""
    bounds = [_bounds(stray, dispersion) for stray in pairs.values()]
    results = [(*pair, stray.taken, stray.weight) for pair, stray in pairs.items()]
    seed = blake2b(repr(results).encode(), digest_size=32).digest()
    return [triads(list(_outcomes([*pairs], bounds, seed, number))) for number in range(LADDERS)]


def _bounds(stray: Stray, dispersion: float) -> tuple[int, int]:
    """Return two bounds of 2**32 draws: below the first the second one beats, from the second on the first one."""
    luck = NormalDist(stray.lead - stray.surprise, sqrt(dispersion * stray.information))
    over = BEATS * error_of(stray, dispersion)
    return round(luck.cdf(-over) * 2**32), round(luck.cdf(over) * 2**32)


def _outcomes(pairs: Sequence[Pair], bounds: Sequence[tuple[int, int]], seed: bytes, number: int) -> Iterator[Pair]:
    """Winner and loser, where one beats the other. One hash makes all draws of a ladder."""
    hashed = shake_128(seed + number.to_bytes(4, "big")).digest(4 * len(pairs))
    for pair, (low, high), drawn in zip(pairs, bounds, unpack(f">{len(pairs)}I", hashed), strict=True):
        if drawn < low:
            yield pair[::-1]
        elif drawn >= high:
            yield pair
