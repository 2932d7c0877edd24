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
from django.conf import settings
from django.db import connection

from engine.records import to_plain
from engine.replay import read
from tests.bench import Row
from tests.factories import a_ladder, a_version, hand_in, reports
from tests.ground import rows_of
from tournaments.dispatch import leases
from tournaments.dispatch.orders import order_for
from tournaments.launcher.subprocess_group import Program, spawn, stop
from tournaments.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, MatchSet, Result, Seat
from tournaments.recording import reports as recording
from workers.app import app as broker
from workers.identity import derive
from workers.orders import RECORD, REPORTS, Report

SEATS, VERSIONS = 4, 8
SETS, QUEUED = 20, 50  # sets: in turns by each way, and for each number of recorders
RECORDERS = (1, 2, 3)
PATIENCE = 120.0  # seconds
AIM = 15.0  # ms
CELERY = (sys.executable, "-m", "celery", "-A", "tournaments.broker.celery_app", "worker", "--pool", "solo")
QUIETLY = ("--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat")


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder, versions = a_ladder(players=SEATS), [a_version().pk for _ in range(VERSIONS)]
    return [*directly(ladder, versions), *through_the_queue(ladder, versions)]


# --- in this process -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Way:
    """A way to claim a set and to take in a report, and how long each took, in milliseconds."""

    claim: Callable[[MatchSet], object]
    enter: Callable[[Report], object]
    claims: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)


def directly(ladder: Ladder, versions: Sequence[int]) -> Iterator[Row]:
    ours, unverified, floor = Way(claim, receive), Way(claim, unread), Way(bare_claim, bare_report)
    for number in range(SETS):
        for way in (ours, unverified, floor):
            play(way, create_set(ladder=ladder, versions=chosen(versions, number)))
    if Result.objects.filter(match__set__ladder=ladder).count() != 3 * SETS * SEATS:
        raise RuntimeError("a report was not recorded")
    how = f"{{}}, in turns with the same rows by plain SQL; ratio to the aim of {AIM:.0f} ms"
    yield from percentiles("claim", ours.claims + unverified.claims, floor.claims, how.format(f"sets of {SEATS}"))
    yield from percentiles("report", ours.reports, floor.reports, how.format(f"{SETS * SEATS} reports"))
    with_it, without = (1000 / statistics.fmean(way.reports) for way in (ours, unverified))
    how = "the same reports without reading the replay's every answer again, which the product always does; one process"
    yield Row("reports recorded, verified", with_it, "/s", "unverified", without, with_it / without, "", how)


def play(way: Way, match_set: MatchSet) -> None:
    way.claims.append(milliseconds(way.claim, match_set))
    for report in reports(order_for(match_set, list(match_set.matches.order_by("turn")))):
        way.reports.append(milliseconds(way.enter, report))


def claim(match_set: MatchSet) -> object:
    return leases.claim(match_set=match_set)


def receive(report: Report) -> object:
    return hand_in(to_plain(report))


def unread(report: Report) -> object:
    seats = Seat.objects.filter(match=report.match).order_by("number")
    return recording._enter(report, read(report.replay), list(seats))


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


def bare_report(report: Report) -> None:
    replay = read(report.replay)
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


def milliseconds(what: Callable[[MatchSet], object] | Callable[[Report], object], given: object) -> float:
    began = time.perf_counter()
    what(given)  # type: ignore[arg-type]
    return 1000 * (time.perf_counter() - began)


def percentiles(name: str, ours: Sequence[float], floor: Sequence[float], how: str) -> Iterator[Row]:
    for percent, aim in ((50, "<= 1"), (95, "")):
        mine, theirs = (statistics.quantiles(times, n=20)[percent // 5 - 1] for times in (ours, floor))
        yield Row(f"{name}, p{percent}", mine, "ms", "plain SQL", theirs, mine / AIM, aim, how)


# --- by recorders --------------------------------------------------------------------------------------------------


def through_the_queue(ladder: Ladder, versions: Sequence[int]) -> Iterator[Row]:
    alone = 0.0
    for number in RECORDERS:
        messages = [to_plain(report) for report in waiting_reports(ladder, versions)]
        with recorders(number):
            rate = len(messages) / seconds_to_record(messages)
        alone = alone or rate
        how = f"{len(messages)} reports in the queue, first taken to last, {os.cpu_count()} cores for everything"
        yield Row(f"reports recorded by {number}, queued", rate, "/s", "by one", alone, rate / alone, "", how)


def waiting_reports(ladder: Ladder, versions: Sequence[int]) -> Iterator[Report]:
    for number in range(QUEUED):
        match_set = create_set(ladder=ladder, versions=chosen(versions, number))
        yield from reports(order_for(match_set, leases.claim(match_set=match_set)))


@contextmanager
def recorders(number: int) -> Iterator[list[int]]:
    """Recorders as `up` starts them; their process ids."""
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        running = []
        for name in (f"recorder{n}" for n in range(number)):
            command = (*CELERY, *QUIETLY, "-n", name)
            program = Program(name, command, os.environ, Path(folder) / f"{name}.log")
            running.append((program, spawn(program)))
        try:
            yield [process.pid for _, process in running]
        finally:
            stop(running)


def seconds_to_record(messages: Sequence[object]) -> float:
    """From the first that is recorded of these reports to the last."""
    before = Result.objects.count()
    hand_over(messages)
    until(lambda: Result.objects.count() > before)
    began, first = time.perf_counter(), Result.objects.count()
    until(lambda: Result.objects.count() == before + len(messages))
    return (time.perf_counter() - began) * len(messages) / (before + len(messages) - first)


def hand_over(messages: Iterable[object]) -> None:
    """Into the queue, signed, as match workers do."""
    tester = derive("tester", settings.WORKER_TOKEN)
    for report in messages:
        broker.send_task(RECORD, [report, tester.sign(report)], queue=REPORTS)


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise RuntimeError(f"after {PATIENCE:.0f} s the recorders have not recorded what waits for them")
        time.sleep(0.02)


def chosen(versions: Sequence[int], number: int) -> list[int]:
    return [versions[(number + seat) % len(versions)] for seat in range(SEATS)]
