"""A round of the dispatcher, part by part, with 100,000 matches waiting and 10,000 entries in their ladder.

What is played and what waits is copied by SQL from sets that the site itself has made, with other bots in it.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial

from django.db import connection, models
from django.http import QueryDict
from django.utils import timezone

from tests.bench import Row
from tests.factories import a_completed_set, a_ladder, a_user, a_version, rate
from tests.ground import rows_of
from tournaments.core.broker import queues
from tournaments.features.events import lifecycle
from tournaments.features.trials import rules as trials
from tournaments.ledger.dispatch import orders
from tournaments.ledger.dispatch.fair_share import SETS_A_WORKER
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.sweep import sweep_leases
from tournaments.ledger.ladders import classic_elo, official_fit
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking import ladder_sets
from tournaments.ledger.matchmaking.ladder_sets import create_set, create_sets
from tournaments.models import Attempt, Bot, Entry, Ladder, Match, MatchSet, Rating, Result, Seat, Version
from tournaments.ratings.ranks import EACH, Rated, sure, tukey
from tournaments.web.pages.standings_filter import standings_page
from workers import process_heartbeats
from workers.orders import ORDERS, TAG
from workers.process_heartbeats import OnlineProcess

SEATS, ENTRIES = 4, 10_000
WAITING, PLAYED = 25_000, 5_000  # sets
CREW, ROUNDS = 1_000, 5
AIM = 100.0  # ms
DEALT, SETS_WANTED = 500, 500.0  # sets; and so many a second
APART = 2503  # from one bot of a set to the next


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder = fill()
    return [*a_round(), *pairing_of(ladder), *sets_a_second(ladder), *tables_of(ladder)]


# --- what is measured ----------------------------------------------------------------------------------------------


def a_round() -> Iterator[Row]:
    """Measure a round with all workers at play and the queue full: to see that nothing is to be done is usual."""
    first = milliseconds(orders.dispatch)
    while MatchSet.objects.filter(status=MatchSet.Status.OPEN, needs="").exists():
        orders.dispatch()
    busy()
    parts: dict[str, Callable[[], object]] = {
        "sweep": sweep_leases,
        "rate": classic_elo.rate,
        "fit": official_fit.refit_due,
        "trials": trials.deal_trials,
        "events": lifecycle.advance_events,
        "pair, no room": ladder_sets.pair,
        "dispatch, no room": orders.dispatch,
    }
    times = {name: [milliseconds(part) for _ in range(ROUNDS)] for name, part in parts.items()}
    yield row("dispatch, all new", first, f"the first after {WAITING:,} sets were dealt at once, once")
    crowd = f"{SEATS * WAITING:,} matches wait, {ENTRIES:,} entries, {CREW:,} workers at play"
    how = f"{crowd}; median of {ROUNDS}; ratio to the aim of {AIM:.0f} ms"
    floor = statistics.median(milliseconds(ping) for _ in range(20))
    sums = [sum(spent) for spent in zip(*times.values(), strict=True)]
    for name, spent in [*times.items(), ("the whole round", sums)]:
        took = statistics.median(spent)
        yield Row(name, took, "ms", "SELECT 1", floor, took / AIM, "<= 1" if name == "the whole round" else "", how)


def busy() -> None:
    """Workers that say that they are here, a set in the hands of each, and as many more sent as they may have."""
    until = time.time() + 3600
    crew = [str(OnlineProcess.of(f"worker{n}/1", TAG, ["python"])) for n in range(CREW)]
    queues.broker().zadd(process_heartbeats.WORKERS, dict.fromkeys(crew, until))
    waiting = MatchSet.objects.filter(status=MatchSet.Status.OPEN, matches__status=Match.Status.WAITING).distinct()
    sent = list(waiting.order_by("pk").values_list("pk", flat=True)[: (1 + SETS_A_WORKER) * CREW])
    matches = Match.objects.filter(set__in=sent)
    matches.update(status=Match.Status.LEASED, lease=1, lease_until=timezone.now() + timedelta(hours=1))
    holders = {pk: f"worker{n}/1" for n, pk in enumerate(sent[:CREW])}
    Attempt.objects.bulk_create(
        Attempt(match_id=pk, lease=1, worker=holders.get(of, ""), outcome="playing" if of in holders else "sent")
        for pk, of in matches.values_list("pk", "set")
    )


def pairing_of(ladder: Ladder) -> Iterator[Row]:
    """Measure a claim, then a wave of a ladder of which nothing waits any more."""
    waiting = MatchSet.objects.filter(ladder=ladder, status=MatchSet.Status.OPEN).order_by("-pk")
    claims = [milliseconds(partial(claim, match_set=match_set)) for match_set in waiting[:20]]
    yield row("claim of a set", statistics.median(claims), f"of 20, {SEATS} matches each, while the others wait")
    Match.objects.filter(status=Match.Status.WAITING).update(status=Match.Status.CANCELLED)
    Match.objects.filter(status=Match.Status.LEASED).update(status=Match.Status.CANCELLED, lease_until=None)
    Attempt.objects.filter(ended_at=None).update(outcome=Attempt.Outcome.EXPIRED, ended_at=timezone.now(), worker="")
    queues.broker().delete(process_heartbeats.WORKERS)
    waiting.update(status=MatchSet.Status.CANCELLED, ended_at=timezone.now())
    took = milliseconds(ladder_sets.pair)
    yield row("pair, with room", took, f"the sets for one worker out of {ENTRIES:,} entries, once")


def sets_a_second(ladder: Ladder) -> Iterator[Row]:
    """Measure sets dealt, claimed and sent by one dispatcher, while nothing else is done."""
    active = Version.objects.filter(bot__entries__ladder=ladder, status=Version.Status.ACTIVE).order_by("pk")
    bots = list(active.values_list("pk", flat=True)[: SEATS * DEALT])
    tables = [bots[begin : begin + SEATS] for begin in range(0, len(bots), SEATS)]
    began, before = time.perf_counter(), time.process_time()
    sets = create_sets(ladder, tables)
    for begin in range(0, len(sets), orders.TOGETHER):
        orders.send_all([(match_set, ORDERS) for match_set in sets[begin : begin + orders.TOGETHER]])
    took, cpu = time.perf_counter() - began, time.process_time() - before
    queues.broker().delete(ORDERS)
    for name, seconds in (("sets dealt and sent", took), ("the same by processor time", cpu)):
        rate = len(sets) / seconds
        yield Row(name, rate, "/s", "wanted", SETS_WANTED, rate / SETS_WANTED, ">= 1", f"{len(sets)} sets of {SEATS}")


def tables_of(ladder: Ladder) -> Iterator[Row]:
    ratings = list(Rating.objects.filter(ladder=ladder).values_list("elo", "sd"))
    rated = [Rated(elo or 0.0, sd or 0.0) for elo, sd in ratings]
    yield row("standings", milliseconds(lambda: standings(ladder)), f"{ENTRIES:,} entries, from the database, once")
    pages = [milliseconds(lambda: standings_page(ladder, QueryDict("page=100"))) for _ in range(ROUNDS)]
    yield row("a page of them", statistics.median(pages), f"50 lines in the middle; median of {ROUNDS}")
    yield row(
        "fit and its table", milliseconds(lambda: official_fit.refit(ladder=ladder)), f"{PLAYED:,} sets, the first"
    )
    took = milliseconds(lambda: [sure(rated, z) for z in (EACH, tukey(len(rated)))])
    yield row("of which rank ranges", took, f"of {len(rated):,} bots, each and all at once, once")


def row(name: str, took: float, how: str) -> Row:
    return Row(name, took, "ms", "a round's aim", AIM, took / AIM, "", how)


def milliseconds(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return 1000 * (time.perf_counter() - began)


def ping() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


# --- the rows ------------------------------------------------------------------------------------------------------


def fill() -> Ladder:
    ladder, model = a_ladder(players=SEATS), [a_version() for _ in range(SEATS)]
    first = enter(ladder, model[0])
    played = a_completed_set(ladder, model)
    waiting = create_set(ladder=ladder, versions=[version.pk for version in model])
    rate()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # what is copied from whole rows needs no checks
        copy_sets(played, PLAYED, number=10, first=first)
        copy_sets(waiting, WAITING, number=10 + PLAYED, first=first)
        rated = {"version_id": f"{first} + n - 1", "elo": "1500 + 200 * sin(n)", "sd": "40 + n % 60"}
        copy(Rating, Rating.objects.filter(version=model[0]), f"generate_series(1, {ENTRIES}) n", rated)
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")
    return ladder


def enter(ladder: Ladder, model: Version) -> int:
    """Enter as many bots in the ladder as there are to be, two of an owner. Returns the first one's version."""
    owners = [a_user() for _ in range(20)]
    bots = Bot.objects.bulk_create(
        Bot(owner=owners[n % len(owners)], game=ladder.game, name=f"many {n}") for n in range(ENTRIES)
    )
    versions = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            bundle_id=model.bundle_id,
            filename="bot.py",
            status=Version.Status.ACTIVE,
            need=model.need,
        )
        for bot in bots
    )
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=bot, paired_at=timezone.now()) for bot in bots)
    return versions[0].pk


def copy_sets(made: MatchSet, sets: int, *, number: int, first: int) -> None:
    """Make as many sets like this one, numbered from `number` on, of other bots."""
    copy(
        MatchSet,
        MatchSet.objects.filter(pk=made.pk),
        f"generate_series(0, {sets - 1}) n",
        {"number": f"{number} + n", "seed": "md5(n::text)", "chain_id": "NULL", "link": "NULL"},
    )
    copies = f"tournaments_matchset made WHERE made.number BETWEEN {number} AND {number + sets - 1}"
    copy(Match, made.matches.all(), copies, {"set_id": "made.id"})
    of_match = (
        "tournaments_match old, tournaments_match twin, tournaments_matchset made"
        f" WHERE old.id = model.match_id AND twin.turn = old.turn AND made.id = twin.set_id"
        f" AND made.number BETWEEN {number} AND {number + sets - 1}"
    )
    version = f"{first} + (made.number + {APART} * ((old.turn + model.number) % {SEATS})) % {ENTRIES}"
    copy(Seat, Seat.objects.filter(match__set=made), of_match, {"match_id": "twin.id", "version_id": version})
    copy(Attempt, Attempt.objects.filter(match__set=made), of_match, {"match_id": "twin.id"})
    copy(Result, Result.objects.filter(match__set=made), of_match, {"match_id": "twin.id"})


def copy(
    kind: type[models.Model], rows: "models.QuerySet[models.Model]", source_rows: str, other: Mapping[str, str]
) -> None:
    """Copy the rows, called `model` in SQL, once for each of `source_rows`, with the columns that `other` says."""
    table, key = kind._meta.db_table, kind._meta.pk
    fields = [f for f in kind._meta.concrete_fields if f is not key and not getattr(f, "generated", False)]
    columns = [str(f.column) for f in fields]
    values = ", ".join(other.get(column, f"model.{column}") for column in columns)
    chosen = ", ".join(str(pk) for pk in rows.values_list("pk", flat=True)) or "NULL"
    source, _, condition = source_rows.partition(" WHERE ")
    where = f"model.id IN ({chosen})" + (f" AND {condition}" if condition else "")
    with connection.cursor() as cursor:
        into = f"INSERT INTO {table} ({', '.join(columns)})"
        cursor.execute(f"{into} SELECT {values} FROM {table} model, {source} WHERE {where}")  # noqa: S608  all our own
