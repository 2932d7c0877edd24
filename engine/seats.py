"""Seats round a table: who follows whom, and who came first."""

from collections.abc import Sequence


def clockwise(first: int, seats: int) -> list[int]:
    """Return the seats once each, clockwise (to the left), `first` first."""
    return [(first + step) % seats for step in range(seats)]


def places_by_score(scores: Sequence[int] | Sequence[tuple[int, ...]], last: Sequence[bool] = ()) -> list[int]:
    """Return places by seat, 1 for the highest score or rank; equals share one (1, 1, 3), seats in `last` the last."""
    out = list(last) or [False] * len(scores)
    keys = [(not out[seat], 0 if out[seat] else score) for seat, score in enumerate(scores)]
    return [1 + sum(other > key for other in keys) for key in keys]
