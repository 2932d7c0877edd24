"""Owners over all games, by the official ratings of the ladder of each game that has played most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tournaments.features.overall.counting_bots import Counts, counting, fits_that_count
from tournaments.features.overall.table import OverallTable, overall_table
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.table import Row


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a table over all games follows from: the fits, and whose bots count."""

    fits: tuple[tuple[int, datetime], ...]
    owners: Mapping[int, str]  # by version


_last: dict[str, tuple[Inputs, OverallTable]] = {}  # the last table of this process: a joint fit of many takes a second


def overall_standings() -> tuple[list[Ladder], OverallTable]:
    """Return the ladders that count, one of each game, and the table of owners, best first."""
    chosen = fits_that_count()
    tables = {game: _rows(fit) for game, fit in chosen.items()}
    ladders = [fit.ladder for fit in chosen.values()]
    counts = _owners_of(tables, chosen)
    owners = {version: name for version, (name, _) in counts.items()}
    tables = {game: _counted(rows, counts) for game, rows in tables.items()}
    inputs = Inputs(tuple((fit.ladder_id, fit.made_at) for fit in chosen.values()), owners)
    if (last := _last.get("table")) and last[0] == inputs:
        return ladders, last[1]
    zeros = {game: fit.zero for game, fit in chosen.items()}
    table = overall_table(tables, dict.fromkeys(tables, owners), zeros)
    _last["table"] = inputs, table
    return ladders, table


def _owners_of(tables: Mapping[str, Sequence[Row]], fits: Mapping[str, Fit]) -> dict[int, tuple[str, Counts]]:
    """Return the owners whose bots count for them, by version."""
    versions = [row.version for table in tables.values() for row in table]
    names = ("pk", "bot", "bot__game", "bot__owner", "bot__owner__username")
    rows = list(Version.objects.filter(pk__in=versions).values_list(*names))
    chosen = counting({owner for _, _, _, owner, _ in rows}, fits)
    counts = ((pk, bot, name, chosen.get((owner, game))) for pk, bot, game, owner, name in rows)
    return {pk: (name, count) for pk, bot, name, count in counts if count and count.bot == bot}


def _rows(fit: Fit) -> list[Row]:
    """Return the rows without doubles and without those that were away and owe sets."""
    rows = (_row(plain, len(fit.rows)) for plain in fit.rows)
    return [row for row in rows if row.rank is not None or row.provisional]


def _counted(rows: Sequence[Row], owners: Mapping[int, tuple[str, Counts]]) -> list[Row]:
    """Return the rows with ratings by those sets that count."""
    return [_since(row, owners[row.version][1].since) if row.version in owners else row for row in rows]


def _since(row: Row, since: Mapping[str, Any] | None) -> Row:
    return replace(row, elo=since["elo"], ci95=since["ci95"]) if since else row


def _row(plain: dict[str, Any], lines: int) -> Row:
    """Return a row of a fit; those under the first rules did not say between which ranks all lie, nor what is held."""
    return Row(**{"all_lo": 1, "all_hi": lines, "anchor": False, **plain})
