"""The decathlon: one number over several games."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, hypot

from tournaments.ratings.table import Row, Table

MISSING = 1000.0  # Elo in a game in which a competitor has no bot: that of a baseline


@dataclass(frozen=True, slots=True)
class Overall:
    """The mean of a competitor's ratings over all games, with equal weights."""

    name: str
    rank: int
    elo: float
    ci95: float
    games: Mapping[str, float]  # the rating in each game that it plays


def overall(tables: Mapping[str, Table], names: Mapping[str, Mapping[int, str]]) -> list[Overall]:
    """Best first. `names`: for each game, the competitor of each version; of several the best rated counts."""
    best: dict[str, dict[str, Row]] = {}
    for game, table in sorted(tables.items()):
        for row in reversed(table.rows):
            if row.version in names[game]:
                best.setdefault(names[game][row.version], {})[game] = row
    lines = [_line(name, rows, len(tables)) for name, rows in best.items()]
    lines.sort(key=lambda line: (-line[1], line[0]))
    elos = [elo for _, elo, _ in lines]
    return [
        Overall(name, elos.index(elo) + 1, elo, ci95, {game: row.elo for game, row in best[name].items()})
        for name, elo, ci95 in lines
    ]


def _line(name: str, rows: Mapping[str, Row], games: int) -> tuple[str, float, float]:
    elo = fsum([*(row.elo for row in rows.values()), MISSING * (games - len(rows))]) / games
    return name, round(elo, 1), round(hypot(*(row.ci95 for row in rows.values())) / games, 1)
