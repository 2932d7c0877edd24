"""One fit of strength over several games, in which a missing game is no guess.

    R_ig = m_g + mu_i + d_ig          the true rating of competitor i in game g
    y_ig = R_ig + e_ig                the official one, e_ig normal with its published error
    mu_i ~ N(0, between²)             strength that a competitor takes along to every game
    d_ig ~ N(0, within²)              what is its own in this one
    m_g  ~ N(1500, 500²)              the game's level

The result is the mean of R_ig over all games, those that a competitor does not play too: nothing is put in for them;
they stay as open as m_g + mu_i + d_ig leaves them. For known deviations all is normal, and exact: competitors are
independent given the levels, so only one small system is solved. The two deviations are averaged over a grid, each
point weighted by how likely it makes the ratings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log, log2, sqrt

from tournaments.ratings.scale import START

LEVEL_SD = 500.0  # Elo of games about the start of the scale
BETWEEN = tuple(50 * 2 ** (step / 2) for step in range(9))  # Elo, 50 to 800
WITHIN = tuple(25 * 2 ** (step / 2) for step in range(9))  # 25 to 400
LIKELY = (200.0, 100.0)  # of both, before anything is known: a factor of 2 is one standard deviation
FAINT = 0.001  # of the likeliest point's weight: under that a point is left out
MOST = 400  # competitors by whom the deviations are weighed, evenly over the names
Known = Mapping[str, tuple[float, float]]  # by game: the rating, and its error


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength over all games, and its error."""

    elo: float
    sd: float


@dataclass(frozen=True, slots=True)
class Joint:
    between: float  # Elo by which competitors differ in all games alike
    within: float  # and by which one differs from game to game
    of: Mapping[str, Strength]


def joint(games: Sequence[str], competitors: Mapping[str, Known]) -> Joint:
    """Return strengths over all games. `competitors`: by name, ratings by game. Their order changes nothing."""
    names = sorted(competitors)
    sample = [competitors[name] for name in names[:: 1 + len(names) // MOST]]
    points = _likely([_Point(games, sample, between, within) for between in BETWEEN for within in WITHIN])
    all_points = [
        _Point(games, [competitors[name] for name in names], point.between, point.within) for _, point in points
    ]
    shares = [share for share, _ in points]
    strengths = {name: _mixed(shares, [point.strength(competitors[name]) for point in all_points]) for name in names}
    between, within = (
        fsum(share * value for share, value in zip(shares, values, strict=True))
        for values in ([point.between for point in all_points], [point.within for point in all_points])
    )
    return Joint(between, within, strengths)


def _likely(points: Sequence["_Point"]) -> list[tuple[float, "_Point"]]:
    """Return the points that matter, with shares of 1."""
    logs = [point.evidence() + _prior(point) for point in points]
    weights = [exp(log_weight - max(logs)) for log_weight in logs]
    kept = [(weight, point) for weight, point in zip(weights, points, strict=True) if weight > FAINT]
    total = fsum(weight for weight, _ in kept)
    return [(weight / total, point) for weight, point in kept]


def _prior(point: "_Point") -> float:
    return (
        -fsum(log2(value / usual) ** 2 for value, usual in zip((point.between, point.within), LIKELY, strict=True)) / 2
    )


def _mixed(shares: Sequence[float], strengths: Sequence[Strength]) -> Strength:
    """Return the mean, and the error of all together: within the points and between them."""
    elo = fsum(share * strength.elo for share, strength in zip(shares, strengths, strict=True))
    square = fsum(
        share * (strength.sd**2 + (strength.elo - elo) ** 2) for share, strength in zip(shares, strengths, strict=True)
    )
    return Strength(elo, sqrt(square))


class _Point:
    """All for one pair of deviations."""

    def __init__(self, games: Sequence[str], competitors: Sequence[Known], between: float, within: float) -> None:
        self.games, self.between, self.within = sorted(games), between, within
        self.known = competitors
        self.square = 0.0
        self.levels, self.errors, self.log_size = self._levels()

    def _levels(self) -> tuple[dict[str, float], list[list[float]], float]:
        """Return the means of the games' levels, the matrix of their errors, and the logarithm of its determinant."""
        positions = {game: position for position, game in enumerate(self.games)}
        cells: list[list[list[float]]] = [[[] for _ in self.games] for _ in self.games]
        pulls: list[list[float]] = [[] for _ in self.games]
        for competitor in self.known:
            weights, held = self._weights(competitor)
            mean = fsum(weights[game] * (competitor[game][0] - START) for game in competitor) / held
            for game, weight in weights.items():
                pulls[positions[game]].append(weight * (competitor[game][0] - START - mean))
                cells[positions[game]][positions[game]].append(weight)
                for other, other_weight in weights.items():
                    cells[positions[game]][positions[other]].append(-weight * other_weight / held)
        for position in range(len(self.games)):
            cells[position][position].append(LEVEL_SD**-2)
        errors, log_size = inverse([[fsum(cell) for cell in row] for row in cells])
        uphill = [fsum(pull) for pull in pulls]
        above = [fsum(error * pull for error, pull in zip(row, uphill, strict=True)) for row in errors]
        self.square = fsum(pull * over for pull, over in zip(uphill, above, strict=True))
        return {game: START + above[positions[game]] for game in self.games}, errors, log_size

    def _weights(self, competitor: Known) -> tuple[dict[str, float], float]:
        """Return, by game that it plays, what its rating tells, and the precision of its strength in all."""
        weights = {game: 1 / (self.within**2 + competitor[game][1] ** 2) for game in sorted(competitor)}
        return weights, fsum([self.between**-2, *weights.values()])

    def evidence(self) -> float:
        """Return the logarithm of how likely all ratings are, with the levels integrated out, but for a constant."""
        parts = [self.square / 2, self.log_size / 2]
        for competitor in self.known:
            weights, held = self._weights(competitor)
            over = {game: competitor[game][0] - START for game in weights}
            pull = fsum(weights[game] * over[game] for game in weights)
            spread = fsum(weights[game] * over[game] ** 2 for game in weights) - pull**2 / held
            parts += [-spread / 2, -log(held * self.between**2) / 2, *(log(weight) / 2 for weight in weights.values())]
        return fsum(parts)

    def strength(self, competitor: Known) -> Strength:
        """Return the mean of its ratings over all games."""
        weights, held = self._weights(competitor)
        games = len(self.games)
        kept = {game: self.within**2 * weight for game, weight in weights.items()}  # of what is over, the game's own
        taken = 1 - fsum(kept.values()) / games
        over = {game: competitor[game][0] - self.levels[game] for game in weights}
        common = fsum(weights[game] * over[game] for game in weights) / held
        own_part = fsum(kept[game] * over[game] for game in weights) / games
        own_error = fsum(self.within**2 * (1 - kept.get(game, 0.0)) for game in self.games) / games**2
        by_level = [
            1 / games - taken * weights.get(game, 0.0) / held - kept.get(game, 0.0) / games for game in self.games
        ]
        level_error = fsum(
            a * b * e for a, row in zip(by_level, self.errors, strict=True) for b, e in zip(by_level, row, strict=True)
        )
        level = fsum(self.levels.values()) / games
        return Strength(level + taken * common + own_part, sqrt(taken**2 / held + own_error + level_error))


def inverse(matrix: Sequence[Sequence[float]]) -> tuple[list[list[float]], float]:
    """Return the inverse of a positive definite matrix, by Gauss and Jordan, and the logarithm of its determinant."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    log_size = 0.0
    for pivot in range(size):
        divisor = rows[pivot][pivot]
        log_size -= log(divisor)
        rows[pivot] = [cell / divisor for cell in rows[pivot]]
        for other in range(size):
            share = rows[other][pivot]
            if other != pivot:
                rows[other] = [cell - share * above for cell, above in zip(rows[other], rows[pivot], strict=True)]
    return [row[size:] for row in rows], log_size
