"""The waiting sets for `fair_share` to choose from. Only the heads of lines are read, never all sets."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from math import ceil

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import SPACE_ENDS, AvailableWorkers, Queue
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.ledger.dispatch import open_lines
from tournaments.ledger.dispatch.check_turns import house, is_resting, owners_over_budget, unbegun
from tournaments.ledger.dispatch.fair_share import (
    AGAIN,
    CHECK,
    HOUSE,
    OWNER,
    SETS_A_WORKER,
    VERSION,
    Floor,
    Holder,
    Waiting,
    choose_sets,
)
from tournaments.ledger.dispatch.match_durations import Paces
from tournaments.ledger.dispatch.open_lines import Route
from tournaments.ledger.dispatch.sets_under_way import Place, UnderWay
from tournaments.models import Attempt, Match, MatchSet, Seat
from workers.identity import OF
from workers.orders import space_of_queue

UPLOADER = "checks__bot__owner"
IN_VAIN = (Attempt.Outcome.RETURNED, Attempt.Outcome.VOID, Attempt.Outcome.EXPIRED, Attempt.Outcome.REFUSED)
LOOK = 16  # sets at the head of each line are looked at, or the line's part of the room if that is more
PACES = Paces()
SERVED: dict[str, int] = {}  # which line was served when; a dispatcher that begins anew may do without

UNDER_WAY = UnderWay()
NOBODY = frozenset[int]()


@dataclass(slots=True)
class Queues:
    """As they were found last."""

    ran_dry: bool = True  # one that has workers was empty: they may have been idle


QUEUES = Queues()
QueueOf = Callable[[Route], Queue]


def sets_to_send(online: AvailableWorkers, pause: timedelta) -> list[tuple[MatchSet, str]]:
    """The sets to send now, in order, with their queues. A set with a failed match is skipped for `pause`."""
    routes, sent = open_lines.routes_of_open_sets()
    if any(not route.needs for route in routes):  # there are new ones
        open_lines.write_needs()
        routes, sent = open_lines.routes_of_open_sets()
    queue_of = cache(lambda route: online.queue_of(route.game, route.rules, route.needs, own_workers=route.own_workers))
    routes = [destination for route in routes for destination in _at(route, online)]
    floor = _floor(queue_of, routes, sent)
    floor.first_waits = any(route.line == CHECK for route in routes) and first_waits(online)
    floor.only_checks = all(route.line == CHECK for route in routes)
    chosen = _chosen(_heads_here(queue_of, routes, pause, floor), floor)
    if not chosen:
        return []
    UNDER_WAY.chosen = {head.set: head for head in chosen}
    sets = MatchSet.objects.select_related("ladder", "checks__bot").in_bulk([head.set for head in chosen])
    return [(sets[head.set], head.queue) for head in chosen]


def first_waits(online: AvailableWorkers, waited: timedelta = timedelta()) -> bool:
    """Return whether a check that comes first has waited so long for a worker of the site."""
    routes = unbegun(owners_over_budget(), waited).order_by().values_list("game", "rules", "needs").distinct()
    return any(_is_here(online, *route) for route in routes)


def _is_here(online: AvailableWorkers, game: str, rules: int, needs: str) -> bool:
    """Whether a worker of the site can play such sets. Those that a space's own workers may play hold nobody up."""
    return SPACE_ENDS not in needs and online.queue_of(game, rules, needs).workers > 0


def _at(route: Route, online: AvailableWorkers) -> list[Route]:
    """Return where a route's sets may be sent: to workers of its own space, to the site's, or to both."""
    space, _, _ = route.needs.rpartition(SPACE_ENDS)
    sites = [route] if not space or online.takes_sites(space) else []
    return [route._replace(own_workers=True), *sites] if space else sites


def _chosen(heads: Sequence[Waiting], floor: Floor) -> list[Waiting]:
    """A space's own workers choose first. What they do not take has its share of the site's."""
    for_own_workers = choose_sets([head for head in heads if head.pool], floor)
    taken = {head.set for head in for_own_workers}
    return [*for_own_workers, *choose_sets([head for head in heads if not head.pool and head.set not in taken], floor)]


def _heads_here(queue_of: QueueOf, routes: Collection[Route], pause: timedelta, floor: Floor) -> list[Waiting]:
    """Return the heads of the lines whose queues have room."""
    with_room = [route for route in routes if route.needs and floor.room[queue_of(route).name] > 0]
    heads = [
        waiting
        for route in with_room
        for waiting in _heads(
            _waiting(route, pause, elsewhere=_is_elsewhere(queue_of, routes, route)),
            route,
            queue_of(route).name,
            floor,
            len(with_room),
        )
    ]
    heads.sort(key=lambda head: (head.used, head.set))  # a line may have several routes
    return heads


def _is_elsewhere(queue_of: QueueOf, routes: Collection[Route], route: Route) -> bool:
    """Return whether the site's workers, too, can play what goes to a space's own."""
    sites = route._replace(own_workers=False)
    return route.own_workers and sites in routes and queue_of(sites).workers > 0


def _floor(queue_of: QueueOf, routes: Collection[Route], sent: Mapping[Route, int]) -> Floor:
    """The holders of workers now, and how many more sets each queue takes."""
    workers = dict(queue_of(route) for route in {*routes, *sent} if route.needs)
    room = Counter({queue: SETS_A_WORKER * count for queue, count in workers.items()})
    room.subtract(_in_queues(queue_of, workers, sent))
    QUEUES.ran_dry = not workers or any(
        room[queue] == SETS_A_WORKER * count for queue, count in workers.items() if count
    )
    if max(room.values(), default=0) <= 0:  # nothing will be chosen, so who sits where need not be known
        return Floor(workers, room, served=SERVED)
    now = {number: (route.line, queue_of(route).name) for number, route in open_lines.routes_under_way().items()}
    held = UNDER_WAY.at(now, PACES.good_until, _seated)
    checks_rest = any(route.line != CHECK for route in routes) and is_resting()
    return Floor(workers, room, Counter(held.lines), Counter(held.held), SERVED, open_lines.line_spaces(), checks_rest)


def _in_queues(queue_of: QueueOf, workers: Mapping[str, int], sent: Mapping[Route, int]) -> Counter[str]:
    """Return by queue how many sets lie in it. Of those sent, one of each worker may be in play: of a short set nobody
    hears before its end."""
    lying = Counter[str]()
    for route, sets in sent.items():
        lying[queue_of(route).name] += sets
    for queue, orders in queues.orders_in(lying).items():
        lying[queue] -= min(workers.get(queue, 0), max(0, lying[queue] - orders))
    return lying


def _heads(sets: QuerySet[MatchSet], route: Route, queue: str, floor: Floor, lines: int) -> list[Waiting]:
    """The waiting sets to choose from: the oldest, and of checks that take turns one of each owner."""
    most = max(LOOK, ceil(floor.room[queue] / lines))
    if route.line == CHECK:
        over = owners_over_budget()
        return [
            *_oldest(sets.exclude(**{f"{UPLOADER}__in": over}), route, queue, most, floor),
            *_one_of_each(sets.filter(**{f"{UPLOADER}__in": over}), route, queue),
        ]
    return _oldest(sets, route, queue, most, floor)


def _oldest(sets: QuerySet[MatchSet], route: Route, queue: str, most: int, floor: Floor) -> list[Waiting]:
    """The oldest waiting sets. If all of these contain versions with too many sets, also the next without them."""
    heads = _look(sets, route.line, queue, most)
    if len(heads) == most and not any(floor.admits(head, strictly=True) for head in heads):
        heads += _look(sets.exclude(_with(floor.crowded(queue, heads))), route.line, queue, most)
    return heads


def _one_of_each(checks: QuerySet[MatchSet], route: Route, queue: str) -> list[Waiting]:
    """The oldest check of each owner: however many somebody uploads, they hide nobody's."""
    oldest = checks.order_by(UPLOADER, "pk").distinct(UPLOADER)
    return _seated(dict.fromkeys(oldest.values_list("pk", flat=True), (route.line, queue)))


def _look(sets: QuerySet[MatchSet], line: str, queue: str, most: int) -> list[Waiting]:
    return _seated(dict.fromkeys(sets.order_by("pk").values_list("pk", flat=True)[:most], (line, queue)))


def _waiting(route: Route, pause: timedelta, *, elsewhere: bool = False) -> QuerySet[MatchSet]:
    """Return what waits there. `elsewhere`: the site's workers play what a space's took in vain, which might never
    end, or be set aside."""
    matches = Match.objects.filter(set=OuterRef("pk"), status=Match.Status.WAITING)
    failed = Attempt.objects.filter(match__set=OuterRef("pk"), failed=True, ended_at__gt=Now() - pause)
    waits = {"line": route.line, "game": route.game, "rules": route.rules, "needs": route.needs}
    sets = MatchSet.objects.filter(Exists(matches), ~Exists(failed), status=MatchSet.Status.OPEN, **waits)
    if elsewhere:
        unforgiven = Attempt.objects.filter(match__set=OuterRef("pk"), lease__gt=F("match__forgiven"))
        sets = sets.exclude(Exists(unforgiven.filter(worker__contains=OF, outcome__in=IN_VAIN)))
    return sets.exclude(pk__in=[int(item.split()[-1]) for item in FAILING_ITEMS.resting("orders")])


def _with(holders: Collection[Holder]) -> Exists:
    """Whether one of these sits in the set."""
    versions = [holder for kind, holder in holders if kind == VERSION]
    owners = [holder for kind, holder in holders if kind == OWNER]
    seated = Q(version__in=versions) | Q(version__bot__owner__in=owners)
    return Exists(Seat.objects.filter(seated, match__set=OuterRef("pk")))


def _seated(places: Mapping[int, Place]) -> list[Waiting]:
    """Return these sets with their lines, queues and versions."""
    seated = open_lines.versions_and_owners(places)
    PACES.learn(set().union(*(versions for versions, _ in seated.values())))
    over = _used_by({owner for number in places if places[number][0] == CHECK for owner in seated[number][1]})
    return [_one(number, place, *seated.get(number, (NOBODY, NOBODY)), over) for number, place in places.items()]


def _used_by(owners: Collection[int]) -> Mapping[int, int]:
    """Return what checks of owners over the budget used today; HOUSE for those of these that are the site's own."""
    if not owners:
        return {}
    return owners_over_budget() | dict.fromkeys(house().filter(pk__in=owners).values_list("pk", flat=True), HOUSE)


def _one(
    number: int, place: Place, versions: frozenset[int], owners: frozenset[int], over: Mapping[int, int]
) -> Waiting:
    line, queue = place
    matches = 1 if line in (CHECK, AGAIN) else len(versions)
    slow = PACES.slow(versions, matches)
    used = max((over.get(owner, 0) for owner in owners), default=0) if line == CHECK else 0
    return Waiting(number, line, queue, versions, owners, slow, space_of_queue(queue), used)
