"""A line of a ladder's table without its place: who plays, and the numbers of the rating."""

import secrets
from collections.abc import Collection
from typing import Any, NamedTuple

from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.standings_order import (
    first_elo,
    inherited,
    lead_column,
    run_sql,
    sql_values,
    versions_sql,
)
from tournaments.ledger.ladders.unranked import unranked
from tournaments.models import Fit, Ladder
from tournaments.ratings.elo import START
from tournaments.ratings.scale import START as ZERO

MORE = "JOIN tournaments_bot bot ON bot.id = entry.bot_id JOIN tournaments_user owner ON owner.id = bot.owner_id"
WHO = "version.id, version.number, version.need, bot.id, bot.name, bot.colours, bot.house, owner.username, entry.status"
RATED = f"{WHO}, rating.id"


class Numbers(NamedTuple):
    """Of a rating, by the names that it has there."""

    elo: float | None
    sd: float | None
    fitted: float | None
    milli_elo: int
    delta: int
    sets: int = 0
    games: int = 0
    wins: float = 0.0
    places: int = 0
    forfeits: int = 0
    chance_sd: float | None = None


NUMBERS = ", ".join(f"rating.{name}" for name in Numbers._fields)
Inputs = tuple[Any, ...]
SEED = secrets.randbits(62)  # so that nobody can choose names whose hashes fit
DIGEST = f"""
SELECT count(*), sum(hash_record_extended(ROW({RATED}, {NUMBERS}), %s)),
array_agg(version.id) FILTER (WHERE rating.id IS NULL)
"""


class StandingsLine(NamedTuple):
    """Of a table. Plain, because there may be ten thousand: a model for each takes ten times as long."""

    elo: float
    sd: float
    version_id: int
    version: int
    need: str
    bot_id: int
    bot: str
    colours: str
    house: str
    owner: str
    status: str
    rating: Numbers
    lead_sd: float  # the error by which it is decided who is ahead


def lines_of_standings(
    ladder: Ladder, out: Collection[int], zero: float, versions: list[int] | None
) -> dict[int, StandingsLine]:
    """Return lines by version, unordered; with `versions`, theirs alone. Before its first set a version has the
    forerunner's numbers with larger errors and no games, as `standings.rating_of`."""
    only = "" if versions is None else " AND version.id = ANY(%s)"
    given = sql_values(ladder, out) + ([] if versions is None else [versions])
    rows = run_sql(f"SELECT {RATED}, {NUMBERS} {versions_sql(ladder, MORE)}{only}", given)
    older = inherited(ladder, [row[0] for row in rows if row[9] is None], NUMBERS)
    return {row[0]: _line(ladder, zero, row, older.get(row[0])) for row in rows}


def _line(ladder: Ladder, zero: float, row: tuple[Any, ...], older: list[Any] | None) -> StandingsLine:
    version, number, need, bot, name, colours, house, owner, status, rating, *figures = row
    if rating is not None:
        numbers = Numbers(*figures)
        elo, sd = (
            (ZERO if numbers.elo is None else numbers.elo),
            (ladder.prior_sd if numbers.sd is None else numbers.sd),
        )
    else:
        before = Numbers(*older) if older else None
        elo, sd = first_elo(before and before[:2], zero, ladder.prior_sd)
        _, chance_sd = first_elo(before and (before.elo, before.chance_sd), zero, ladder.prior_sd)
        numbers = Numbers(elo, sd, None, before.milli_elo if before else START, 0, chance_sd=chance_sd)
    lead = sd if lead_column(ladder) == "sd" or numbers.chance_sd is None else numbers.chance_sd
    return StandingsLine(elo, sd, version, number, need, bot, name, colours, house, owner, status, numbers, lead)


def inputs_of(ladder: Ladder) -> Inputs:
    """Return a digest of the inputs of a ladder's table, to compare: while it is the same, so is the table.

    PostgreSQL hashes the very values that a line is made of, wherever they were changed: a fold, a fit, a name, an
    entry, a new version, a disqualification. So no code has to report a change, and none can forget to.
    """
    out = excluded(ladder)
    fit = Fit.objects.filter(ladder=ladder).values_list("pk", "made_at", "zero").first()
    ((*lines, without),) = run_sql(DIGEST + versions_sql(ladder, MORE), [SEED, *sql_values(ladder, out)])
    older = inherited(ladder, without or [], NUMBERS)
    away = frozenset(unranked(ladder).items())
    settings = ladder.slug, ladder.status, ladder.anchor_id, ladder.prior_sd, ladder.fit_rules
    return (*lines, fit, away, frozenset((version, *row) for version, row in older.items()), frozenset(out), *settings)
