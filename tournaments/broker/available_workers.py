"""Workers and recorders that are online, and the rules and languages each supports.

Releases run side by side while a site is upgraded. A set is pinned to the rules that it was dealt with: a release that
supports them plays and records it; while none is online, it waits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import NamedTuple, Self

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from redis import RedisError

from tournaments.broker import queues
from tournaments.models import Attempt, MatchSet, Worker
from workers.orders import TAG, own_queue, queue_for, rules_of
from workers.presence import Here

HEARD_OF = timedelta(minutes=1)  # how long a worker counts after its last report
CHOSEN = "@"  # a spot check needs the worker named after this sign; alone: none is chosen yet


class Queue(NamedTuple):
    """Where orders go; the name is empty where nobody takes them."""

    name: str
    workers: int  # how many consume it


@dataclass(frozen=True, slots=True)
class AvailableWorkers:
    workers: tuple[Here, ...]  # those that may take orders
    any_online: bool  # whether any worker at all is online
    tags: tuple[str, ...]  # the releases whose reports would be recorded: this one first

    @classmethod
    def here(cls) -> Self:
        """Raises RedisError."""
        workers = queues.workers_here()
        resting = set(resting_workers().values_list("name", flat=True)) if workers else set()
        others = {recorder.tag for recorder in queues.recorders_here()} - {TAG}
        return cls(tuple(it for it in workers if it.proven not in resting), bool(workers), (TAG, *sorted(others)))

    def release_for(self, game: str, rules: int) -> str | None:
        """The online release that plays these rules."""
        return next((tag for tag in self.tags if rules_of(tag).get(game) == rules), None)

    def able(self, game: str, rules: int, needs: Iterable[str]) -> list[Here]:
        """The workers that can play these rules in these languages."""
        tag, wanted = self.release_for(game, rules), set(needs)
        return [it for it in self.workers if it.tag == tag and wanted <= it.offers]

    def players_of(self, needs: Iterable[str], tag: str = TAG) -> int | None:
        """How many workers of a release have all these languages; None if no worker is online."""
        wanted = set(needs)
        return sum(it.tag == tag and wanted <= it.offers for it in self.workers) if self.any_online else None

    def queue_of(self, game: str, rules: int, needs: str) -> Queue:
        """The queue for sets that were dealt under these rules. `needs`: as in `MatchSet.needs`."""
        if needs.startswith(CHOSEN):
            worker = needs.removeprefix(CHOSEN)
            return Queue(own_queue(worker), sum(it.name == worker for it in self.workers))
        if (tag := self.release_for(game, rules)) is None:
            return Queue("", 0)
        languages = needs.split(",")
        workers = self.players_of(languages, tag)
        if workers is None:
            workers = workers_known() if tag == TAG else 0  # another release counts only if it is online
        return Queue(queue_for(languages, tag), workers)


def resting_workers() -> QuerySet[Worker]:
    return Worker.objects.exclude(status=Worker.Status.WELCOME)


def nobody_plays(needs: Iterable[str]) -> bool:
    """Whether workers are online, and none of them has all these languages. False while the broker is away."""
    try:
        return AvailableWorkers.here().players_of(needs) == 0
    except RedisError:
        return False


def of_release(tag: str = TAG) -> Q:
    """Sets that the release plays; of another release, those that this one does not."""
    rules = [Q(game=game, rules=version) for game, version in rules_of(tag).items()]
    found = reduce(or_, rules) if rules else Q(pk__in=())
    return found if tag == TAG else found & ~of_release()


def outdated() -> QuerySet[MatchSet]:
    """Open sets of rules that this release does not play."""
    return MatchSet.objects.filter(~of_release(), status=MatchSet.Status.OPEN)


def workers_known() -> int:
    """The workers heard of lately, but at least 1, so that the first one finds something to do."""
    return max(1, workers_heard_of())


def workers_heard_of() -> int:
    """How many workers have played or reported lately."""
    lately = Attempt.objects.filter(ended_at__gt=Now() - HEARD_OF).exclude(worker="")
    playing = Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING)
    return lately.values("worker").union(playing.values("worker")).count()
