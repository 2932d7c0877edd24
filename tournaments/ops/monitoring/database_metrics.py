"""Metrics from the database. No statement reads more than what is open and the last minutes."""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from prometheus_client.metrics_core import Metric

from tournaments.ops.monitoring.counters import ATTEMPTS, FAULTS, RESULTS, Totals
from tournaments.ops.monitoring.prometheus import by, counter, counters, gauge, gauges
from tournaments.ops.monitoring.workers_wanted import workers_wanted

QUEUE = """
    SELECT CASE WHEN checks_id IS NOT NULL THEN 'check' WHEN event_id IS NOT NULL THEN 'event'
                WHEN trial_id IS NOT NULL THEN 'trial' WHEN rechecks_id IS NOT NULL THEN 'recheck'
                WHEN asked_by_id IS NOT NULL THEN 'request' ELSE 'ladder' END AS kind,
        coalesce(ladder.slug, ''),
        CASE left(open.needs, 1) WHEN '@' THEN '@' ELSE regexp_replace(open.needs, '^.*:', '') END, count(*),
        extract(epoch FROM statement_timestamp() - min(open.created_at))
    FROM tournaments_matchset AS open LEFT JOIN tournaments_ladder AS ladder ON ladder.id = open.ladder_id
    WHERE open.status = 'open' AND NOT EXISTS (
        SELECT FROM tournaments_attempt AS attempt JOIN tournaments_match AS match ON match.id = attempt.match_id
        WHERE match.set_id = open.id AND attempt.outcome = 'playing'
    ) GROUP BY 1, 2, 3
"""
MATCHES = """
    SELECT 'waiting', count(*) FROM tournaments_match WHERE status = 'waiting'
    UNION ALL SELECT 'leased', count(*) FROM tournaments_match WHERE status = 'leased'
    UNION ALL SELECT 'quarantined', count(*) FROM tournaments_match WHERE status = 'quarantined'
    UNION ALL SELECT 'cancelled', count(*) FROM tournaments_match WHERE status = 'cancelled'
"""
EXAMINATIONS = """
    SELECT 'waiting', count(*) FROM tournaments_examination WHERE status = 'waiting'
    UNION ALL SELECT 'asked', count(*) FROM tournaments_examination WHERE status = 'asked'
"""
OVERDUE = """
    SELECT coalesce(extract(epoch FROM statement_timestamp() - min(lease_until)), 0) FROM tournaments_match
    WHERE status = 'leased' AND lease_until < statement_timestamp()
"""
LAST_MINUTE = "SELECT count(*) FROM tournaments_result WHERE recorded_at > statement_timestamp() - interval '1 minute'"
FITS = """
    SELECT ladder.slug, extract(epoch FROM statement_timestamp() - made_at) FROM tournaments_fit
    JOIN tournaments_ladder AS ladder ON ladder.id = ladder_id
"""
PROMISES = """
    SELECT coalesce(sum(broken), 0), count(*) FILTER (WHERE next_by < statement_timestamp()) FROM tournaments_entry
    WHERE broken > 0 OR next_by IS NOT NULL
"""
SPOT_CHECKS = """
    SELECT CASE WHEN reason IN ('confirmed', 'different') THEN reason ELSE 'nothing' END, count(*)
    FROM tournaments_matchset WHERE rechecks_id IS NOT NULL AND status = 'complete' AND reason <> '' GROUP BY 1
"""
FAILING = """
    SELECT loop, CASE WHEN next_try_at IS NULL THEN 'set aside' ELSE 'tried again' END, count(*)
    FROM tournaments_failingitem GROUP BY 1, 2
"""
BACKUP = "SELECT extract(epoch FROM statement_timestamp() - at) FROM tournaments_upkeep WHERE what = 'backup'"
MENDED = """
    SELECT extract(epoch FROM statement_timestamp() - max(at)) FROM tournaments_act
    WHERE kind = 'ratings_mended' HAVING count(*) > 0
"""
BLOCKED = "SELECT count(*) FROM tournaments_worker WHERE status = 'blocked'"

results, attempts, faults = Totals(RESULTS), Totals(ATTEMPTS), Totals(FAULTS)


def read_database_metrics() -> Iterator[Metric]:
    yield from queue()
    yield from totals()
    yield gauges("matches", "Matches by status, but for those that are done.", ["status"], by(dict(select(MATCHES))))
    examinations = by(dict(select(EXAMINATIONS)))
    yield gauges("examinations", "Examinations by status, but for those that are over.", ["status"], examinations)
    yield gauge("matches_last_minute", "Matches recorded in the last minute.", scalar(LAST_MINUTE))
    yield gauge("lease_overdue_seconds", "For how long the oldest lease has been over, not yet swept.", scalar(OVERDUE))
    yield gauges("fit_age_seconds", "Since the exact fit of a ladder's ratings.", ["ladder"], by(dict(select(FITS))))
    yield gauge("workers_blocked", "Match workers that nobody believes any more.", scalar(BLOCKED))
    yield gauge("workers_wanted", "Match workers that would end in ten minutes what waits now.", workers_wanted())
    yield from promises()
    failing = [([loop, state], float(count)) for loop, state, count in select(FAILING)]
    yield gauges("failing_items", "Items that failed and have not passed since.", ["loop", "state"], failing)
    mended = "Since the classic ratings of a ladder were mended by its results; absent if they never were."
    yield gauges("ratings_mended_age_seconds", mended, [], unlabelled(MENDED))
    yield gauges("backup_age_seconds", "Since the last backup; absent if there was none.", [], unlabelled(BACKUP))


def queue() -> Iterator[Metric]:
    waiting = select(QUEUE)
    labels = ["kind", "ladder", "needs"]  # the last: what their bots need of a worker, or @: one by name
    sets = [(labelled, float(count)) for *labelled, count, _ in waiting]
    ages = [(labelled, float(age)) for *labelled, _, age in waiting]
    yield gauges("queue_sets", "Open sets that no worker plays yet.", labels, sets)
    yield gauges("queue_age_seconds", "Since the oldest of them was made.", labels, ages)


def totals() -> Iterator[Metric]:
    yield counters(
        "results", "Matches recorded, by the sandbox that they were played in.", ["tier"], by(results.read())
    )
    yield counters("attempts", "Attempts that are over, by how they ended.", ["outcome"], by(attempts.read()))
    yield counters("faults", "Faults of bots in recorded matches.", ["verdict"], by(faults.read()))
    concluded = by(dict(select(SPOT_CHECKS)))
    yield counters("spot_checks", "Matches played again, by what that showed.", ["conclusion"], concluded)


def promises() -> Iterator[Metric]:
    ((broken, overdue),) = select(PROMISES)
    yield counter("promises_broken", "Promised waits that were not kept.", float(broken))
    yield gauge("promises_overdue", "Entries that wait longer than they were promised now.", float(overdue))


def select(sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def scalar(sql: str) -> float:
    return float(select(sql)[0][0])


def unlabelled(sql: str) -> list[tuple[list[str], float]]:
    return [([], float(value)) for (value,) in select(sql)]
