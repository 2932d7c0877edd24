"""The table over several games: one joint fit of all official ratings, with its intervals and rank ranges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.features.overall.joint_fit import Joint, joint
from tournaments.ratings.intervals import CI95, elo_interval
from tournaments.ratings.ranks import EACH, Rated, sure, tukey
from tournaments.ratings.table import Row


@dataclass(frozen=True, slots=True)
class Overall:
    """A competitor's mean rating over all games; those without a bot are left open."""

    name: str
    rank: int
    rank_lo: int  # its rank lies from here
    rank_hi: int  # to here with 95 %
    all_lo: int  # the ranks of all lie from here
    all_hi: int  # to here, every one of them, with 95 %
    elo: float
    ci95: float
    games: Mapping[str, float]  # the rating in each game that it plays


@dataclass(frozen=True, slots=True)
class OverallTable:
    between: float  # Elo by which competitors differ in all games alike
    within: float  # and by which one differs from game to game
    lines: Sequence[Overall]  # the best first


def overall_table(tables: Mapping[str, Sequence[Row]], names: Mapping[str, Mapping[int, str]]) -> OverallTable:
    """Return the table. `tables`: rows by game. `names`: by game, the competitor of each version; of several versions
    the best rated counts."""
    best: dict[str, dict[str, Row]] = {}
    for game, rows in sorted(tables.items()):
        for row in reversed(rows):
            if row.version in names[game]:
                best.setdefault(names[game][row.version], {})[game] = row
    ratings = {name: {game: (row.elo, row.ci95 / CI95) for game, row in rows.items()} for name, rows in best.items()}
    fitted = joint([*tables], ratings)
    return OverallTable(round(fitted.between, 1), round(fitted.within, 1), _lines(fitted, best))


def _lines(fitted: Joint, best: Mapping[str, Mapping[str, Row]]) -> list[Overall]:
    elos = {name: round(strength.elo, 1) for name, strength in fitted.of.items()}
    order = sorted(elos, key=lambda name: (-elos[name], name))
    places = {elos[name]: place for place, name in reversed([*enumerate(order, 1)])}  # equal ones share theirs
    rated = [Rated(fitted.of[name].elo, fitted.of[name].sd) for name in order]
    alone, together = (sure(rated, z) for z in (EACH, tukey(len(order))))
    return [
        Overall(
            name=name,
            rank=(place := places[elos[name]]),
            rank_lo=min(place, 1 + own[0]),
            rank_hi=max(place, len(order) - own[1]),
            all_lo=min(place, 1 + joint_range[0]),
            all_hi=max(place, len(order) - joint_range[1]),
            elo=elos[name],
            ci95=round(elo_interval(fitted.of[name].sd), 1),
            games={game: row.elo for game, row in best[name].items()},
        )
        for name, own, joint_range in zip(order, alone, together, strict=True)
    ]
