"""What the last published fit says about versions besides their ratings."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection

from tournaments.models import Fit

MOST = 32  # fits of which something is remembered
MANY = 1000  # versions: rather all than so many by their numbers
# Of a table of ten thousand lines this takes a fifth of the time of reading it whole.
FITTED = """
SELECT row.* FROM tournaments_fit fit, jsonb_to_recordset(fit.rows) AS row (
    version bigint, rank_lo int, rank_hi int, all_lo int, all_hi int, comparable boolean, matches_to_decide int
) WHERE fit.id = %s AND (%s OR row.version = ANY(%s))
"""


class FittedRow(NamedTuple):
    """Of one version; None where the fit did not have it."""

    rank_lo: int | None = None
    rank_hi: int | None = None
    all_lo: int | None = None
    all_hi: int | None = None
    comparable: bool = True
    matches_to_decide: int | None = None


Rows = dict[int, FittedRow | None]
UNKNOWN = FittedRow()
remembered: dict[tuple[int, datetime], Rows] = {}  # a fit is never changed: another one takes its place


def fitted_rows(fit: Fit | None, versions: Collection[int]) -> Rows:
    """Return the rows of these versions and perhaps others, None for those that the fit does not have.

    One query if a row is not remembered.
    """
    if fit is None:
        return dict.fromkeys(versions)
    rows = remembered.pop((fit.pk, fit.made_at), None) or {}
    missing = [version for version in versions if version not in rows]
    if missing:
        rows |= dict.fromkeys(missing) | _read(fit, missing)
    remembered[fit.pk, fit.made_at] = rows  # last: the others are forgotten before it
    while len(remembered) > MOST:
        remembered.pop(next(iter(remembered)), None)
    return rows


def _read(fit: Fit, versions: list[int]) -> Rows:
    with connection.cursor() as cursor:
        read_all = len(versions) > MANY
        cursor.execute(FITTED, [fit.pk, read_all, [] if read_all else versions])
        return {version: FittedRow(*row) for version, *row in cursor.fetchall()}
