"""Owners over all games, by one joint fit of the official ratings of the ladder of each game that has played most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tournaments.features.overall.counting_bots import Counts, counting, fits_that_count
from tournaments.features.overall.table import OverallTable, overall
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.table import Row


@dataclass(frozen=True, slots=True)
class Made:
    """All that a table over all games follows from: the fits, and whose bots count."""

    fits: tuple[tuple[int, datetime], ...]
    owners: Mapping[int, str]  # by version


_kept: dict[str, tuple[Made, OverallTable]] = {}  # the last table of this process: a joint fit of many takes a second


def overall_standings() -> tuple[list[Ladder], OverallTable]:
    """The ladders that count, one of each game, and the table of owners, the best first."""
    chosen = fits_that_count()
    tables = {game: _rows(fit) for game, fit in chosen.items()}
    ladders = [fit.ladder for fit in chosen.values()]
    counts = _owners_of(tables, chosen)
    owners = {version: name for version, (name, _) in counts.items()}
    tables = {game: _counted(rows, counts) for game, rows in tables.items()}
    made = Made(tuple((fit.ladder_id, fit.made_at) for fit in chosen.values()), owners)
    if (kept := _kept.get("last")) and kept[0] == made:
        return ladders, kept[1]
    table = overall(tables, dict.fromkeys(tables, owners))
    _kept["last"] = made, table
    return ladders, table


def _owners_of(tables: Mapping[str, Sequence[Row]], fits: Mapping[str, Fit]) -> dict[int, tuple[str, Counts]]:
    """Of those whose bots count for them, by version."""
    versions = [row.version for rows in tables.values() for row in rows]
    names = ("pk", "bot", "bot__game", "bot__owner", "bot__owner__username")
    found = list(Version.objects.filter(pk__in=versions).values_list(*names))
    chosen = counting({owner for _, _, _, owner, _ in found}, fits)
    counts = ((pk, bot, name, chosen.get((owner, game))) for pk, bot, game, owner, name in found)
    return {pk: (name, one) for pk, bot, name, one in counts if one and one.bot == bot}


def _rows(fit: Fit) -> list[Row]:
    """Without the doubles, and without those that were away and owe sets."""
    rows = (_row(plain, len(fit.rows)) for plain in fit.rows)
    return [row for row in rows if row.rank is not None or row.provisional]


def _counted(rows: Sequence[Row], owners: Mapping[int, tuple[str, Counts]]) -> list[Row]:
    """With the rating by those sets that count."""
    return [row if (one := owners.get(row.version)) is None else _since(row, one[1].since) for row in rows]


def _since(row: Row, since: Mapping[str, Any] | None) -> Row:
    return replace(row, elo=since["elo"], ci95=since["ci95"]) if since else row


def _row(plain: dict[str, Any], lines: int) -> Row:
    """Fits under the first rules did not say between which ranks all lie, nor what is held."""
    return Row(**{"all_lo": 1, "all_hi": lines, "anchor": False, **plain})
