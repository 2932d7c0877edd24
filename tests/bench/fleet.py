"""How far the platform reaches: what its work costs, measured here, and a simulation of many workers with these costs.

The simulation (`tests/fleet`) is held against the real system: the processor time that dispatcher, recorder, database
and broker take for a match, with a few real workers at play.
"""

import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from django.db import connection

from engine.records import to_plain
from tests.bench import Row
from tests.bench.ledger import chosen, hand_over_sets, recorders, seconds_of, until
from tests.bench.whole_site import at_play, database_seconds, watch
from tests.factories import a_ladder, a_version, reports
from tests.fleet.model import MATCHES, MESSAGE, ORDER, REPORT, ROUND, Cost, Site, simulate
from tests.ground import rows_of
from tournaments.core.broker import queues
from tournaments.ledger.dispatch.orders import order_of_set, send_all
from tournaments.ledger.ladders import classic_elo
from tournaments.ledger.matchmaking.ladder_sets import create_sets
from tournaments.models import Attempt, Entry, Ladder, MatchSet, Result
from tournaments.ops import dispatcher as running
from workers.orders import ORDERS, Held, InHand, Order

SETS, ROUNDS = 60, 20
WORKERS, SECONDS = (10, 100, 1_000), (0.5, 5.0, 60.0)
REAL, WATCHED = (2, 8), 40  # workers, and how many matches of theirs
ROOM = 0.7  # how full a recorder may be


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladder = a_ladder(players=MATCHES)
    versions = [a_version() for _ in range(2 * MATCHES)]
    costs = costs_of(ladder, [version.pk for version in versions])
    queues.broker().flushdb()  # of the orders: the real workers would play them again
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=version.bot) for version in versions)
    return [*bare(costs), *fleets(costs), *beside_the_real(costs)]


# --- what it costs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """Of the meters: processor seconds of a process, the database and the broker; and what these two counted."""

    own: float
    database: float
    broker: float
    commits: float
    commands: float
    bytes: float

    @classmethod
    def now(cls, process: int) -> "Reading":
        info = queues.broker().info()
        busy = sum(info[f"used_cpu_{mode}"] for mode in ("sys", "user"))
        moved = info["total_net_input_bytes"] + info["total_net_output_bytes"]
        return cls(seconds_of(process), database_seconds(), busy, written(), info["total_commands_processed"], moved)

    def since(self, before: "Reading", times: int) -> Cost:
        names = Cost.__slots__
        return Cost(**{name: max(0.0, getattr(self, name) - getattr(before, name)) / times for name in names})


def costs_of(ladder: Ladder, versions: list[int]) -> dict[str, Cost]:
    """Return the cost of an idle round, of a set from its deal to its rating, of a message and of each report in it."""
    dealt = cost(os.getpid(), SETS, lambda: deal_and_send(ladder, versions))
    dealt_sets = ladder.sets.filter(status=MatchSet.Status.OPEN).order_by("pk")
    orders = [order_of_set(match_set, list(match_set.matches.order_by("turn"))) for match_set in dealt_sets]
    made_reports = [report for order in orders for report in reports(order)]
    beats = [[in_hand(order)] for order in orders]
    with recorders(1) as (recorder,):
        hand_over_sets(beats[:1])
        until(lambda: playing() == 1)
        message = cost(recorder, len(beats) - 1, lambda: handled(beats[1:], lambda: playing() == len(beats)))
        total = Result.objects.count() + len(made_reports)
        sets = [list(map(to_plain, reports(order))) for order in orders]
        of_set = cost(recorder, len(sets), lambda: handled(sets, lambda: Result.objects.count() == total))
    rated = cost(os.getpid(), SETS, classic_elo.rate)
    idle = cost(os.getpid(), ROUNDS, lambda: [running.dispatch_round() for _ in range(ROUNDS)])
    return {ROUND: idle, ORDER: added(dealt, rated), MESSAGE: message, REPORT: share(of_set, message)}


def in_hand(order: Order) -> object:
    return to_plain(InHand("tester/1", [Held(match.match, match.lease, match.secret) for match in order.matches]))


def share(of_set: Cost, message: Cost) -> Cost:
    """Return what each report of a set took beside the message."""
    names = Cost.__slots__
    return Cost(**{name: max(0.0, getattr(of_set, name) - getattr(message, name)) / MATCHES for name in names})


def cost(process: int, times: int, work: Callable[[], object]) -> Cost:
    before = Reading.now(process)
    work()
    return Reading.now(process).since(before, times)


def added(part: Cost, other: Cost) -> Cost:
    return Cost(*(getattr(part, name) + getattr(other, name) for name in Cost.__slots__))


def deal_and_send(ladder: Ladder, versions: list[int]) -> None:
    """Deal and send a wave at once, as the dispatcher does."""
    sets = create_sets(ladder, [chosen(versions, number) for number in range(SETS)])
    send_all([(match_set, ORDERS) for match_set in sets])


def handled(sets: list[list[object]], done: Callable[[], bool]) -> None:
    hand_over_sets(sets)
    until(done)


def playing() -> int:
    return Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING).count()


def written() -> float:
    """How many transactions have written something."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        return float(cursor.fetchone()[0])


def bare(costs: Mapping[str, Cost]) -> Iterator[Row]:
    for kind, spent in costs.items():
        process = "recorder" if kind in (MESSAGE, REPORT) else "dispatcher"
        broker = f"{spent.broker * 1e6:.0f} us of the broker, {spent.commands:.0f} commands, {spent.bytes / 1e3:.1f} kB"
        how = f"the {process}'s, beside the database's; and {broker} to and from it, {spent.commits:.1f} commits"
        ratio = spent.own / max(spent.database, 1e-6)
        yield Row(f"processor time: {kind}", 1000 * spent.own, "ms", "database", 1000 * spent.database, ratio, "", how)


# --- what it comes to ----------------------------------------------------------------------------------------------


def fleets(costs: Mapping[str, Cost]) -> Iterator[Row]:
    for workers in WORKERS:
        for seconds in SECONDS:
            yield fleet(costs, workers, seconds)


def fleet(costs: Mapping[str, Cost], workers: int, seconds: float) -> Row:
    out, goal = simulate(Site(workers, seconds), costs), workers / seconds
    times = a_match(costs, seconds)
    recording = sum(times[kind] * (costs[kind].own + costs[kind].database) for kind in (MESSAGE, REPORT))
    needed = {
        name: goal * sum(often * getattr(costs[kind], name) for kind, often in times.items())
        for name in ("database", "broker", "commits", "commands", "bytes")
    }
    loads = ", ".join(f"{name} {load:.0%}" for name, load in out.load.items())
    how = (
        f"simulated, one recorder: {loads}. All of it needs "
        f"{ceil(goal * recording / ROOM)} recorders, {goal * times[ORDER] * costs[ORDER].own:.1f} dispatchers, "
        f"{needed['database']:.1f} cores of the database and {needed['broker']:.2f} of the broker, "
        f"{needed['commits']:,.0f} commits/s, {needed['commands']:,.0f} commands/s, {needed['bytes'] / 1e6:.1f} MB/s"
    )
    name = f"{workers:,} workers, matches of {seconds:g} s"
    return Row(name, out.matches, "/s", "they could play", goal, out.matches / goal, "", how)


def a_match(costs: Mapping[str, Cost], seconds: float) -> dict[str, float]:
    """How often each kind of work comes for one match, where nothing is full."""
    work = simulate(Site(10, seconds, recorders=10), costs).work
    return {kind: work[kind] / work[REPORT] for kind in (ORDER, MESSAGE, REPORT)}


# --- and what is so ------------------------------------------------------------------------------------------------


def beside_the_real(costs: Mapping[str, Cost]) -> Iterator[Row]:
    """The dispatcher looks around whether there is work or not, less often on a busy machine than the model does."""
    for workers in REAL:
        with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder, at_play(Path(folder), workers) as crew:
            real = watch(crew, WATCHED)
        seconds = seconds_of_a_match(real.matches)
        simulated = simulate(Site(workers, seconds), costs)
        model = {
            "dispatcher": sum(simulated.work[kind] * costs[kind].own for kind in (ROUND, ORDER)),
            "recorder": sum(simulated.work[kind] * costs[kind].own for kind in (MESSAGE, REPORT)),
            "database": sum(simulated.work[kind] * costs[kind].database for kind in costs),
        }
        how = f"{workers} real workers on {os.cpu_count()} cores, {real.matches} matches of {seconds:.2f} s; CPU time"
        for part, spent in model.items():
            name, ours = f"{part} a match, {workers} workers, simulated", 1000 * spent / simulated.matches
            yield Row(name, ours, "ms", "in fact", real.ms[part], ours / real.ms[part], "", how)


def seconds_of_a_match(latest: int) -> float:
    """The mean of so many of the latest."""
    return statistics.fmean(list(Result.objects.order_by("-pk").values_list("seconds", flat=True)[:latest]))
