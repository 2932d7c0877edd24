"""Workers and recorders that are online, and the rules and languages each supports.

Releases run side by side while a site is upgraded. A set is pinned to the rules that it was dealt with: a release that
supports them plays and records it; while none is online, it waits.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import NamedTuple, Self

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from redis import RedisError

from tournaments.core.broker import queues
from tournaments.models import Attempt, MatchSet, Space, Worker
from tournaments.models.prepared_statements import run_prepared
from workers.identity import OUTSIDE, space_of
from workers.orders import TAG, own_queue, queue_for, rules_of
from workers.process_heartbeats import OnlineProcess

HEARD_OF = timedelta(minutes=1)  # how long a worker counts after its last report
SPACE_ENDS = ":"  # before it stands the space whose own workers may play the set, if there are any
CHOSEN = "@"  # a spot check needs the worker named after this sign; alone: none is chosen yet
# Asked in every round of the dispatcher: the spaces to which workers are bound, who rests, who plays for a space alone.
KNOWN = """
SELECT array(SELECT DISTINCT slug FROM tournaments_space AS space JOIN tournaments_worker ON space_id = space.id),
    array(SELECT name FROM tournaments_worker WHERE status <> 'welcome'),
    array(SELECT slug FROM tournaments_space WHERE own_workers_alone)
"""


class Queue(NamedTuple):
    """Where orders go; the name is empty where nobody takes them."""

    name: str
    workers: int  # how many consume it


class Players(NamedTuple):
    """How many workers play for somebody."""

    sites: int
    own_workers: int = 0  # of their own space


@dataclass(frozen=True, slots=True)
class AvailableWorkers:
    workers: tuple[OnlineProcess, ...]  # those that may take orders
    any_online: bool  # whether any worker at all is online
    tags: tuple[str, ...]  # the releases whose reports would be recorded: this one first
    alone: frozenset[str] = frozenset()  # spaces for which their own workers play and no others

    @classmethod
    def here(cls) -> Self:
        """Raises RedisError."""
        [(bound, names, alone)] = run_prepared(KNOWN, [])
        resting = set(names)
        workers = queues.online_workers([*bound, OUTSIDE])
        other_tags = {recorder.tag for recorder in queues.recorders_here()} - {TAG}
        welcome = tuple(worker for worker in workers if worker.proven not in resting)
        return cls(welcome, bool(workers), (TAG, *sorted(other_tags)), frozenset(alone))

    def release_for(self, game: str, rules: int) -> str | None:
        """The online release that plays these rules."""
        return next((tag for tag in self.tags if rules_of(tag).get(game) == rules), None)

    def able(self, game: str, rules: int, needs: Iterable[str], space: str = "") -> list[OnlineProcess]:
        """Return the workers that can play these rules in these languages: those of the space, or the site's."""
        tag, languages = self.release_for(game, rules), set(needs)
        return [
            worker
            for worker in self.workers
            if worker.tag == tag and worker.space == space and languages <= worker.offers
        ]

    def pool_of(self, game: str, rules: int, needs: Iterable[str], space: Space | None) -> tuple[str, int]:
        """Return whose workers answer questions about the space's bots, its own first, and how many of them can."""
        if space:
            own = len(self.able(game, rules, needs, space.slug))
            if own or space.own_workers_alone:
                return space.slug, own
        return "", len(self.able(game, rules, needs))

    def players_of(self, needs: Iterable[str], tag: str = TAG, space: str = "") -> int | None:
        """Count the workers of a release that have all these languages, of the space or of the site; None if no worker
        is online."""
        languages = set(needs)
        able = (worker.tag == tag and worker.space == space and languages <= worker.offers for worker in self.workers)
        return sum(able) if self.any_online else None

    def takes_sites(self, space: str) -> bool:
        """Whether the site's workers play for it as well."""
        return space not in self.alone

    def queue_of(self, game: str, rules: int, needs: str, *, own_workers: bool = False) -> Queue:
        """Return the queue for sets dealt under these rules. `needs`: as in `MatchSet.needs`. `own_workers`: the queue
        of the workers of their own space."""
        if needs.startswith(CHOSEN):
            worker = needs.removeprefix(CHOSEN)
            return Queue(own_queue(worker), sum(online.name == worker for online in self.workers))
        if (tag := self.release_for(game, rules)) is None:
            return Queue("", 0)
        space, _, listed = needs.rpartition(SPACE_ENDS)
        asked, languages = space if own_workers else "", listed.split(",")
        workers = self.players_of(languages, tag, asked)
        if workers is None:
            workers = workers_known() if tag == TAG and not asked else 0  # others count only if they are online
        return Queue(queue_for(languages, tag, asked), workers)


def spaces_with_workers() -> list[str]:
    """Return the spaces to which workers are bound, and that of the workers of none."""
    bound = Worker.objects.exclude(space=None).order_by().values_list("space__slug", flat=True).distinct()
    return [*bound, OUTSIDE]


def resting_workers() -> QuerySet[Worker]:
    return Worker.objects.exclude(status=Worker.Status.WELCOME)


def nobody_plays(needs: Iterable[str], space: Space | None = None) -> bool:
    """Whether workers are online, and none that plays for that space, or for the site itself, has all these
    languages. False while the broker is away."""
    try:
        return players_for(AvailableWorkers.here(), needs, space) == Players(0)
    except RedisError:
        return False


def players_for(online: AvailableWorkers, needs: Iterable[str], space: Space | None) -> Players | None:
    """Count the workers that can play for a space, its own and the site's; None if no worker is online."""
    if not online.any_online:
        return None
    listed = list(needs)
    of_space = (online.players_of(listed, space=space.slug) or 0) if space else 0
    sites = (online.players_of(listed) or 0) if not space or online.takes_sites(space.slug) else 0
    return Players(sites, of_space)


def of_release() -> Q:
    """Return a condition on sets: this release plays their rules."""
    return reduce(or_, (Q(game=game, rules=version) for game, version in rules_of(TAG).items()))


def outdated() -> QuerySet[MatchSet]:
    """Open sets of rules that this release does not play."""
    return MatchSet.objects.filter(~of_release(), status=MatchSet.Status.OPEN)


def practice_pool(space: Space | None, needs: Iterable[str]) -> str:
    """Return the space whose own practice workers are to take the turn; "" if the site's are. Raises RedisError."""
    if space is None or space.own_workers_alone:
        return space.slug if space else ""
    languages, workers = set(needs), queues.practice_workers_here([space.slug])
    return space.slug if any(worker.space == space.slug and languages <= worker.offers for worker in workers) else ""


def workers_known(space: Space | None = None) -> int:
    """The workers heard of lately, but at least 1, so that the first one finds something to do."""
    return max(1, sum(workers_heard_of(space)))


def workers_heard_of(space: Space | None = None) -> Players:
    """How many workers that play for the site, or for a space, have played or reported lately."""
    heard = heard_by_space()
    if space is None:
        return Players(heard[""], 0)
    return Players(0 if space.own_workers_alone else heard[""], heard[space.slug])


def heard_by_space() -> Counter[str]:
    """How many workers have played or reported lately, by the space whose they are; "" is the site."""
    lately = Attempt.objects.filter(ended_at__gt=Now() - HEARD_OF).exclude(worker="")
    playing = Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING)
    names = {name for rows in (lately, playing) for name in rows.values_list("worker", flat=True)}
    return Counter(map(space_of, names))
