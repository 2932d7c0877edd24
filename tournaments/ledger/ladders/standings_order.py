"""The order of a ladder's table, from the few fields that decide it: a page needs only its own lines in full."""

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from math import hypot, isnan
from operator import neg
from typing import Any, NamedTuple

from django.db import connection

from tournaments.ledger.competitors.entry_states import GONE
from tournaments.ledger.ladders.fielded import FIXED
from tournaments.models import Ladder
from tournaments.ratings.ledger import BEFORE
from tournaments.ratings.scale import LINK_SD
from tournaments.ratings.scale import START as ZERO

LISTED = """
FROM tournaments_entry entry
JOIN tournaments_version version ON version.bot_id = entry.bot_id AND {fielded}
LEFT JOIN tournaments_rating rating ON rating.version_id = version.id AND rating.ladder_id = entry.ladder_id
{more} WHERE entry.ladder_id = %s AND entry.status <> ALL(%s) AND version.id <> ALL(%s::bigint[])
"""  # the entered bots that have a version to play with
# One row, whose values hold a number or a word of each line: PostgreSQL and Python take it in ten times as fast as
# lines of tuples. What has no rating there is not a number.
ORDER = """
SELECT string_agg(float8send(CASE WHEN rating.id IS NULL THEN 'NaN' ELSE coalesce(rating.elo, %s) END), ''::bytea),
string_agg(float8send(coalesce(rating.sd, %s)), ''::bytea),
string_agg(int8send(version.id), ''::bytea), string_agg(int8send(entry.bot_id), ''::bytea),
string_agg(version.need, chr(10)), string_agg(entry.status, chr(10)),
string_agg(float8send(coalesce({lead}, rating.sd, %s)), ''::bytea)
"""
INHERITED = """
SELECT DISTINCT ON (version.id) version.id, {columns} FROM tournaments_version version
JOIN tournaments_version older ON older.bot_id = version.bot_id AND older.number < version.number
JOIN tournaments_rating rating ON rating.version_id = older.id AND rating.ladder_id = %s
WHERE version.id = ANY(%s) ORDER BY version.id, older.number DESC
"""  # what the latest rated forerunner has


VERSION, BOT, NEED, STATUS = 2, 3, 4, 5  # where they stand in a row


class Spot(NamedTuple):
    """A line, as far as its order follows from it: the best is the least."""

    minus_elo: float
    sd: float
    version_id: int
    bot_id: int
    need: str
    status: str
    lead_sd: float  # the error by which it is decided who is ahead


class Order:
    """The lines of a ladder, best first. One query; one more where a version has no rating yet."""

    def __init__(self, ladder: Ladder, out: Collection[int], zero: float) -> None:
        self.rows: list[tuple[Any, ...]] = sorted(_rows(ladder, out, zero))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Spot:
        return Spot._make(self.rows[place])

    def first_alike(self, place: int) -> int:
        """Return the place of the first line whose rating is shown alike."""
        return bisect_left(self.rows, round(self.rows[place][0], 1), key=lambda row: round(row[0], 1))


def run_sql(statement: str, given: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Planned for these values: one ladder has three lines, and another ten thousand."""
    with connection.cursor() as cursor:
        cursor.execute(statement, given)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def versions_sql(ladder: Ladder, more: str = "") -> str:
    """Return SQL for the values of `sql_values`: in a frozen ladder the pinned version plays, else the active one."""
    fielded = "version.id = entry.pinned_id" if ladder.status in FIXED else "version.status = 'active'"
    return LISTED.format(fielded=fielded, more=more)


def sql_values(ladder: Ladder, out: Collection[int]) -> list[Any]:
    return [ladder.pk, list(GONE), sorted(out)]


def inherited(ladder: Ladder, versions: Collection[int], columns: str) -> dict[int, list[Any]]:
    """Return, by version without a rating, these columns of the latest rated version before."""
    numbers = list(versions)
    rows = run_sql(INHERITED.format(columns=columns), [ladder.pk, numbers]) if numbers else []
    return {version: values for version, *values in rows}


def _rows(ladder: Ladder, out: Collection[int], zero: float) -> Iterator[tuple[Any, ...]]:
    order, prior = ORDER.format(lead=f"rating.{lead_column(ladder)}") + versions_sql(ladder), ladder.prior_sd
    ((elos, sds, versions, bots, needs, statuses, leads),) = run_sql(
        order, [ZERO, prior, prior, *sql_values(ladder, out)]
    )
    if elos is None:
        return iter(())
    by_elo, by_sd, numbers = numbers_in("d", elos), numbers_in("d", sds), numbers_in("q", versions)
    by_lead = numbers_in("d", leads)
    _inherit(ladder, zero, numbers, by_elo, by_sd, by_lead)
    words = needs.split("\n"), statuses.split("\n")
    return zip(map(neg, by_elo), by_sd, numbers, numbers_in("q", bots), *words, by_lead, strict=True)


def numbers_in(kind: str, packed: bytes) -> "array[Any]":
    """Return numbers as PostgreSQL sends them, the highest byte first."""
    numbers = array(kind, packed)
    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers


def lead_column(ladder: Ladder) -> str:
    """Return the column with the error by which it is decided who is ahead, by the rules of the ladder."""
    return "sd" if ladder.fit_rules <= BEFORE else "chance_sd"


def _inherit(
    ladder: Ladder,
    zero: float,
    versions: "array[int]",
    elos: "array[float]",
    sds: "array[float]",
    leads: "array[float]",
) -> None:
    without = [position for position, elo in enumerate(elos) if isnan(elo)]
    older = inherited(
        ladder, [versions[position] for position in without], f"rating.elo, rating.sd, rating.{lead_column(ladder)}"
    )
    for position in without:
        before = older.get(versions[position])
        elos[position], sds[position] = first_elo(before and before[:2], zero, ladder.prior_sd)
        _, leads[position] = first_elo(before and before[::2], zero, ladder.prior_sd)


def first_elo(older: Sequence[float | None] | None, zero: float, prior_sd: float) -> tuple[float, float]:
    """Elo and its error of a version that has not played, by those of its forerunner."""
    if older is None:
        return zero, prior_sd
    elo, sd = older
    return (ZERO if elo is None else elo), hypot(LINK_SD, prior_sd if sd is None else sd)
