"""The queues of open sets, as counted by the database: figures that do not grow with the waiting sets."""

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.core.broker.available_workers import CHOSEN
from tournaments.core.config.space_budgets import maxima
from tournaments.models import Ladder, MatchSet, Space
from tournaments.models.prepared_statements import run_prepared
from workers.capacity import GB_LEVELS, THREAD_LEVELS, USUAL_MB, USUAL_THREADS
from workers.identity import OUTSIDE
from workers.sandbox.wasm import TIER

BATCH = 1000  # sets that are written to at once

NEEDS = """
UPDATE tournaments_matchset AS fresh SET needs = concat((
    SELECT slug || ':' FROM tournaments_space AS space WHERE id = fresh.space_id
    AND (own_workers_alone OR EXISTS (SELECT FROM tournaments_worker WHERE space_id = space.id))
), (
    SELECT %s || ':' FROM tournaments_ladder WHERE id = fresh.ladder_id AND space_id IS NULL AND outside_workers
), CASE
    WHEN EXISTS (SELECT FROM tournaments_ladder WHERE id = fresh.ladder_id AND division = %s) THEN %s
    ELSE coalesce((
        SELECT string_agg(DISTINCT version.need, ',' ORDER BY version.need) FROM tournaments_match AS match
        JOIN tournaments_seat AS seat ON seat.match_id = match.id
        JOIN tournaments_version AS version ON version.id = seat.version_id
        WHERE match.set_id = fresh.id
    ), 'python') END, (
        SELECT concat(
            ',' || (SELECT min(gb) FROM unnest(%s::int[]) AS gb WHERE bots.mb > %s AND 1024 * gb >= bots.mb) || 'gb',
            ',' || (SELECT min(n) FROM unnest(%s::int[]) AS n WHERE bots.threads > %s AND n >= threads) || 'threads'
        ) FROM (
            SELECT seats.number * least(memory_mb, CASE WHEN space_id IS NULL THEN memory_mb ELSE %s END) AS mb,
                seats.number * least(threads, CASE WHEN space_id IS NULL THEN threads ELSE %s END) AS threads
            FROM tournaments_ladder, (
                SELECT count(*) AS number FROM tournaments_seat
                WHERE match_id = (SELECT min(id) FROM tournaments_match WHERE set_id = fresh.id)
            ) AS seats
            WHERE tournaments_ladder.id = fresh.ladder_id
        ) AS bots
    ))
WHERE id IN (
    SELECT id FROM tournaments_matchset WHERE status = 'open' AND needs = '' ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
) RETURNING id
"""
# Each half begins at an index: there is no join that a planner with old numbers would make a loop within a loop.
LEASED = """
SELECT set_id AS id, bool_or(playing) AS begun FROM (
    SELECT set_id, false AS playing FROM tournaments_match WHERE status = 'leased'
    UNION ALL
    SELECT match.set_id, true FROM tournaments_attempt AS attempt
    JOIN tournaments_match AS match ON match.id = attempt.match_id WHERE attempt.outcome = 'playing'
) AS known GROUP BY set_id
"""
# One step of the index from each way to the next, however many sets wait there.
LINES = f"""
WITH RECURSIVE way AS (
    (SELECT line, game, rules, needs FROM tournaments_matchset WHERE status = 'open' ORDER BY 1, 2, 3, 4 LIMIT 1)
    UNION ALL
    SELECT following.* FROM way, LATERAL (
        SELECT line, game, rules, needs FROM tournaments_matchset
        WHERE status = 'open' AND (line, game, rules, needs) > (way.line, way.game, way.rules, way.needs)
        ORDER BY 1, 2, 3, 4 LIMIT 1
    ) AS following
)
SELECT way.*, false AS at_own, NULL::bigint AS sent FROM way
UNION ALL
SELECT line, game, rules, needs, at_own, count(*) FILTER (WHERE NOT begun)
FROM ({LEASED}) AS under_way JOIN tournaments_matchset USING (id) GROUP BY line, game, rules, needs, at_own
"""  # noqa: S608  all our own
SPACES = """
SELECT concat('ladder ', id), concat('space ', space_id) FROM tournaments_ladder WHERE space_id IS NOT NULL
UNION ALL
SELECT concat('event ', event.id), concat('space ', ladder.space_id)
FROM tournaments_event AS event JOIN tournaments_ladder AS ladder ON ladder.id = event.ladder_id
WHERE ladder.space_id IS NOT NULL AND event.status = 'running'
"""
SETS_UNDER_WAY = f"""
SELECT id, line, game, rules, needs, at_own FROM ({LEASED}) AS under_way JOIN tournaments_matchset USING (id)
"""  # noqa: S608  all our own
# All matches of a set have the same bots, so one of each is read.
SEATED = """
SELECT match.set_id, array_agg(DISTINCT seat.version_id), array_agg(DISTINCT bot.owner_id) FROM (
    SELECT DISTINCT ON (set_id) set_id, id FROM tournaments_match WHERE set_id = ANY(%s::bigint[]) ORDER BY set_id, id
) AS match
JOIN tournaments_seat AS seat ON seat.match_id = match.id
JOIN tournaments_version AS version ON version.id = seat.version_id
JOIN tournaments_bot AS bot ON bot.id = version.bot_id
GROUP BY match.set_id
"""


Seated = tuple[frozenset[int], frozenset[int]]  # the versions in a set, and their owners


class Route(NamedTuple):
    """Where a set waits, and what it needs of a worker."""

    line: str
    game: str
    rules: int
    needs: str  # languages, sorted, with commas between; the space before them whose own workers may play it
    own_workers: bool = False  # to those workers, and else to the site's


def write_needs() -> None:
    """Write to every new set what its bots need of a worker."""
    memory, threads = [*GB_LEVELS], [*THREAD_LEVELS]
    machine = (memory, USUAL_MB, threads, USUAL_THREADS, maxima()["memory_mb"], maxima()["threads"])
    run_prepared(NEEDS, [OUTSIDE, Ladder.Division.FUEL, TIER, *machine, BATCH])


def forget_needs(**of: Space | Ladder) -> None:
    """Clear the needs of open sets, to be written anew: who plays for the space, or what the ladder allows, changed."""
    MatchSet.objects.filter(**of, status=MatchSet.Status.OPEN).exclude(needs__startswith=CHOSEN).update(needs="")


def routes_of_open_sets() -> tuple[list[Route], dict[Route, int]]:
    """Return the routes of all open sets; and by route with sets under way, how many of these nobody plays yet."""
    rows = [(Route(*route), sent) for *route, sent in run_prepared(LINES, [])]
    return [route for route, sent in rows if sent is None], {route: sent for route, sent in rows if sent is not None}


def routes_under_way() -> dict[int, Route]:
    return {number: Route(*route) for number, *route in run_prepared(SETS_UNDER_WAY, [])}


def versions_and_owners(sets: Iterable[int]) -> dict[int, Seated]:
    """The versions in each of these sets, and their owners."""
    seated = run_prepared(SEATED, [list(sets)])
    return {number: (frozenset(versions), frozenset(owners)) for number, versions, owners in seated}


def line_spaces() -> dict[str, str]:
    """Return, by line, the space whose share of the workers it has; lines of the site itself are missing."""
    return dict(run_prepared(SPACES, []))
