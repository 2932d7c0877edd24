"""Workers of a space's own: they are bound to it, its organisers see how they do, and hear of it when all are away."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import organisers_of
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import spaces_with_workers
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.features.spaces.members import notify_of_membership
from tournaments.models import MatchSet, Notice, Space, Worker
from workers.capacity import in_short, is_capacity
from workers.identity import OF
from workers.isolation import handle_each
from workers.process_heartbeats import OnlineProcess

AWAY = timedelta(minutes=5)  # before its organisers are told


@dataclass(frozen=True, slots=True)
class WorkerState:
    name: str
    status: str
    processes: int  # that are here, for matches and for practices
    offers: list[str]
    seen_at: datetime | None  # when its last word came

    @property
    def says(self) -> str:
        """The status in words."""
        return str(Worker.Status(self.status).label)

    @property
    def own_name(self) -> str:
        """The name without its space’s."""
        return self.name.partition(OF)[0]

    @property
    def languages(self) -> list[str]:
        """What it offers without memory and threads."""
        return [offer for offer in self.offers if not is_capacity(offer)]


def workers_of(space: Space) -> list[WorkerState]:
    """Return the space's workers, by name. Raises RedisError."""
    online = _here([space.slug])
    return [_state(worker, online[worker.name]) for worker in space.workers.order_by("name")]


def _state(worker: Worker, online: list[OnlineProcess]) -> WorkerState:
    offers = in_short(offered for process in online for offered in process.offers)
    return WorkerState(worker.name, worker.status, len(online), offers, worker.seen_at)


def _here(spaces: Iterable[str]) -> Mapping[str, list[OnlineProcess]]:
    """Return the processes of these spaces' workers, by the worker."""
    processes: dict[str, list[OnlineProcess]] = defaultdict(list)
    for process in (*queues.online_workers(spaces), *queues.practice_workers_here(spaces)):
        processes[process.proven].append(process)
    return processes


def watch() -> int:
    """Tell organisers whose workers have all been away for a while though sets wait. Returns how many spaces there
    are. Raises RedisError."""
    online = {process.space for processes in _here(spaces_with_workers()).values() for process in processes}
    waits = MatchSet.objects.filter(space=OuterRef("pk"), status=MatchSet.Status.OPEN)
    spaces = Space.objects.filter(_counts_on_its_own(), closed_at=None)
    away = spaces.filter(Exists(waits)).exclude(slug__in=online)
    Space.objects.exclude(pk__in=away.values("pk")).exclude(away_since=None).update(away_since=None)
    away.filter(away_since=None).update(away_since=timezone.now())
    return handle_each(
        "workers of spaces", away.filter(away_since__lt=timezone.now() - AWAY), _tell, FAILING_ITEMS, item_name
    )


def _counts_on_its_own() -> Q:
    return Q(own_workers_alone=True) | Q(pk__in=_welcome().values("space"))


def _welcome() -> QuerySet[Worker]:
    return Worker.objects.filter(status=Worker.Status.WELCOME, space__isnull=False)


def _tell(space: Space) -> bool:
    """Tell the organisers, once for each time that they are away."""
    key = f"workers of {space.pk} away {space.away_since:%Y-%m-%d %H:%M:%S}"
    if Notice.objects.filter(key=key).exists():
        return False
    text = Sentence(
        "No worker of %(space)s has been here for %(minutes)s minutes, and its sets wait: nothing is played there "
        "until one comes, or the site's may play too."
        if space.own_workers_alone
        else "No worker of %(space)s has been here for %(minutes)s minutes, and its sets wait: the site's play its "
        "sets meanwhile, in its share of them.",
        space=space,
        minutes=AWAY.seconds // 60,
    )
    notify_of_membership(organisers_of(space.pk), key, text, reverse("space-settings", args=[space.slug]), space)
    return True
