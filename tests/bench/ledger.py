"""What the ledger costs: claims, reports taken in directly and through the queue, several recorders at once.

The floor beside them is the same rows written by plain SQL, in turns, with the same commits to the same disk.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from django.db import connection

from engine.records import to_plain
from engine.replay import read_replay
from tests.bench import Row
from tests.factories import a_ladder, a_version, hand_in, reports
from tests.ground import rows_of
from tournaments.ledger.dispatch import leases
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.entering import Entry, enter_results
from tournaments.ledger.recording.ordered_matches import matches_ordered
from tournaments.ledger.recording.set_reports import receive_set
from tournaments.models import Ladder, MatchSet, Result
from tournaments.ops.launcher.subprocess_group import Program, spawn_program, stop
from workers.app import app as broker
from workers.orders import RECORD_SET, SET_REPORTS, Report

SEATS, VERSIONS = 4, 8
SETS, QUEUED = 20, 50  # sets: in turns by each way, and for each number of recorders
RECORDERS = (1, 2, 3)
PATIENCE = 120.0  # seconds
AIM = 5.0  # ms for a report
TICK = os.sysconf("SC_CLK_TCK")
CELERY = (sys.executable, "-m", "celery", "-A", "tournaments.core.broker.celery_app", "worker", "--pool", "solo")
QUIETLY = ("--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat")


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder, versions = a_ladder(players=SEATS), [a_version().pk for _ in range(VERSIONS)]
    return [*directly(ladder, versions), *through_the_queue(ladder, versions)]


# --- in this process -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Way:
    """A way to claim a set and to take in its reports, and how long each took, in milliseconds."""

    claim: Callable[[MatchSet], object]
    enter: Callable[[list[Report]], object]
    claims: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)


def directly(ladder: Ladder, versions: Sequence[int]) -> Iterator[Row]:
    ours, single_reports, unverified = Way(claim, receive), Way(claim, receive_each), Way(claim, unread)
    floor = Way(bare_claim, bare_reports)
    for number in range(SETS):
        for way in (ours, single_reports, unverified, floor):
            play(way, create_set(ladder=ladder, versions=chosen(versions, number)))
    if Result.objects.filter(match__set__ladder=ladder).count() != 4 * SETS * SEATS:
        raise RuntimeError("a report was not recorded")
    how = f"{{}}, in turns with the same rows by plain SQL; ratio to the aim of {AIM:.0f} ms"
    yield from percentiles("claim", ours.claims + unverified.claims, floor.claims, how.format(f"sets of {SEATS}"))
    of_sets = f"{SETS} sets of {SEATS} reports in one message, each its share"
    yield from percentiles("report", ours.reports, floor.reports, how.format(of_sets))
    yield from percentiles(
        "report by itself", single_reports.reports, floor.reports, how.format(f"{SETS * SEATS} messages")
    )
    with_it, without = (1000 / statistics.fmean(way.reports) for way in (ours, unverified))
    how = "the same reports without reading the replay's every answer again, which the product always does; one process"
    yield Row("reports recorded, verified", with_it, "/s", "unverified", without, with_it / without, "", how)


def play(way: Way, match_set: MatchSet) -> None:
    way.claims.append(milliseconds(way.claim, match_set))
    played = reports(order_of_set(match_set, list(match_set.matches.order_by("turn"))))
    way.reports.append(milliseconds(way.enter, played) / len(played))


def claim(match_set: MatchSet) -> object:
    return leases.claim(match_set=match_set)


def receive(played: list[Report]) -> object:
    return receive_set(signed(map(to_plain, played)))


def receive_each(played: list[Report]) -> object:
    return [hand_in(to_plain(report)) for report in played]


def unread(played: list[Report]) -> object:
    matches = matches_ordered([report.match for report in played], "tester")
    return enter_results([Entry(report, matches[report.match], read_replay(report.replay)) for report in played])


def bare_claim(match_set: MatchSet) -> None:
    with bare() as sql:
        sql.execute(
            "UPDATE tournaments_match SET status = 'leased', lease = lease + 1, lease_until = now() + '2 minutes'"
            " WHERE set_id = %s AND status = 'waiting'",
            [match_set.pk],
        )
        sql.execute(
            "INSERT INTO tournaments_attempt (match_id, lease, worker, outcome, reason, failed, sent_at)"
            " SELECT id, lease, '', 'sent', '', false, now() FROM tournaments_match WHERE set_id = %s",
            [match_set.pk],
        )


def bare_reports(played: list[Report]) -> None:
    for report in played:
        bare_report(report)


def bare_report(report: Report) -> None:
    replay = read_replay(report.replay)
    with bare() as sql:
        sql.execute(
            "INSERT INTO tournaments_result (match_id, lease, worker, tier, seconds, replay, digest, recorded_at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, now())",
            [report.match, report.lease, report.worker, report.tier, report.seconds, report.replay, replay.digest],
        )
        result = replay.result
        sql.execute(
            "UPDATE tournaments_seat seat SET score = told.score, place = told.place, verdict = told.verdict,"
            " cpu_ms = told.cpu_ms, memory_mb = told.memory_mb"
            " FROM unnest(%s::int[], %s::int[], %s::text[], %s::float[], %s::float[]) WITH ORDINALITY"
            " AS told (score, place, verdict, cpu_ms, memory_mb, number)"
            " WHERE seat.match_id = %s AND seat.number = told.number - 1",
            [result.scores, result.places, result.verdicts, report.cpu_ms, report.memory_mb, report.match],
        )
        sql.execute(
            "UPDATE tournaments_attempt SET outcome = 'recorded', worker = %s, ended_at = now()"
            " WHERE match_id = %s AND lease = %s",
            [report.worker, report.match, report.lease],
        )
        sql.execute("UPDATE tournaments_match SET status = 'done', lease_until = NULL WHERE id = %s", [report.match])


@contextmanager
def bare() -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A transaction without Django, on the connection that it has."""
    with connection.connection.transaction():
        yield connection.connection


def milliseconds(what: Callable[[MatchSet], object] | Callable[[list[Report]], object], given: object) -> float:
    began = time.perf_counter()
    what(given)  # type: ignore[arg-type]
    return 1000 * (time.perf_counter() - began)


def percentiles(name: str, ours: Sequence[float], floor: Sequence[float], how: str) -> Iterator[Row]:
    for percent, aim in ((50, "<= 1"), (95, "")):
        mine, peer = (statistics.quantiles(times, n=20)[percent // 5 - 1] for times in (ours, floor))
        yield Row(f"{name}, p{percent}", mine, "ms", "plain SQL", peer, mine / AIM, aim, how)


# --- by recorders --------------------------------------------------------------------------------------------------


def through_the_queue(ladder: Ladder, versions: Sequence[int]) -> Iterator[Row]:
    alone = 0.0
    for number in RECORDERS:
        messages = list(waiting_reports(ladder, versions))
        with recorders(number) as running:
            rate, spent = recorded_by(running, messages)
        alone, count = alone or rate, sum(map(len, messages))
        how = f"{count} reports in {len(messages)} messages, first taken to last, {os.cpu_count()} cores for everything"
        how += f"; {spent:.1f} ms of a recorder's processor time for each"
        yield Row(f"reports recorded by {number}, queued", rate, "/s", "by one", alone, rate / alone, "", how)


def waiting_reports(ladder: Ladder, versions: Sequence[int]) -> Iterator[list[object]]:
    for number in range(QUEUED):
        match_set = create_set(ladder=ladder, versions=chosen(versions, number))
        yield list(map(to_plain, reports(order_of_set(match_set, leases.claim(match_set=match_set)))))


@contextmanager
def recorders(number: int) -> Iterator[list[int]]:
    """Recorders as `up` starts them; their process ids."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        running = []
        for name in (f"recorder{n}" for n in range(number)):
            command = (*CELERY, *QUIETLY, "-n", name)
            program = Program(name, command, os.environ, Path(folder) / f"{name}.log")
            running.append((program, spawn_program(program)))
        try:
            yield [process.pid for _, process in running]
        finally:
            stop(running)


def recorded_by(recorders: Sequence[int], messages: Sequence[Sequence[object]]) -> tuple[float, float]:
    """Reports a second, and the milliseconds of processor time that each took: from the first recorded to the last."""
    before, count = Result.objects.count(), sum(map(len, messages))
    hand_over_sets(messages)
    until(lambda: Result.objects.count() > before)
    began, spent, first = time.perf_counter(), sum(map(seconds_of, recorders)), Result.objects.count()
    until(lambda: Result.objects.count() == before + count)
    left = before + count - first
    return left / (time.perf_counter() - began), 1000 * (sum(map(seconds_of, recorders)) - spent) / left


def hand_over_sets(sets: Iterable[Sequence[object]]) -> None:
    """Put the reports of each set together into the queue, as match workers do."""
    for set_reports in sets:
        broker.send_task(RECORD_SET, [signed(set_reports)], queue=SET_REPORTS)


def signed(payload: Iterable[object]) -> list[object]:
    return [*payload]


def seconds_of(process: int) -> float:
    """Return the seconds of processor time, its own and that of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise RuntimeError(f"after {PATIENCE:.0f} s the recorders have not recorded what waits for them")
        time.sleep(0.02)


def chosen(versions: Sequence[int], number: int) -> list[int]:
    return [versions[(number + seat) % len(versions)] for seat in range(SEATS)]
