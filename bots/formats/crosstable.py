"""Who scored what against whom, updated set by set. All counts are whole numbers, so their order does not matter."""

from collections import Counter, defaultdict
from fractions import Fraction

from bots.formats.model import POINT, SetResult

Mark = Fraction | float
Marks = dict[int, Mark]  # of entrants, by one tie-break
WIN = 840  # a game won; shared with up to eight, still a whole number


class Crosstable:
    """The sets of one stage."""

    def __init__(self) -> None:
        self.points: Counter[int] = Counter()  # 1680ths
        self.sets: Counter[int] = Counter()
        self.spared: Counter[int] = Counter()  # sets not played: byes and void sets
        self.wins: Counter[int] = Counter()  # 840ths of a game
        self.margin: Counter[int] = Counter()
        self.crashes: Counter[int] = Counter()
        self.met: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.scored: defaultdict[int, Counter[int]] = defaultdict(Counter)  # against each, 1680ths
        self.results: list[SetResult] = []

    def spare(self, entrant: int, sets: int = 1) -> None:
        self.spared[entrant] += sets

    def add(self, result: SetResult) -> None:
        if result.void:
            return self.spared.update(result.entrants)
        self.results.append(result)
        self.sets.update(result.entrants)
        self.crashes.update(dict(zip(result.entrants, result.crashes, strict=False)))
        self.margin.update(dict(zip(result.entrants, result.margins, strict=False)))
        for seat in range(len(result.entrants)):
            self._add_seat(result, seat)
        for game in result.games:
            self._add_wins(result.entrants, game)
        return None

    def _add_seat(self, result: SetResult, seat: int) -> None:
        me, opponents = result.entrants[seat], len(result.entrants) - 1
        met, scored, beaten = self.met[me], self.scored[me], 0
        for other, opponent in enumerate(result.entrants):
            if other != seat:
                half_games = result.beaten(seat, other)
                beaten += half_games
                met[opponent] = met.get(opponent, 0) + 1
                scored[opponent] = scored.get(opponent, 0) + POINT * half_games // (2 * len(result.games))
        self.points[me] += POINT * beaten // (2 * len(result.games) * opponents)

    def _add_wins(self, entrants: tuple[int, ...], game: tuple[int, ...]) -> None:
        best = min(game)
        if game.count(best) < len(game):  # where all are level nobody has won
            for entrant, place in zip(entrants, game, strict=True):
                self.wins[entrant] += (place == best) * WIN // game.count(best)

    def score(self, entrant: int) -> int:
        """The points; a set not played counts as the mean of those played, and as a half where there is none."""
        spared, points = self.spared.get(entrant), self.points.get(entrant, 0)
        return points + spared * self.mean(entrant) if spared else points

    def mean(self, entrant: int) -> int:
        """Return the mean of the points that a set brought the entrant."""
        played = self.sets[entrant]
        return self.points[entrant] // played if played else POINT // 2
