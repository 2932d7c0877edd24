"""The maximum of the penalised likelihood, by Newton's method with conjugate gradients (Jacobi's
preconditioner).

    maximise  sum over pairs of x ln p + (w - x) ln (1 - p),  p = 1 / (1 + exp(t_j - t_i))
              - sum over versions of prior * t**2 / 2  - sum over links of link * (t_new - t_old)**2 / 2
    where w is the weight of a pair's games and x what i took of it

It is Bradley and Terry's model (Biometrika 1952) with a tie as half a win each, on the logistic scale of Elo. The
Hessian is an M-matrix, diagonally dominant by the prior: one maximum, always finite, found from anywhere.

Every sum is exact before it is rounded once (`math.fsum`). So neither the order of games nor that of names can
change a bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum
from operator import mul, truediv

STEPS = 1000  # many more than are ever needed
LONGEST = 1.0  # natural units in one step: Newton's steps may overshoot where the curve is flat
TOLERANCE = 1e-4  # of the solution for a step, relative
SMALL = 1e-5  # a step that ends the search: the error is TOLERANCE of it, far less than is ever shown


@dataclass(frozen=True, slots=True)
class Problem:
    """Versions as positions 0, 1 ...; `kin` are forerunner and followers, at the precision `link`."""

    rivals: Sequence[Sequence[int]]
    weights: Sequence[Sequence[float]]  # beside `rivals`
    taken: Sequence[float]
    prior: Sequence[float]
    kin: Sequence[Sequence[int]]
    link: float


@dataclass(frozen=True, slots=True)
class Slope:
    """Gradient and curvature somewhere. `pulls` of a version: on its rivals by games, then on its kin."""

    uphill: list[float]
    diagonal: list[float]
    pulls: list[list[float]]


def slope(problem: Problem, at: Sequence[float]) -> Slope:
    odds = [exp(t) for t in at]
    out = Slope([], [], [])
    for i, (rivals, weights, kin) in enumerate(zip(problem.rivals, problem.weights, problem.kin, strict=True)):
        mine = odds[i]
        theirs = list(map(odds.__getitem__, rivals))
        totals = [mine + other for other in theirs]
        parts = list(map(truediv, weights, totals))  # w / (mine + other): p is mine times it
        pulls = [mine * part * share for part, share in zip(parts, map(truediv, theirs, totals), strict=True)]
        expected = mine * fsum(parts)
        held = [problem.prior[i] * at[i], *(problem.link * (at[i] - at[j]) for j in kin)]
        pulls += [problem.link] * len(kin)
        out.uphill.append(fsum([problem.taken[i], -expected, *(-pull for pull in held)]))
        out.diagonal.append(fsum(pulls) + problem.prior[i])
        out.pulls.append(pulls)
    return out


def solve(problem: Problem, start: Sequence[float], *, small: float = SMALL) -> list[float]:
    """Where the maximum is, from any start; a step smaller than `small` is the last."""
    neighbours = _neighbours(problem)
    at = list(start)
    for _ in range(STEPS):
        step = _step(slope(problem, at), neighbours)
        size = max(map(abs, step), default=0.0)
        shorter = min(1.0, LONGEST / size) if size else 1.0
        at = [t + shorter * s for t, s in zip(at, step, strict=True)]
        if size < small:
            return at
    raise ArithmeticError(f"No maximum was found in {STEPS} steps; the last was {size}.")


def newton_step(problem: Problem, here: Slope) -> list[float]:
    """The solution of `curvature * step = uphill`."""
    return _step(here, _neighbours(problem))


def _neighbours(problem: Problem) -> list[list[int]]:
    return [[*rivals, *kin] for rivals, kin in zip(problem.rivals, problem.kin, strict=True)]


def _step(here: Slope, neighbours: Sequence[Sequence[int]]) -> list[float]:
    """Conjugate gradients on `curvature * step = uphill` (Hestenes and Stiefel 1952)."""
    step, left = [0.0] * len(neighbours), here.uphill
    scaled = _quotients(left, here.diagonal)
    direction, height = scaled, _dot(left, scaled)
    enough = height * TOLERANCE**2
    while height > enough:
        curved = [
            mine * d - fsum(map(mul, pulls, map(direction.__getitem__, js)))
            for mine, d, pulls, js in zip(direction, here.diagonal, here.pulls, neighbours, strict=True)
        ]
        far = height / _dot(direction, curved)
        step = [s + far * w for s, w in zip(step, direction, strict=True)]
        left = [r - far * b for r, b in zip(left, curved, strict=True)]
        scaled = _quotients(left, here.diagonal)
        before, height = height, _dot(left, scaled)
        direction = [s + height / before * w for s, w in zip(scaled, direction, strict=True)]
    return step


def _quotients(these: Sequence[float], those: Sequence[float]) -> list[float]:
    return list(map(truediv, these, those))


def _dot(these: Sequence[float], those: Sequence[float]) -> float:
    return fsum(map(mul, these, those))
