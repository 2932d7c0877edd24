"""Who is here to play and to record, and what of the ledger they can.

Releases run side by side while a site is upgraded. A set is pinned to the rules that it was dealt with: a release that
has them plays and records it; where none is here, it waits.
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

HEARD_OF = timedelta(minutes=1)  # a worker is known for so long after its last report
CHOSEN = "@"  # what a spot check needs of a worker: to be the one named after it; none is chosen yet


class Queue(NamedTuple):
    """Where orders go; without a name where nobody takes them."""

    name: str
    workers: int  # how many take from it


@dataclass(frozen=True, slots=True)
class Crew:
    workers: tuple[Here, ...]  # those that may take orders
    somebody: bool  # whether any at all has said that it is here
    tags: tuple[str, ...]  # the releases whose reports would be recorded: this one first

    @classmethod
    def here(cls) -> Self:
        """Raises RedisError."""
        workers = queues.workers_here()
        resting = set(resting_workers().values_list("name", flat=True)) if workers else set()
        others = {recorder.tag for recorder in queues.recorders_here()} - {TAG}
        return cls(tuple(it for it in workers if it.proven not in resting), bool(workers), (TAG, *sorted(others)))

    def release_for(self, game: str, rules: int) -> str | None:
        """Which of the releases here plays these rules."""
        return next((tag for tag in self.tags if rules_of(tag).get(game) == rules), None)

    def able(self, game: str, rules: int, needs: Iterable[str]) -> list[Here]:
        """Who can play these rules in these languages."""
        tag, wanted = self.release_for(game, rules), set(needs)
        return [it for it in self.workers if it.tag == tag and wanted <= it.offers]

    def players_of(self, needs: Iterable[str], tag: str = TAG) -> int | None:
        """How many workers of a release have all these languages; None if nobody has said that it is here."""
        wanted = set(needs)
        return sum(it.tag == tag and wanted <= it.offers for it in self.workers) if self.somebody else None

    def queue_of(self, game: str, rules: int, needs: str) -> Queue:
        """Where sets go that were dealt under these rules. `needs`: as the set tells it (`MatchSet.needs`)."""
        if needs.startswith(CHOSEN):
            worker = needs.removeprefix(CHOSEN)
            return Queue(own_queue(worker), sum(it.name == worker for it in self.workers))
        if (tag := self.release_for(game, rules)) is None:
            return Queue("", 0)
        languages = needs.split(",")
        workers = self.players_of(languages, tag)
        unknown = workers_known() if tag == TAG else 0  # that another release is here must be known
        return Queue(queue_for(languages, tag), unknown if workers is None else workers)


def resting_workers() -> QuerySet[Worker]:
    return Worker.objects.exclude(status=Worker.Status.WELCOME)


def nobody_plays(needs: Iterable[str]) -> bool:
    """Whether workers are here, and none of them has all these languages. While the broker is away nobody knows."""
    try:
        return Crew.here().players_of(needs) == 0
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
    """As many as have been heard of, and 1 if none has, so that the first one finds something to do."""
    return max(1, workers_heard_of())


def workers_heard_of() -> int:
    """How many workers have given a sign of themselves lately."""
    lately = Attempt.objects.filter(ended_at__gt=Now() - HEARD_OF).exclude(worker="")
    playing = Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING)
    return lately.values("worker").union(playing.values("worker")).count()
