"""How often the gate errs, and how many sets it takes.

    python3 -m tests.tournaments.ratings.gate_errors [--trials N] [--seed S]

The world is that of `tests.tournaments.ratings.world`: strength plus Gumbel luck, of which a share, rho, lies in the
deal. Who finishes ahead of whom depends on these two alone there, so the others at the table are not drawn.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from statistics import fmean, quantiles

from bots.sequential_test import NAMED, SequentialTest, judged
from tests.tournaments.ratings.world import Q, luck_of_deal
from tournaments.ledger.matchmaking.pairing import seat_rotations

SEATS, DEALS, TRUE = (2, 3, 4, 6), (0.0, 0.5, 0.8), (-30.0, 0.0, 15.0, 30.0, 60.0)


@dataclass(frozen=True, slots=True)
class Cell:
    """What became of some trials."""

    accepted: float
    sets: list[int]

    @property
    def error(self) -> float:
        """The standard error of the share that was accepted."""
        return math.sqrt(self.accepted * (1 - self.accepted) / len(self.sets))

    @property
    def mean(self) -> float:
        return fmean(self.sets)

    @property
    def most(self) -> float:
        """95 % of the trials take no more sets."""
        return quantiles(self.sets, n=20)[-1]

    def __str__(self) -> str:
        return f"{self.accepted:.3f} ±{self.error:.3f}, {self.mean:.0f} [{self.most:.0f}]"


def shares(elo: float, seats: int, deal: float, draw: Random) -> Iterator[float]:
    """Yield what the second, so much stronger, takes from the first in one set after the other."""
    play, lead = math.sqrt(1 - deal), Q * elo
    while True:
        dealt = [luck_of_deal(draw, deal) for _ in range(seats)]
        yield fmean(lead + dealt[new] - dealt[old] + play * logistic(draw) > 0 for new, old in seatings(seats, draw))


def seatings(seats: int, draw: Random) -> list[tuple[int, int]]:
    """The places of the two in each game of a set."""
    order = draw.sample(range(seats), seats)
    return [(table.index(0), table.index(1)) for table in seat_rotations(order)]


def logistic(draw: Random) -> float:
    """The difference of two draws of Gumbel's luck."""
    drawn = draw.random()
    return math.log(drawn / (1 - drawn))


def cell(test: SequentialTest, elo: float, seats: int, deal: float, trials: int, seed: object = 0) -> Cell:
    done = [
        judged(shares(elo, seats, deal, Random(f"{seed} {elo} {seats} {deal} {number}")), seats, test)
        for number in range(trials)
    ]
    return Cell(fmean(trial.accepted is True for trial in done), [trial.sets for trial in done])


def table(test: SequentialTest, true: Sequence[float], trials: int, seed: int) -> Iterator[str]:
    yield "| players | rho | " + " | ".join(f"true {elo:+.0f}" for elo in true) + " |"
    yield "|---" * (len(true) + 2) + "|"
    for seats, deal in product(SEATS, DEALS):
        cells = [cell(test, elo, seats, deal, trials, seed) for elo in true]
        yield f"| {seats} | {deal:g} | " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.tournaments.ratings.gate_errors", description=__doc__)
    parser.add_argument("--test", choices=NAMED, default="gain")
    parser.add_argument("--trials", type=int, default=1500, help="of each kind (default 1500)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for line in table(NAMED[options.test], TRUE, options.trials, options.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
