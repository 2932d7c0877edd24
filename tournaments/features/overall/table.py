"""The table over several games: ordered by what is sure of each rating, added up. One joint fit of all describes it.

    score = sum over all games of  max(R - 1.645 sd, what a bot without games has: 1500 - 1.645 * 350)

The end of a one-sided interval of 95 %, of each game, and a game without a bot counts as one that has not played: so
nobody gains by leaving a game out, and nobody loses by entering one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from tournaments.features.overall.joint_fit import Joint, Known, joint
from tournaments.ratings.intervals import CI95, elo_interval
from tournaments.ratings.ledger import PRIOR_SD
from tournaments.ratings.ranks import EACH, Rated, sure, tukey
from tournaments.ratings.scale import START
from tournaments.ratings.table import Row


@dataclass(frozen=True, slots=True)
class Overall:
    """A competitor: its score, and its mean rating over all games, in which those without a bot are left open."""

    name: str
    rank: int  # by the score
    score: float
    rank_lo: int  # by the true means its rank lies from here
    rank_hi: int  # to here with 95 %
    all_lo: int  # those of all lie from here
    all_hi: int  # to here, every one of them, with 95 %
    elo: float  # the mean
    ci95: float
    games: Mapping[str, float]  # the rating in each game that it plays


@dataclass(frozen=True, slots=True)
class OverallTable:
    between: float  # Elo by which competitors differ in all games alike
    within: float  # and by which one differs from game to game
    lines: Sequence[Overall]  # the best first


def overall_table(
    tables: Mapping[str, Sequence[Row]],
    names: Mapping[str, Mapping[int, str]],
    zeros: Mapping[str, float] | None = None,
) -> OverallTable:
    """Return the table. `tables`: rows by game. `names`: by game, the competitor of each version; of several versions
    the best rated counts. `zeros`: by game, where a bot without games stands, if not at 1500."""
    best: dict[str, dict[str, Row]] = {}
    for game, rows in sorted(tables.items()):
        for row in reversed(rows):
            if row.version in names[game]:
                best.setdefault(names[game][row.version], {})[game] = row
    ratings = {name: {game: (row.elo, row.ci95 / CI95) for game, row in rows.items()} for name, rows in best.items()}
    fitted = joint([*tables], ratings)
    unplayed = {game: lower_end((zeros or {}).get(game, START), PRIOR_SD) for game in tables}
    scores = {name: round(summed_score(known, unplayed), 1) for name, known in ratings.items()}
    return OverallTable(round(fitted.between, 1), round(fitted.within, 1), _lines(fitted, best, scores))


def lower_end(elo: float, sd: float) -> float:
    """Return the rating that a true one exceeds with 95 %."""
    return elo - EACH * sd


def summed_score(known: Known, unplayed: Mapping[str, float]) -> float:
    """Return the sum over all games, of which `unplayed` says what each is worth without a bot, and at the least."""
    ends = {game: lower_end(*rating) for game, rating in known.items()}
    return fsum(max(least, ends.get(game, least)) for game, least in unplayed.items())


def _lines(fitted: Joint, best: Mapping[str, Mapping[str, Row]], scores: Mapping[str, float]) -> list[Overall]:
    elos = {name: round(strength.elo, 1) for name, strength in fitted.of.items()}
    order, places = _ranked(elos)
    rated = [Rated(fitted.of[name].elo, fitted.of[name].sd) for name in order]
    alone, together = (sure(rated, z) for z in (EACH, tukey(len(order))))
    by_score, ranks = _ranked(scores)
    lines = {
        name: Overall(
            name=name,
            rank=ranks[name],
            score=scores[name],
            rank_lo=min(places[name], 1 + own[0]),
            rank_hi=max(places[name], len(order) - own[1]),
            all_lo=min(places[name], 1 + joint_range[0]),
            all_hi=max(places[name], len(order) - joint_range[1]),
            elo=elos[name],
            ci95=round(elo_interval(fitted.of[name].sd), 1),
            games={game: row.elo for game, row in best[name].items()},
        )
        for name, own, joint_range in zip(order, alone, together, strict=True)
    }
    return [lines[name] for name in by_score]


def _ranked(numbers: Mapping[str, float]) -> tuple[list[str], dict[str, int]]:
    """Return the names, the highest number first, and their ranks: equal ones share theirs."""
    order = sorted(numbers, key=lambda name: (-numbers[name], name))
    first = {numbers[name]: place for place, name in reversed([*enumerate(order, 1)])}
    return order, {name: first[numbers[name]] for name in order}
