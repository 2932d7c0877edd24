"""A dump of 100,000 matches of two, the first and the next: what is new in it is nothing.

Rows are written by SQL, after a set that the site itself has recorded.
"""

import tempfile
import time
from pathlib import Path

from django.db import connection

from tests.bench import Row
from tests.bench.dispatch import enter
from tests.bench.matches import without_indexes, write
from tests.factories import a_completed_set, a_ladder, a_version
from tests.ground import rows_of
from tournaments.ledger.dumps.dump import dump
from tournaments.models import Ladder, Match, MatchSet, Result, Seat

MATCHES, SEATS, AIM = 100_000, 2, 60.0  # s


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder = fill()
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        return [row(name, ladder, Path(folder)) for name in ("the first dump", "the next, with nothing new")]


def row(name: str, ladder: Ladder, folder: Path) -> Row:
    began, cpu = time.perf_counter(), time.process_time()
    made = dump(ladder, folder)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    how = f"{MATCHES:,} matches of {SEATS}, once, on the clock"
    title = f"{name} ({cpu:.1f} s of CPU time here, {made.fresh} of {made.chunks} parts)"
    return Row(title, took, "s", "aim", AIM, took / AIM, "<= 1", how)


def fill() -> Ladder:
    ladder, model = a_ladder(players=SEATS), [a_version() for _ in range(SEATS)]
    version = enter(ladder, model[0])
    played = a_completed_set(ladder, model)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # what is like a whole row needs no checks
        write_all(played, version)
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")
    return ladder


def write_all(played: MatchSet, version: int) -> None:
    match, sets = played.matches.latest("pk"), MATCHES // SEATS
    seat, of_set = match.seats.get(number=0).pk, f"{played.pk + 1} + n / {SEATS}"
    numbered = {"id": f"{played.pk + 1} + n", "number": "10 + n", "seed": "md5(n::text)"}
    write(MatchSet, played.pk, sets, {**numbered, "chain_id": "NULL", "link": "NULL"})
    write(Match, match.pk, MATCHES, {"id": f"{match.pk + 1} + n", "set_id": of_set, "turn": f"n % {SEATS}"})
    write(Result, match.result.pk, MATCHES, {"match_id": f"{match.pk + 1} + n"})
    seated = {"number": f"n % {SEATS}", "match_id": f"{match.pk + 1} + n / {SEATS}", "place": f"1 + n % {SEATS}"}
    seated["version_id"] = f"{version} + (n / {SEATS * SEATS} + n) % 1000"
    without_indexes(Seat, lambda: write(Seat, seat, SEATS * MATCHES, seated))
