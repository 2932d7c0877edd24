"""A bot's place in a ladder: its rank, or while that is provisional the range that holds it, from its first set on."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.db import connection

# A double has no place, nor has a bot that owes sets, however many its older versions played.
PLACES = """
SELECT fit.ladder_id, row.version, row.rank, row.rank_lo, row.rank_hi, jsonb_array_length(fit.rows), row.sets
FROM tournaments_fit fit CROSS JOIN jsonb_to_recordset(fit.rows) AS row (
    version bigint, rank int, rank_lo int, rank_hi int, provisional boolean, sets int
) WHERE fit.ladder_id = ANY(%s) AND row.version = ANY(%s) AND row.sets > 0 AND (row.rank IS NOT NULL OR row.provisional
AND NOT EXISTS (
    SELECT FROM tournaments_likeness alike
    WHERE alike.version_id = row.version AND alike.ladder_id = fit.ladder_id AND alike.status = 'alike'
) AND NOT EXISTS (
    SELECT FROM tournaments_entry entry JOIN tournaments_version own ON own.bot_id = entry.bot_id
    WHERE own.id = row.version AND entry.ladder_id = fit.ladder_id AND entry.ranked_from > (
        SELECT coalesce(sum(rating.sets), 0) FROM tournaments_rating rating
        JOIN tournaments_version older ON older.id = rating.version_id
        WHERE older.bot_id = own.bot_id AND rating.ladder_id = fit.ladder_id
    )
))
"""
# How soon: the median of the latest bots there, from entering to the end of their first set.
FIRST_SETS = """
SELECT entry.id, (
    SELECT min(seat.match_id) FROM tournaments_seat seat JOIN tournaments_match match ON match.id = seat.match_id
    JOIN tournaments_matchset under_way ON under_way.id = match.set_id
    WHERE seat.version_id = plays.version AND under_way.ladder_id = entry.ladder_id
    AND under_way.status = 'open' AND under_way.number IS NOT NULL
), (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM first.ended_at - late.entered_at))
    FROM (SELECT * FROM tournaments_entry WHERE ladder_id = entry.ladder_id ORDER BY id DESC LIMIT 20) late
    CROSS JOIN LATERAL (
        SELECT over.ended_at FROM tournaments_version version
        JOIN tournaments_ratingstep step ON step.version_id = version.id
        JOIN tournaments_matchset over ON over.id = step.set_id
        WHERE version.bot_id = late.bot_id AND over.ladder_id = late.ladder_id ORDER BY over.id LIMIT 1
    ) first
) FROM unnest(%s::bigint[], %s::bigint[]) AS plays (entry, version)
JOIN tournaments_entry entry ON entry.id = plays.entry
"""


class Place(NamedTuple):
    """Of a version, by the last fit. `lo` to `hi` hold its rank among `bots` with 95 %; None: it is provisional."""

    rank: int | None
    lo: int
    hi: int
    bots: int
    sets: int


def places_of(ladders: Collection[int], versions: Collection[int]) -> dict[tuple[int, int], Place]:
    """Return places by (ladder, version), without those that have none. One query."""
    with connection.cursor() as cursor:
        cursor.execute(PLACES, [list(ladders), list(versions)])
        return {(ladder, version): Place(*row) for ladder, version, *row in cursor.fetchall()}


class FirstSet(NamedTuple):
    """Of a version that has not played there: a match of its set under way, and the seconds that it usually takes."""

    match: int | None
    seconds: float | None


def first_sets(plays: Mapping[int, int]) -> dict[int, FirstSet]:
    """Return by entry what comes first, of the versions that play for the entries. One query."""
    with connection.cursor() as cursor:
        cursor.execute(FIRST_SETS, [list(plays), list(plays.values())])
        return {entry: FirstSet(*row) for entry, *row in cursor.fetchall()}


def range_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
