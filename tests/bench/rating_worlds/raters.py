"""Those that ours are measured beside: openskill, trueskill and glicko2 with their own defaults, and plain Elo with
K = 16, the best constant. Each rates every game as it comes.
"""

from collections.abc import Iterable
from itertools import combinations
from math import log, pi, sqrt

import trueskill
from glicko2.math import rating_to_mu, rd_to_phi, update_rating
from openskill.models import PlackettLuce, PlackettLuceRating

from tournaments.ratings.ledger import Game
from tournaments.ratings.scale import Q


class Rater:
    """One of those who rate game by game: ratings by bot, the higher the better, and their errors if it has any."""

    def __init__(self) -> None:
        self.of: dict[int, float] = {}
        self.error: dict[int, float] = {}

    def elo_each(self, seats: int) -> float:  # noqa: ARG002  for one of them at least
        """Elo in one point of its own, where ratings are sure and bots alike."""
        return 1.0

    def rate(self, game: Game) -> None:
        raise NotImplementedError

    def rate_all(self, games: Iterable[Game]) -> None:
        for game in games:
            self.rate(game)


class Elo(Rater):
    def rate(self, game: Game) -> None:
        before = [self.of.get(version, 1500.0) for version in game.versions]
        for (a, first), (b, other) in combinations(enumerate(game.versions), 2):
            score = 0.5 + (game.places[a] < game.places[b]) / 2 - (game.places[a] > game.places[b]) / 2
            won = 16 / (len(before) - 1) * (score - 1 / (1 + 10 ** ((before[b] - before[a]) / 400)))
            self.of[first] = self.of.get(first, 1500.0) + won
            self.of[other] = self.of.get(other, 1500.0) - won


class OpenSkill(Rater):
    def __init__(self) -> None:
        super().__init__()
        self.model = PlackettLuce()
        self.players = dict[int, list[PlackettLuceRating]]()

    def rate(self, game: Game) -> None:
        teams = [self.players.setdefault(version, [self.model.rating()]) for version in game.versions]
        for version, team in zip(game.versions, self.model.rate(teams, ranks=[*map(float, game.places)]), strict=True):
            self.players[version] = team
            self.of[version], self.error[version] = team[0].mu, team[0].sigma

    def elo_each(self, seats: int) -> float:
        """It plays exp(mu / c), with c the root of the sum of beta²."""
        return 1 / (sqrt(seats) * self.model.beta * Q)


class TrueSkill(Rater):
    def __init__(self) -> None:
        super().__init__()
        self.environment = trueskill.TrueSkill(draw_probability=0.001)
        self.players = dict[int, tuple[trueskill.Rating, ...]]()

    def rate(self, game: Game) -> None:
        teams = [self.players.setdefault(version, (self.environment.create_rating(),)) for version in game.versions]
        for version, team in zip(game.versions, self.environment.rate(teams, ranks=game.places), strict=True):
            self.players[version] = team
            self.of[version], self.error[version] = team[0].mu, team[0].sigma

    def elo_each(self, seats: int) -> float:  # noqa: ARG002
        """The normal law with the slope of the logistic one at 0."""
        beta = float(self.environment.beta)
        return 4 / (sqrt(2 * pi) * Q * sqrt(2) * beta)


class Glicko2(Rater):
    """Each game as a rating period of its pairs."""

    def __init__(self) -> None:
        super().__init__()
        self.players = dict[int, tuple[float, float, float]]()

    def rate(self, game: Game) -> None:
        unknown = (rating_to_mu(1500), rd_to_phi(350), 0.06)
        table = [self.players.get(version, unknown) for version in game.versions]
        for version, place, mine in zip(game.versions, game.places, table, strict=True):
            opponents = [
                (mu, phi, 0.5 + (place < other) / 2 - (place > other) / 2)
                for (mu, phi, _), other, name in zip(table, game.places, game.versions, strict=True)
                if name != version
            ]
            after = update_rating(*mine, opponents)
            self.players[version] = (after.mu, after.phi, after.sigma)
            self.of[version], self.error[version] = after.mu, after.phi

    def elo_each(self, seats: int) -> float:  # noqa: ARG002
        return 400 / log(10)


PEERS: dict[str, type[Rater]] = {"Elo, K 16": Elo, "openskill": OpenSkill, "trueskill": TrueSkill, "glicko2": Glicko2}
