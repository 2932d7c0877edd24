"""Who may be paired in a ladder now. Plain rows: with 10,000 bots, Django's models took nine tenths of the time."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count

from tournaments.core.accounts.sides import Sides
from tournaments.core.broker.available_workers import nobody_plays
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.standings_order import inherited, run_sql, sql_values, versions_sql
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.models import Entry, Ladder, MatchSet, Seat, Version
from tournaments.ratings.scale import LINK_SD, START
from workers.sandbox.wasm import TIER

HERE = """
SELECT version.id, version.need, bot.owner_id, extract(epoch FROM coalesce(entry.paired_at, entry.entered_at))::float8,
rating.id, rating.sets, rating.elo, rating.sd, rating.chance_sd
"""
BOT = "JOIN tournaments_bot bot ON bot.id = entry.bot_id"
SDS = "rating.elo, rating.sd, rating.chance_sd"
Numbers = Sequence[float | None]  # elo, sd and chance_sd of a rating
UNRATED: Numbers = (None, None, None)


def candidates_of(ladder: Ladder, under_way: Mapping[int, int] | None = None) -> list[Candidate]:
    """Return who plays there now, except bots in a language that no worker has. `under_way`: by version, its sets."""
    playing = [*sql_values(ladder, excluded(ladder)), Entry.Status.PLAYING]
    rows = _playable(
        ladder, run_sql(HERE + versions_sql(ladder, BOT) + " AND entry.status = %s ORDER BY entry.id", playing)
    )
    under_way = sets_under_way(ladder) if under_way is None else under_way
    older, sides = inherited(ladder, [row[0] for row in rows if row[4] is None], SDS), Sides()
    candidates = []
    for version, _, owner, since, rating, sets, *figures in rows:
        elo, sd = _rated(ladder, figures) if rating else _inheriting(ladder, older.get(version, UNRATED))
        busy = under_way.get(version, 0)
        unsure = sd / math.sqrt(1 + busy)  # what is under way will tell something
        candidates.append(Candidate(version, sides.of(owner), elo, unsure, (sets or 0) + busy, since))
    return candidates


def _playable(ladder: Ladder, rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    if ladder.division == Ladder.Division.FUEL:
        return [] if nobody_plays([TIER], ladder.space) else rows
    missing = {need for need in {row[1] for row in rows} if nobody_plays([need], ladder.space)}
    return [row for row in rows if row[1] not in missing]


def _rated(ladder: Ladder, figures: Numbers) -> tuple[float, float]:
    """Return Elo and the part of its error that more games cure, so without the pull of the prior."""
    elo, all_of_it, chance = figures
    sd = chance or all_of_it  # a fit of before has one number for both
    return (START, ladder.prior_sd) if elo is None or sd is None else (elo, sd)


def _inheriting(ladder: Ladder, older: Numbers) -> tuple[float, float]:
    """Return Elo and error of a version without sets: its forerunner's, as `standings.rating_of`."""
    elo, all_of_it, chance = older
    sd = chance or all_of_it
    if elo is None:
        return START, ladder.prior_sd
    return elo, math.hypot(LINK_SD, ladder.prior_sd if sd is None else sd)


def need_of(ladder: Ladder, version: Version) -> str:
    """Return what a worker must offer to play the version there."""
    return TIER if ladder.division == Ladder.Division.FUEL else version.need


def sets_under_way(ladder: Ladder) -> dict[int, int]:
    sets = ladder.sets.filter(status=MatchSet.Status.OPEN, number__isnull=False)
    seats = Seat.objects.filter(match__set__in=sets)
    return dict(seats.values_list("version").annotate(Count("match__set", distinct=True)))
