"""Simulated ladders: worlds of several kinds, paired as ladders are, with the truth known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from random import Random
from statistics import fmean, median

from engine.dice import Dice
from tests.tournaments.ratings.world import one_set
from tournaments.ledger.matchmaking.pairing import Candidate, wave
from tournaments.ratings.cells import weight_of
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import START

TABLES = 4000  # by lot, of which expected results make the truth where styles clash


@dataclass(frozen=True)
class Kind:
    """Of worlds. `clash`: Elo by which each of three families gains on the next and loses to the one before, shared
    among the others at the table."""

    name: str
    seats: int = 4
    deal: float = 0.5  # share of luck
    sd: float = 200.0
    tails: bool = False  # heavy ones: Student's t with two degrees of freedom
    clash: float = 0.0
    by_lot: int = 0  # of 100 tables
    prior_sd: int = 350
    strict: bool = False  # so far apart that there is no luck: no number is the truth


BASE = Kind("base")
CLASHING = Kind("rock, paper, scissors", clash=150.0)
CLASHING_BY_LOT = Kind("rock, paper, scissors, by_lot 50", clash=150.0, by_lot=50)
KINDS = (
    BASE,
    Kind("two at a table", seats=2),
    Kind("eight at a table", seats=8),
    Kind("nearly alike: sd 50", sd=50.0),
    Kind("far apart: sd 400, prior 550", sd=400.0, prior_sd=550),
    Kind("heavy tails", sd=100.0, tails=True),
    CLASHING,
    CLASHING_BY_LOT,
    Kind("strict order", sd=200_000.0, strict=True),
)


@dataclass
class Ladder:
    kind: Kind
    seed: int
    bots: int = 40
    sets: list[RatedSet] = field(default_factory=list)
    pairs: Pairs = field(default_factory=Pairs)
    ratings: Fit = field(default_factory=Fit)

    def __post_init__(self) -> None:
        self.draw = Random(f"{self.kind.name} {self.seed}")
        self.elos = {bot: START + self.kind.sd * self._strength() for bot in range(self.bots)}
        self.last = dict.fromkeys(self.elos, 0)  # when each was paired

    def _strength(self) -> float:
        normal = self.draw.gauss(0, 1)
        return normal / sqrt(self.draw.expovariate(1)) if self.kind.tails else normal

    @property
    def games(self) -> float:
        """Games of each bot, on the average."""
        return len(self.sets) * self.kind.seats**2 / self.bots

    def play(self, games: float) -> Iterator["Ladder"]:
        """Waves of half of the bots, and a fit after each, until everybody has played so many."""
        while self.games < games:
            for table in self._wave():
                self._add(table)
            self.ratings = fit_ratings(
                self.pairs, dict.fromkeys(self.elos), prior_sd=self.kind.prior_sd, start=self.ratings
            )
            yield self

    def _wave(self) -> list[list[int]]:
        unsure = self.ratings.chance_sd
        crowd = [
            Candidate(
                bot, bot, self.ratings.elo.get(bot, START), unsure.get(bot, self.kind.prior_sd), 0, self.last[bot]
            )
            for bot in self.elos
        ]
        tables, dice = max(1, self.bots // self.kind.seats // 2), Dice.of(f"{self.seed} {len(self.sets)}")
        return wave(crowd, self.kind.seats, tables, dice, most=self.kind.seats, by_lot=self.kind.by_lot)

    def _add(self, table: Sequence[int]) -> None:
        number = len(self.sets) + 1
        self.sets.append(one_set(self.strengths(table), number, table, self.draw, self.kind.deal))
        self.pairs.add(self.sets[-1])
        self.last.update(dict.fromkeys(table, number))

    def strengths(self, table: Sequence[int]) -> dict[int, float]:
        """Strengths at this table: who sits there with its prey is stronger."""
        gains = {1: self.kind.clash, 2: -self.kind.clash}
        return {
            bot: self.elos[bot] + sum(gains.get((bot - other) % 3, 0.0) for other in table) / (len(table) - 1)
            for bot in table
        }

    @cached_property
    def truth(self) -> Mapping[int, float]:
        """The truth that a rating estimates, by results against all others; where styles clash, by expected ones."""
        if not self.kind.clash:
            return self.elos
        expected, lots = Pairs(), Random(self.seed)
        for _ in range(TABLES):
            self._expect(expected, lots.sample(sorted(self.elos), self.kind.seats))
        return fit_ratings(expected, prior_sd=1000).elo

    def _expect(self, expected: Pairs, table: Sequence[int]) -> None:
        strengths, weight = self.strengths(table), 1000 * weight_of(len(table))
        for bot in table:
            for other in table:
                if bot != other:
                    share = 1 / (1 + 10 ** ((strengths[other] - strengths[bot]) / 400))
                    mine = expected.taken[bot]
                    mine[other] = mine.get(other, 0) + round(weight * share)

    def shifted(self, elos: Mapping[int, float]) -> dict[int, float]:
        """The ratings, shifted by the mean of the distances to the truth, or the median where a few are far out."""
        middle = median if self.kind.tails or self.kind.sd > 300 else fmean
        shift = middle([self.truth[bot] - elos[bot] for bot in self.elos])
        return {bot: elos[bot] + shift for bot in self.elos}


def error(ladder: Ladder, elos: Mapping[int, float]) -> float:
    """The root of the mean square, in Elo."""
    shifted = ladder.shifted(elos)
    return sqrt(fmean([(shifted[bot] - ladder.truth[bot]) ** 2 for bot in shifted]))


def held(ladder: Ladder, elos: Mapping[int, float], half: Mapping[int, float]) -> list[bool]:
    """Whether each truth lies in its interval."""
    shifted = ladder.shifted(elos)
    return [abs(shifted[bot] - ladder.truth[bot]) <= half[bot] for bot in shifted]
