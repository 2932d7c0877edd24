"""Lists of matches at any depth, a million of them: what the database takes for one page.

Rows are written by SQL, after a match that the site itself has recorded: one ladder has the most, another the oldest
tenth, a third a hundred in the middle.
"""

import statistics
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.db import connection, models
from django.test import Client

from tests.bench import Row
from tests.bench.dispatch import APART, ENTRIES, SEATS, enter
from tests.factories import a_completed_set, a_ladder, a_version
from tests.ground import rows_of
from tournaments.core.broker.queues import broker
from tournaments.models import Ladder, Match, MatchSet, Result, Seat
from tournaments.web.pages import match_lists

MATCHES = 1_000_000
SETS = MATCHES // SEATS
OLD, FEW = SETS // 10, 25  # sets of the other ladders
ROUNDS = 9
AIM = 2.0  # ms


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    full, old, hundred = fill()
    newest = Match.objects.latest("pk").pk
    depths = {"newest": newest, "in the middle": newest - MATCHES // 2, "oldest": newest - MATCHES + 300}
    return [
        row(f"{name}, {depth}, {what}", look)
        for depth, match in depths.items()
        for name, what, look in looks(match, full, old, hundred)
    ]


# --- what is measured ----------------------------------------------------------------------------------------------


def looks(match: int, full: Ladder, old: Ladder, hundred: Ladder) -> list[tuple[str, str, Callable[[], object]]]:
    """Pages that begin beside the match `at`."""
    stranger, bot = AnonymousUser(), Seat.objects.get(match=match, number=0).version.bot
    ladders = {"most of it": full, "the oldest tenth": old, "a hundred": hundred}
    filters = {"all": "", "a bot": f"bot={bot.pk}&"} | {name: f"ladder={of.slug}&" for name, of in ladders.items()}
    pages: dict[str, Callable[[], object]] = {
        "all": lambda: match_lists.page_of_matches(match_lists.recorded_matches(stranger), str(match)),
        "a bot": lambda: match_lists.page_of_bot(stranger, bot, str(match)),
    }
    pages |= {name: partial(match_lists.page_of_ladder, stranger, of, str(match)) for name, of in ladders.items()}
    dealt = Match.objects.get(pk=match).created_at.isoformat().replace("+00:00", "Z")
    times = [(by, "API", partial(ask, f"{by}={dealt}")) for by in ("created_before", "recorded_before")]
    asked = [
        (name, f"API, {direction}", partial(ask, f"{by}{direction}={match}"))
        for name, by in filters.items()
        for direction in ("before", "since")
    ]
    return [*((name, "page", look) for name, look in pages.items()), *asked, *times]


def ask(query: str) -> None:
    answer = Client(SERVER_NAME="localhost").get(f"/api/v1/matches?page_size=20&{query}")
    assert answer.status_code == 200, answer.content


def row(name: str, look: Callable[[], object]) -> Row:
    took = statistics.median(milliseconds(look) for _ in range(ROUNDS))
    how = f"processor time of PostgreSQL for 20 of {MATCHES:,} matches, planning among it; median of {ROUNDS}"
    return Row(name, took, "ms", "aim", AIM, took / AIM, "<= 1", how)


def milliseconds(look: Callable[[], object]) -> float:
    """Measure the process of PostgreSQL that serves us: others have the machine too."""
    broker().flushdb()  # of the bench alone: it holds how often somebody asked
    before = spent()
    look()
    return spent() - before


def spent() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    return int(Path(f"/proc/{backend}/schedstat").read_text().split()[0]) / 1e6


# --- the rows ------------------------------------------------------------------------------------------------------


def fill() -> list[Ladder]:
    """Attempts alone are left out, which no list reads. The indexes of seats are made anew when all are there."""
    ladders = [a_ladder(players=SEATS) for _ in range(3)]
    model = [a_version() for _ in range(SEATS)]
    version = enter(ladders[0], model[0])
    played = a_completed_set(ladders[0], model)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # what is like a whole row needs no checks
        cursor.execute("SET synchronous_commit = off")
        write_all(played, ladders, version)
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("VACUUM ANALYZE")
    return ladders


def write_all(played: MatchSet, ladders: list[Ladder], version: int) -> None:
    full, old, hundred = (ladder.pk for ladder in ladders)
    match, middle = played.matches.latest("pk"), SETS // 2
    ladder = f"CASE WHEN n < {OLD} THEN {old} WHEN n / {FEW} = {middle // FEW} THEN {hundred} ELSE {full} END"
    dealt = f"now() - interval '1 s' * ({MATCHES + 100} - n)"
    the_match = f"{match.pk + 1} + n / {SEATS}"
    seated = f"{version} + (n / {SEATS * SEATS} + {APART} * ((n / {SEATS} + n) % {SEATS})) % {ENTRIES}"
    sets = {
        "id": f"{played.pk + 1} + n",
        "number": "10 + n",
        "seed": "md5(n::text)",
        "chain_id": "NULL",
        "link": "NULL",
    }
    matches = {"id": f"{match.pk + 1} + n", "set_id": f"{played.pk + 1} + n / {SEATS}", "turn": f"n % {SEATS}"}
    seats = {"number": f"n % {SEATS}", "version_id": seated, "place": f"1 + n % {SEATS}"}
    write(MatchSet, played.pk, SETS, {**sets, "ladder_id": ladder})
    write(Match, match.pk, MATCHES, {**matches, "created_at": dealt})
    write(Result, match.result.pk, MATCHES, {"match_id": f"{match.pk + 1} + n", "recorded_at": dealt})
    seat = match.seats.get(number=0).pk
    without_indexes(Seat, lambda: write(Seat, seat, SEATS * MATCHES, {**seats, "match_id": the_match}))


def without_indexes(kind: type[models.Model], fill: Callable[[], object]) -> None:
    """Fill without the indexes that no constraint needs; they are the same afterwards."""
    table = kind._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s"
            " AND indexname NOT IN (SELECT conname FROM pg_constraint)",
            [table],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
        fill()
        for _, made in indexes:
            cursor.execute(made)


def write(kind: type[models.Model], like: int, count: int, other: Mapping[str, str]) -> None:
    """Write so many rows like this one, for `n` from 0, with the columns that `other` says."""
    fields = [field for field in kind._meta.concrete_fields if not getattr(field, "generated", False)]
    columns = [str(field.column) for field in fields if field.column != "id" or "id" in other]
    values = ", ".join(other.get(column, f"model.{column}") for column in columns)
    table = kind._meta.db_table
    rows = f"{table} model, generate_series(0, {count - 1}) n WHERE model.id = {like}"
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {rows}")  # noqa: S608  all our own
