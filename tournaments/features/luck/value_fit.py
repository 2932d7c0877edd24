"""The weights that remove the most luck from a share: least squares on finished matches.

A share is explained by the bot and by luck. Each bot's mean is removed first, so that strength is not mistaken for
luck.
"""

from collections.abc import Hashable, Iterable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from engine.game import AnyGame
from engine.luck_value import MILLION, LuckValue, with_hash

RIDGE = 1e-4  # of each diagonal: a feature that never moved gets no weight, two that move alike share theirs


class Sample(NamedTuple):
    """A seat of a match: its bot, its share, and the sum over all rolls of each feature's surprise."""

    bot: Hashable
    share: float
    surprises: Sequence[float]


def fitted_luck_value(name: str, game: AnyGame, samples: Iterable[Sample]) -> LuckValue:
    """Return the value fitted on samples, in whole numbers and with its hash."""
    assert game.luck
    weights = [round(MILLION * weight) for weight in weights_of(samples)]
    return with_hash(LuckValue(name, game.name, list(game.luck.features), weights))


def weights_of(samples: Iterable[Sample]) -> list[float]:
    """Return, by feature, what it is worth in shares."""
    rows = _centred(samples)
    size = len(rows[0][1]) if rows else 0
    moments = [[fsum(x[i] * x[j] for _, x in rows) for j in range(size)] for i in range(size)]
    scale = [sqrt(moments[i][i]) or 1.0 for i in range(size)]
    matrix = [[moments[i][j] / scale[i] / scale[j] + RIDGE * (i == j) for j in range(size)] for i in range(size)]
    right = [fsum(y * x[i] for y, x in rows) / scale[i] for i in range(size)]
    return [weight / scale[i] for i, weight in enumerate(_solved(matrix, right))]


def _centred(samples: Iterable[Sample]) -> list[tuple[float, list[float]]]:
    by_bot: dict[Hashable, list[Sample]] = {}
    for sample in samples:
        by_bot.setdefault(sample.bot, []).append(sample)
    rows = []
    for played in by_bot.values():
        share = fsum(sample.share for sample in played) / len(played)
        means = [fsum(column) / len(played) for column in zip(*(sample.surprises for sample in played), strict=True)]
        rows += [(s.share - share, [x - mean for x, mean in zip(s.surprises, means, strict=True)]) for s in played]
    return rows


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution, by Gauss. The matrix is positive definite, so no row has to be moved."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[i:] = [value - factor * above for value, above in zip(row[i:], pivot[i:], strict=True)]
    solution: list[float] = []
    for i in reversed(range(len(rows))):
        solved_part = fsum(a * b for a, b in zip(rows[i][i + 1 : -1], reversed(solution), strict=True))
        solution.append((rows[i][-1] - solved_part) / rows[i][i])
    return solution[::-1]
