"""Sets dealt and sent by one leader and by two, each with half of the ladders, in turns.

The leaders are real processes with their own rounds; the workers are said to be there, and take nothing. Counted are
the time from the first order to the last, and the processor time of leaders, database and broker.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from subprocess import Popen

from django.db.models import Max, Min
from django.utils import timezone

from tests.bench import Row
from tests.bench.ledger import seconds_of, until
from tests.bench.whole_site import broker_seconds, database_seconds
from tests.factories import a_completed_set, a_ladder, a_user, a_version
from tests.ground import rows_of
from tournaments.broker import queues
from tournaments.broker.leader import holdings
from tournaments.broker.led_groups import SLOTS
from tournaments.dispatch.waiting_sets import SETS_A_WORKER
from tournaments.launcher.subprocess_group import ROOT, Program, spawn, stop
from tournaments.models import Attempt, Bot, Entry, Ladder, Match, MatchSet, Version
from workers import presence
from workers.orders import TAG
from workers.presence import Here

LADDERS, BOTS, SEATS = 8, 100, 4
CREW, TURNS = 1_500, 3
AIM = 1.8
NAMES = [f"worker{number}/1" for number in range(CREW)]


@dataclass(frozen=True, slots=True)
class Run:
    """`ms`: of processor time for a set, by part."""

    rate: float
    ms: dict[str, float]

    @property
    def cores(self) -> float:
        return self.rate * sum(self.ms.values()) / 1000


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    ladders = [entered(a_ladder(players=SEATS)) for _ in range(LADDERS)]
    played = Match.objects.filter(set=a_completed_set(ladders[0], [a_version() for _ in range(SEATS)])).earliest("pk")
    runs: dict[int, list[Run]] = {1: [], 2: []}
    for _ in range(TURNS):
        for leaders, done in runs.items():
            done.append(a_run(leaders, played))
    return list(rows(runs))


def rows(runs: dict[int, list[Run]]) -> Iterator[Row]:
    middle = {leaders: sorted(done, key=lambda one: one.rate)[TURNS // 2] for leaders, done in runs.items()}
    one, two = middle[1], middle[2]
    crowd = f"{LADDERS} ladders of {BOTS} bots, {CREW:,} workers said to be there; median of {TURNS} in turns"
    for name, each in (("one leader", one), ("two leaders", two)):
        spent = ", ".join(f"{part} {ms:.2f}" for part, ms in each.ms.items())
        how = f"{crowd}; ms of processor time a set: {spent}; together {each.cores:.2f} cores of {os.cpu_count()}"
        aim = f">= {AIM}" if each is two else ""
        yield Row(f"sets a second, {name}", each.rate, "/s", "one leader", one.rate, each.rate / one.rate, aim, how)
    own, of_one = two.ms["leaders"], one.ms["leaders"]
    how = "what a leader of half of the ladders spends on each, beside one that leads all"
    yield Row("processor time of the leaders, a set", own, "ms", "one leader", of_one, own / of_one, "", how)


def a_run(leaders: int, played: Match) -> Run:
    clear()
    with at_work(leaders) as crew:
        until(lambda: sorted(holdings().others.values()) == [SLOTS // leaders] * leaders)
        before = spent(crew)
        arrive(played)
        until(lambda: sent() >= SETS_A_WORKER * CREW)
        after = spent(crew)
    times = Attempt.objects.filter(outcome=Attempt.Outcome.SENT).aggregate(first=Min("sent_at"), last=Max("sent_at"))
    return Run(
        sent() / (times["last"] - times["first"]).total_seconds(),
        {part: 1000 * (after[part] - before[part]) / sent() for part in after},
    )


def spent(crew: list[Popen[bytes]]) -> dict[str, float]:
    own = sum(seconds_of(process.pid) for process in crew)
    return {"leaders": own, "database": database_seconds(), "broker": broker_seconds()}


def sent() -> int:
    return Match.objects.filter(status=Match.Status.LEASED).values("set").distinct().count()


@contextmanager
def at_work(leaders: int) -> Iterator[list[Popen[bytes]]]:
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        variables = {**os.environ, "LEADER_GROUPS": str(leaders)}
        command = (sys.executable, ROOT / "manage.py", "dispatch")
        programs = [Program(f"leader{n}", command, variables, Path(folder) / f"{n}.log") for n in range(leaders)]
        running = [(program, spawn(program)) for program in programs]
        try:
            yield [process for _, process in running]
        finally:
            stop(running)


# --- the site ------------------------------------------------------------------------------------------------------


def entered(ladder: Ladder) -> Ladder:
    owners, model = [a_user() for _ in range(BOTS // 5)], a_version()
    bots = Bot.objects.bulk_create(
        Bot(owner=owners[n % len(owners)], game=ladder.game, name=f"{ladder.slug} {n}") for n in range(BOTS)
    )
    alike = {"bundle_id": model.bundle_id, "filename": "bot.py", "need": model.need}
    Version.objects.bulk_create(Version(bot=bot, number=1, status=Version.Status.ACTIVE, **alike) for bot in bots)
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=bot) for bot in bots)
    return ladder


def arrive(played: Match) -> None:
    """Workers that are here, and have played lately."""
    here = [str(Here.of(name, TAG, ["python"])) for name in NAMES]
    now, recorded = timezone.now(), Attempt.Outcome.RECORDED
    Attempt.objects.bulk_create(
        Attempt(match=played, lease=1000 + n, worker=name, outcome=recorded, ended_at=now)
        for n, name in enumerate(NAMES)
    )
    queues.broker().zadd(presence.WORKERS, dict.fromkeys(here, time.time() + 3600))


def clear() -> None:
    """As before the first run."""
    queues.broker().flushdb()
    queues.remember()
    Attempt.objects.filter(lease__gte=1000).delete()
    Attempt.objects.filter(ended_at=None).update(outcome=Attempt.Outcome.EXPIRED, ended_at=timezone.now())
    Attempt.objects.update(ended_at=timezone.now() - timedelta(hours=1))
    left = (Match.Status.WAITING, Match.Status.LEASED)
    Match.objects.filter(status__in=left).update(status=Match.Status.CANCELLED, lease_until=None)
    over = {"status": MatchSet.Status.CANCELLED, "ended_at": timezone.now()}
    MatchSet.objects.filter(status=MatchSet.Status.OPEN).update(**over)
