"""Zaibatsu's exact solver beside scipy's mixed-integer solver on the same conglomerates."""

import random
import statistics
import time
from collections.abc import Callable

from engine.games.zaibatsu import COMPANIES, best
from tests.bench import Row
from tests.games.test_zaibatsu_scoring import by_linear_programming

SIZES = (8, 16, 24, 32, 40)
HOLDINGS = 40


def run() -> list[Row]:
    return [row(size) for size in SIZES]


def row(size: int) -> Row:
    draw = random.Random(size)
    holdings = [draw.sample([company.id for company in COMPANIES], size) for _ in range(HOLDINGS)]
    times = [
        (milliseconds(lambda cards: best(cards).score, h), milliseconds(by_linear_programming, h)) for h in holdings
    ]
    if any(mine != other for (_, mine), (_, other) in times):
        raise AssertionError("the two solvers disagree")
    ours, peer = (statistics.median(side[0] for side in sides) for sides in zip(*times, strict=True))
    how = f"median of {HOLDINGS} random holdings of {size} cards, each new to the solver"
    return Row(f"Best operation, {size} cards", ours, "ms", "scipy.optimize.milp", peer, peer / ours, ">= 4", how)


def milliseconds(solve: Callable[[list[str]], int], cards: list[str]) -> tuple[float, int]:
    start = time.process_time()
    score = solve(cards)
    return 1000 * (time.process_time() - start), score
