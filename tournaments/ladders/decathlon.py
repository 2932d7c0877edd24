"""Owners over all games, by one joint fit of the official ratings of the ladder of each game that has played most."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.games import GAMES
from tournaments.ladders.named_bots import counting
from tournaments.models import Bot, Fit, Ladder, Version
from tournaments.ratings.decathlon import OverallTable, overall
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
    owners = owners_of([row.version for rows in tables.values() for row in rows], ladders)
    made = Made(tuple((fit.ladder_id, fit.made_at) for fit in chosen.values()), owners)
    if (kept := _kept.get("last")) and kept[0] == made:
        return ladders, kept[1]
    table = overall(tables, dict.fromkeys(tables, owners))
    _kept["last"] = made, table
    return ladders, table


def fits_that_count() -> dict[str, Fit]:
    """Of the ladder of each game that has played most."""
    fits: dict[str, Fit] = {}
    for fit in Fit.objects.select_related("ladder").order_by("sets", "-ladder"):
        fits[fit.ladder.game] = fit
    return {game: fits[game] for game in GAMES if game in fits}


def counts_overall(bot: Bot) -> bool:
    """Whether it is the one that counts for its owner."""
    return bot.pk in counting_for(bot.owner_id)


def counting_for(owner: int) -> set[int]:
    """The bots that count for somebody: one of each game, at most."""
    ladders = Ladder.objects.filter(pk__in=[fit.ladder_id for fit in fits_that_count().values()])
    return set(counting([owner], list(ladders)).values())


def owners_of(versions: Collection[int], ladders: Collection[Ladder]) -> dict[int, str]:
    """Of those whose bots count for them, by version."""
    rows = Version.objects.filter(pk__in=versions).values_list(
        "pk", "bot", "bot__game", "bot__owner", "bot__owner__username"
    )
    found = list(rows)
    chosen = counting({owner for _, _, _, owner, _ in found}, ladders)
    return {pk: name for pk, bot, game, owner, name in found if chosen.get((owner, game)) == bot}


def _rows(fit: Fit) -> list[Row]:
    """Without the doubles, and without those that were away and owe sets."""
    rows = (_row(plain, len(fit.rows)) for plain in fit.rows)
    return [row for row in rows if row.rank is not None or row.provisional]


def _row(plain: dict[str, Any], lines: int) -> Row:
    """Fits under the first rules did not say between which ranks all lie, nor what is held."""
    return Row(**{"all_lo": 1, "all_hi": lines, "anchor": False, **plain})
