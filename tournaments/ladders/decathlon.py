"""Owners over all games, by one joint fit of the official ratings of the ladder of each game that has played most."""

from typing import Any

from engine.games import GAMES
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.decathlon import OverallTable, overall
from tournaments.ratings.table import Row


def overall_standings() -> tuple[list[Ladder], OverallTable]:
    """The ladders that count, one of each game, and the table of owners, the best first."""
    fits: dict[str, Fit] = {}
    for fit in Fit.objects.select_related("ladder").order_by("sets", "-ladder"):
        fits[fit.ladder.game] = fit
    chosen = {game: fits[game] for game in GAMES if game in fits}
    tables = {game: _rows(fit) for game, fit in chosen.items()}
    versions = [row.version for rows in tables.values() for row in rows]
    owners = dict(Version.objects.filter(pk__in=versions).values_list("pk", "bot__owner__username"))
    table = overall(tables, dict.fromkeys(tables, owners))
    return [fit.ladder for fit in chosen.values()], table


def _rows(fit: Fit) -> list[Row]:
    return [_row(plain, len(fit.rows)) for plain in fit.rows]


def _row(plain: dict[str, Any], lines: int) -> Row:
    """Fits under the first rules did not say between which ranks all lie, nor what is held."""
    return Row(**{"all_lo": 1, "all_hi": lines, "anchor": False, **plain})
