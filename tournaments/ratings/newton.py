"""The maximum of the penalised likelihood, by Newton's method with conjugate gradients (Jacobi's
preconditioner).

    maximise  sum over pairs of x ln p + (w - x) ln (1 - p),  p = 1 / (1 + exp(t_j - t_i))
              - sum over versions of prior * t**2 / 2  - sum over links of link * (t_new - t_old)**2 / 2
    where w is the weight of a pair's games and x what i took of it

It is Bradley and Terry's model (Biometrika 1952) with a tie as half a win each, on the logistic scale of Elo. The
Hessian is an M-matrix, diagonally dominant by the prior: one maximum, always finite, found from anywhere.

Every sum is exact before it is rounded once (`math.fsum`). So neither the order of games nor that of names can
change a bit. Versions with as many rivals stand together (`sparse`): what each takes from each goes through a few calls
for all of them.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from math import exp, fsum
from operator import add, mul, sub, truediv

from tournaments.ratings.likelihood import Problem, Slope
from tournaments.ratings.sparse import Block, Lines

STEPS = 1000  # many more than are ever needed
LONGEST = 1.0  # natural units in one step: Newton's steps may overshoot where the curve is flat
TOLERANCE = 1e-4  # of the solution for a step, relative
SHOWN = 1e-8  # of one that is shown: its last digit is not to hang on where a search ended
SMALL = 1e-5  # a step that ends the search: the error is TOLERANCE of it, far less than is ever shown


class Layout:
    """A problem, laid out once for all the places at which its slope is wanted, and for the steps from there."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rivals = Lines(problem.rivals)
        self.weights = self.rivals.matrix(problem.weights)
        columns = [[*rivals, *kin] for rivals, kin in zip(problem.rivals, problem.kin, strict=True)]
        self.neighbours = Lines(columns) if any(problem.kin) else self.rivals

    def slope(self, point: Sequence[float]) -> Slope:
        problem = self.problem
        expected, pulls = self._games([exp(t) for t in point])
        links = [
            [-problem.link * (value - point[j]) for j in kin] for value, kin in zip(point, problem.kin, strict=True)
        ]
        for pulled, kin in zip(pulls, problem.kin, strict=True):
            pulled.extend([problem.link] * len(kin))
        uphill = [
            fsum([taken, -expectation, -prior * value, *held])
            for taken, expectation, prior, value, held in zip(
                problem.taken, expected, problem.prior, point, links, strict=True
            )
        ]
        diagonal = [fsum(pulled) + prior for pulled, prior in zip(pulls, problem.prior, strict=True)]
        return Slope(uphill, diagonal, pulls)

    def _games(self, odds: Sequence[float]) -> tuple[list[float], list[list[float]]]:
        """Return what each version is expected to take, and its pulls on its rivals."""
        ordered = self.rivals.ordered(odds)
        expected: list[float] = []
        pulls: list[list[float]] = []
        for block, weights in zip(self.rivals.blocks, self.weights, strict=True):
            mine = ordered[len(expected) : len(expected) + len(block.lines)]
            taken, pulled = _of_block(block, weights, mine, block.values(ordered))
            expected += taken
            pulls += pulled
        return self.rivals.restored(expected), self.rivals.restored(pulls)


def _of_block(
    block: Block, weights: Sequence[float], odds: Sequence[float], rivals_odds: Sequence[float]
) -> tuple[Iterable[float], Iterable[list[float]]]:
    repeated = list(chain.from_iterable(map(repeat, odds, repeat(block.width))))
    totals = list(map(add, repeated, rivals_odds))
    parts = list(map(truediv, weights, totals))  # w / (mine + theirs): p is mine times it
    pulls = map(mul, map(mul, repeated, parts), map(truediv, rivals_odds, totals))
    return map(mul, odds, map(fsum, block.by_line(parts))), map(list, block.by_line(pulls))


def solve(layout: Layout, start: Sequence[float], *, small: float = SMALL) -> list[float]:
    """Return where the maximum is, from any start; a step smaller than `small` is the last."""
    point = list(start)
    for _ in range(STEPS):
        step = newton_step(layout, layout.slope(point))
        size = max(map(abs, step), default=0.0)
        shorter = min(1.0, LONGEST / size) if size else 1.0
        point = [t + shorter * s for t, s in zip(point, step, strict=True)]
        if size < small:
            return point
    raise ArithmeticError(f"No maximum was found in {STEPS} steps; the last was {size}.")


def newton_step(layout: Layout, slope: Slope, tolerance: float = TOLERANCE) -> list[float]:
    """Solve `curvature * step = uphill` by conjugate gradients (Hestenes and Stiefel 1952)."""
    neighbours = layout.neighbours
    pulls, diagonal = neighbours.matrix(slope.pulls), neighbours.ordered(slope.diagonal)
    step, left = [0.0] * len(diagonal), neighbours.ordered(slope.uphill)
    scaled = _quotients(left, diagonal)
    direction, height = scaled, _dot(left, scaled)
    enough = height * tolerance**2
    while height > enough:
        curved = list(map(sub, map(mul, direction, diagonal), neighbours.times(pulls, direction)))
        far = height / _dot(direction, curved)
        step = [s + far * w for s, w in zip(step, direction, strict=True)]
        left = [r - far * b for r, b in zip(left, curved, strict=True)]
        scaled = _quotients(left, diagonal)
        before, height = height, _dot(left, scaled)
        share = height / before
        direction = [s + share * w for s, w in zip(scaled, direction, strict=True)]
    return neighbours.restored(step)


def _quotients(these: Sequence[float], those: Sequence[float]) -> list[float]:
    return list(map(truediv, these, those))


def _dot(these: Sequence[float], those: Sequence[float]) -> float:
    return fsum(map(mul, these, those))
