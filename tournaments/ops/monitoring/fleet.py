"""The fleet for operators: each match worker, its processes and results; and sets that no release here can play."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.db.models.functions import Now

from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import outdated, spaces_with_workers
from tournaments.ledger.recording.divergent_workers import DIVERGED
from tournaments.models import Act, Attempt, Result, Worker
from workers.capacity import in_short
from workers.orders import TAG
from workers.process_heartbeats import OnlineProcess

LATELY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class WorkerRow:
    name: str
    status: str
    reason: str
    processes: int
    releases: list[str]  # "this", or the tag of another
    offers: list[str]
    seen_at: datetime | None
    matches: int  # recorded lately
    failures: int  # attempts that failed lately
    diverged: int  # how often it stood alone in a spot check, ever


def worker_rows() -> list[WorkerRow]:
    """Return the workers by name. Raises RedisError."""
    processes: dict[str, list[OnlineProcess]] = defaultdict(list)
    for process in queues.online_workers(spaces_with_workers()):
        processes[process.proven].append(process)
    workers = {worker.name: worker for worker in Worker.objects.all()}
    counts = _matches(), _failures(), _diverged()
    return [
        _row(name, workers.get(name), processes[name], *(count[name] for count in counts))
        for name in sorted(workers | processes)
    ]


def _row(name: str, worker: Worker | None, processes: list[OnlineProcess], *counts: int) -> WorkerRow:
    """Return the row of a worker. One without a row in the database yet is welcome."""
    status, reason = (worker.status, worker.reason) if worker else (Worker.Status.WELCOME.value, "")
    releases = sorted({"this" if process.tag == TAG else process.tag for process in processes})
    offers = in_short(offered for process in processes for offered in process.offers)
    seen_at = worker.seen_at if worker else None
    return WorkerRow(name, status, reason, len(processes), releases, offers, seen_at, *counts)


def _matches() -> Counter[str]:
    return _by_name(Result.objects.filter(recorded_at__gt=Now() - LATELY).values_list("worker").annotate(Count("pk")))


def _failures() -> Counter[str]:
    failed = Attempt.objects.filter(failed=True, ended_at__gt=Now() - LATELY)
    return _by_name(failed.order_by().values_list("worker").annotate(Count("pk")))


def _diverged() -> Counter[str]:
    acts = Act.objects.filter(kind=DIVERGED).order_by().values_list("subject").annotate(Count("pk"))
    return _by_name((subject.removeprefix("worker "), count) for subject, count in acts)


def _by_name(counts: Iterable[tuple[str, int]]) -> Counter[str]:
    """Return sums over all processes of a worker."""
    sums: Counter[str] = Counter()
    for worker, count in counts:
        sums[worker.partition("/")[0]] += count
    return sums


def waiting_for_old() -> list[tuple[str, int, int]]:
    """Game, rules and number of open sets that this release cannot play."""
    counted = outdated().order_by("game", "rules").values_list("game", "rules").annotate(Count("pk"))
    return list(counted)
