"""A simulated ladder of honest bots, one owner each, and of what a cheat's owner entered; the truth is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean

from engine.dice import Dice
from tests.tournaments.ratings.world import one_set
from tournaments.ledger.matchmaking.pairing import Candidate, wave
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import part
from tournaments.ratings.scale import START

SEATS, HONEST, GAMES, DEAL = 4, 20, 60, 0.5
CHEAT = 1000  # its first version; clones and puppets follow
HELP = 100.0  # Elo that a bot gains at a table where a puppet plays for it
FITTED = 4  # waves between two fits
THROWN = 1000.0  # and that the puppet loses there


@dataclass
class World:
    """A ladder of honest bots and of what the cheat's owner entered: version by strength, with their forerunners."""

    seed: str
    cheats: dict[int, float]
    owners_apart: bool = True
    puppets: bool = False
    forerunners: dict[int, int | None] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    judge: Callable[[RatedSet], RatedSet | None] = lambda of_it: of_it  # what is rated of a set
    fresh: int | None = None  # sets from which on a version that plays again counts; None: it goes on as it was

    def __post_init__(self) -> None:
        self.draw = Random(self.seed)
        self.elos = {bot: self.draw.gauss(START, 200) for bot in range(HONEST)} | self.cheats
        self.pairs, self.ratings, self.number = Pairs(), Fit(), 0
        self.last = dict.fromkeys(self.elos, 0)
        self.games = dict.fromkeys(self.elos, 0)

    def play(self, games: float) -> None:
        """Waves of half of the bots, fitted now and then, until so many more games are played by each."""
        target, waves = self.number + games * (len(self.elos) - len(self.away)) / SEATS**2, 0
        while self.number < target:
            for table in self._wave():
                self._add(table)
            waves += 1
            if waves % FITTED == 0:
                self.refit()
        self.refit()

    def play_to(self, version: int, games: int) -> None:
        """Waves until the version has played so many games, and a fit."""
        while self.games[version] < games:
            for table in self._wave():
                self._add(table)
        self.refit()

    def refit(self) -> None:
        older = dict.fromkeys(self.elos) | self.forerunners
        playing = self.elos.keys() - self.away
        self.ratings = part(self.pairs, older, playing, self.fresh).fit(start=self.ratings)

    def _wave(self) -> list[list[int]]:
        present = [bot for bot in self.elos if bot not in self.away]
        unsure = self.ratings.chance_sd
        crowd = [
            Candidate(bot, min(bot, CHEAT), self.elo_of(bot), unsure.get(bot, 350.0), 0, self.last[bot])
            for bot in present
        ]
        dice = Dice.of(f"{self.seed} {self.number}")
        return wave(crowd, SEATS, max(1, len(present) // SEATS // 2), dice, most=1 if self.owners_apart else SEATS)

    def elo_of(self, bot: int) -> float:
        return self.ratings.elo.get(bot, START)

    def _add(self, table: Sequence[int]) -> None:
        self.number += 1
        self.last.update(dict.fromkeys(table, self.number))
        played = self.judge(one_set(self.strengths(table), self.number, table, self.draw, DEAL))
        if played:
            self.pairs.add(played)
            for bot in table:
                self.games[bot] += SEATS

    def strengths(self, table: Sequence[int]) -> dict[int, float]:
        """Puppets throw their games where they sit with the cheat, and play for it."""
        elos = {bot: self.elos[bot] for bot in table}
        if self.puppets and CHEAT in table and (mine := [bot for bot in table if bot > CHEAT]):
            elos |= {bot: elos[bot] - THROWN for bot in mine}
            elos[CHEAT] += HELP * len(mine)
        return elos

    def gain(self, version: int = CHEAT) -> float:
        """The published rating less the truth, by the honest ones."""
        shift = fmean([self.elos[bot] - self.elo_of(bot) for bot in range(HONEST)])
        return self.elo_of(version) + shift - self.elos[version]
