"""Owners over all games, by the official ratings of the ladder of each game that has played most.

A ladder whose final table has a winner counts by that table: by what was dealt after nobody could choose any more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tournaments.features.overall.counting_bots import Counts, counting, fits_that_count
from tournaments.features.overall.table import OverallTable, overall_table
from tournaments.ledger.ladders.final_fits import FinalTable, final_table
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.table import Row


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a table over all games follows from: the fits, and whose bots count."""

    fits: tuple[tuple[int, datetime], ...]
    owners: Mapping[int, str]  # by version
    final: frozenset[str]  # games whose final table counts


_last: dict[str, tuple[Inputs, OverallTable]] = {}  # the last table of this process: a joint fit of many takes a second


def overall_standings() -> tuple[list[Ladder], OverallTable]:
    """Return the ladders that count, one of each game, and the table of owners, best first."""
    chosen = fits_that_count()
    tables = {game: _rows(fit) for game, fit in chosen.items()}
    ladders = [fit.ladder for fit in chosen.values()]
    counts = _owners_of(tables, chosen)
    owners = {version: name for version, (name, _) in counts.items()}
    finals = {game: final for game, fit in chosen.items() if (final := whole_final(fit.ladder))}
    tables = {game: _counted(rows, counts) for game, rows in tables.items()}
    tables |= {game: _final(tables[game], final, counts, chosen[game].ladder) for game, final in finals.items()}
    inputs = Inputs(tuple((fit.ladder_id, fit.made_at) for fit in chosen.values()), owners, frozenset(finals))
    if (last := _last.get("table")) and last[0] == inputs:
        return ladders, last[1]
    zeros = {game: fit.zero for game, fit in chosen.items()} | {game: final.zero for game, final in finals.items()}
    table = overall_table(tables, dict.fromkeys(tables, owners), zeros)
    _last["table"] = inputs, table
    return ladders, table


def whole_final(ladder: Ladder) -> FinalTable | None:
    """Return the final table of a ladder, once it has a winner."""
    table = final_table(ladder) if ladder.final_after is not None else None
    return table if table and table.winners else None


def _final(
    rows: Sequence[Row], final: FinalTable, owners: Mapping[int, tuple[str, Counts]], ladder: Ladder
) -> list[Row]:
    """Return the rows of those that have a place or play, by the final table. A bot that was named later, when it could
    be seen who does well there, counts by its sets since that."""
    placed = {line.who.version_id: line.row for line in (*final.placed, *final.lacking)}
    late = {
        version
        for version, (_, counts) in owners.items()
        if counts.since and counts.since["after"] > (ladder.final_after or 0)
    }
    return [
        row if row.version in late else replace(row, elo=placed[row.version].elo, ci95=placed[row.version].ci95)
        for row in rows
        if row.version in placed
    ]


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
