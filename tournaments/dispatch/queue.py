"""The waiting sets for `fair_share` to choose from. Only the heads of lines are read, never all sets."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import timedelta
from functools import cache
from math import ceil
from typing import NamedTuple

from django.contrib.postgres.aggregates import BoolOr, StringAgg
from django.db import connection
from django.db.models import Case, CharField, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from tournaments.broker.available_workers import AvailableWorkers, Queue
from tournaments.broker.failing_items import FAILING_ITEMS
from tournaments.dispatch.fair_share import AGAIN, CHECK, OWNER, VERSION, Floor, Holder, Waiting, choose
from tournaments.dispatch.match_durations import Paces
from tournaments.dispatch.open_sets import UNDER_WAY
from tournaments.models import Attempt, Ladder, Match, MatchSet, Seat
from workers.sandbox.wasm import TIER

SETS_A_WORKER = 2  # in the queue, so that nobody waits and leases are short
LOOK = 16  # sets at the head of each line are looked at, or the line's part of the room if that is more
BATCH = 1000  # sets that are written to at once
PACES = Paces()
SERVED: dict[str, int] = {}  # which line was served when; a dispatcher that begins anew may do without

# One step of the index from each way to the next, however many sets wait there.
WAYS = """
WITH RECURSIVE way AS (
    (SELECT line, game, rules, needs FROM tournaments_matchset WHERE status = 'open' ORDER BY 1, 2, 3, 4 LIMIT 1)
    UNION ALL
    SELECT following.* FROM way, LATERAL (
        SELECT line, game, rules, needs FROM tournaments_matchset
        WHERE status = 'open' AND (line, game, rules, needs) > (way.line, way.game, way.rules, way.needs)
        ORDER BY 1, 2, 3, 4 LIMIT 1
    ) AS following
)
SELECT * FROM way
"""


class Route(NamedTuple):
    """Where a set waits, and what it needs of a worker."""

    line: str
    game: str
    rules: int
    needs: str  # languages, sorted, with commas between


QueueOf = Callable[[Route], Queue]


def next_sets(online: AvailableWorkers, pause: timedelta) -> list[tuple[MatchSet, str]]:
    """The sets to send now, in order, with their queues. A set with a failed match is skipped for `pause`."""
    _write_needs()
    ways, queue_of = _ways(), cache(lambda way: online.queue_of(way.game, way.rules, way.needs))
    floor = _floor(queue_of, ways)
    ways = [way for way in ways if floor.room[queue_of(way).name] > 0]
    waiting = [each for way in ways for each in _heads(way, queue_of(way).name, pause, floor, len(ways))]
    chosen = choose(waiting, floor)
    sets = MatchSet.objects.select_related("ladder", "checks").in_bulk([each.set for each in chosen])
    return [(sets[each.set], each.queue) for each in chosen]


def _write_needs() -> None:
    """Write to every new set what its bots need of a worker."""
    seats = Seat.objects.filter(match__set=OuterRef("pk")).order_by().values("match__set")
    needs = StringAgg("version__need", ",", distinct=True, order_by="version__need")
    by_seats = Coalesce(
        Subquery(seats.annotate(needs=needs).values("needs")), Value("python"), output_field=CharField()
    )
    fuel = Q(ladder__in=Ladder.objects.filter(division=Ladder.Division.FUEL))
    fresh = MatchSet.objects.filter(status=MatchSet.Status.OPEN, needs="").order_by("pk").values("pk")[:BATCH]
    MatchSet.objects.filter(pk__in=fresh).update(needs=Case(When(fuel, then=Value(TIER)), default=by_seats))


def _ways() -> list[Route]:
    with connection.cursor() as cursor:
        cursor.execute(WAYS)
        return [way for way in map(Route._make, cursor.fetchall()) if way.needs]


def _floor(queue_of: QueueOf, ways: Iterable[Route]) -> Floor:
    """The holders of workers now, and how many more sets each queue takes."""
    sets = Attempt.objects.filter(outcome__in=UNDER_WAY).order_by().values("match__set")
    playing = sets.annotate(playing=BoolOr(Q(outcome=Attempt.Outcome.PLAYING)))
    rows = list(playing.values_list("match__set", "playing", *(f"match__set__{part}" for part in Route._fields)))
    way_of = {number: Route(*way) for number, _, *way in rows}
    workers = dict(map(queue_of, {*ways, *way_of.values()}))
    room = Counter({queue: SETS_A_WORKER * count for queue, count in workers.items()})
    room.subtract(queue_of(way_of[number]).name for number, begun, *_ in rows if not begun)
    floor = Floor(workers, room, served=SERVED)
    if max(room.values(), default=0) <= 0:  # nothing will be chosen, so who sits where need not be known
        return floor
    for each in _seated({number: (way.line, queue_of(way).name) for number, way in way_of.items()}):
        floor.take(each)
    return floor


def _heads(way: Route, queue: str, pause: timedelta, floor: Floor, lines: int) -> list[Waiting]:
    """The oldest waiting sets. If all of these contain versions with too many sets, also the next without them."""
    sets, most = _waiting(way, pause), max(LOOK, ceil(floor.room[queue] / lines))
    heads = _look(sets, way.line, queue, most)
    if len(heads) == most and not any(floor.admits(each, strictly=True) for each in heads):
        heads += _look(sets.exclude(_with(floor.crowded(queue, heads))), way.line, queue, most)
    return heads


def _look(sets: QuerySet[MatchSet], line: str, queue: str, most: int) -> list[Waiting]:
    return _seated(dict.fromkeys(sets.order_by("pk").values_list("pk", flat=True)[:most], (line, queue)))


def _waiting(way: Route, pause: timedelta) -> QuerySet[MatchSet]:
    matches = Match.objects.filter(set=OuterRef("pk"), status=Match.Status.WAITING)
    failed = Attempt.objects.filter(match__set=OuterRef("pk"), failed=True, ended_at__gt=Now() - pause)
    sets = MatchSet.objects.filter(Exists(matches), ~Exists(failed), status=MatchSet.Status.OPEN, **way._asdict())
    return sets.exclude(pk__in=[int(item.split()[-1]) for item in FAILING_ITEMS.resting("orders")])


def _with(holders: Collection[Holder]) -> Exists:
    """Whether one of these sits in the set."""
    versions = [who for kind, who in holders if kind == VERSION]
    owners = [who for kind, who in holders if kind == OWNER]
    seated = Q(version__in=versions) | Q(version__bot__owner__in=owners)
    return Exists(Seat.objects.filter(seated, match__set=OuterRef("pk")))


def _seated(places: Mapping[int, tuple[str, str]]) -> list[Waiting]:
    """These sets with their lines, queues and versions."""
    one_each = Match.objects.filter(set__in=places).order_by("set", "pk").distinct("set").values_list("pk", flat=True)
    seats = Seat.objects.filter(match__in=list(one_each)).order_by()  # all matches of a set have the same bots
    versions: dict[int, set[int]] = defaultdict(set)
    owners: dict[int, set[int]] = defaultdict(set)
    for number, version, owner in seats.values_list("match__set", "version", "version__bot__owner"):
        versions[number].add(version)
        owners[number].add(owner)
    PACES.learn(set().union(*versions.values()))
    return [_one(number, place, versions[number], owners[number]) for number, place in places.items()]


def _one(number: int, place: tuple[str, str], versions: Collection[int], owners: Collection[int]) -> Waiting:
    line, queue = place
    matches = 1 if line in (CHECK, AGAIN) else len(versions)
    return Waiting(number, line, queue, frozenset(versions), frozenset(owners), PACES.slow(versions, matches))
