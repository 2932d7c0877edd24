"""Five times the work that the workers can do, for a while, then none: what piles up, and how soon the site is calm.

One ladder is flooded: sets are dealt to it as fast as that. The other is left as it is, and its bots are promised a
wait all the time. What waits may grow by what was dealt and not played, and nothing else may.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import cast

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet, Sum
from redis import Redis

from tests.soak.measure import Sample, sample
from tournaments.core.broker.heartbeats import ROUNDS, SECONDS
from tournaments.core.broker.queues import reports_waiting
from tournaments.ledger.dispatch.fair_share import SETS_A_WORKER
from tournaments.ledger.matchmaking.ladder_sets import QUICK_AHEAD, create_sets
from tournaments.models import Attempt, Entry, Ladder, Match, MatchSet, Version
from workers.process_heartbeats import present

TIMES, TICK_S, LOOK_S = 5, 1.0, 5.0
PARTS = 8  # of the time given: one to measure, one of flood, the rest to play what was left over, four times as much
CALM_S = 60.0  # in which the site must be calm once that is played
GROWTH = 1.25  # of memory, from the end of the first part to the end


@dataclass(frozen=True, slots=True)
class Look:
    """`rounds`, `round_s`: of the dispatcher so far."""

    phase: str
    site: Sample
    waiting: int  # sets that nobody has begun
    sent: int  # of them, with the broker
    reports: int
    broken: int  # promises
    rounds: int
    round_s: float

    def __str__(self) -> str:
        seconds, kb = self.site.seconds, self.site.counts["kB of the broker"]
        return (
            f"{seconds:5.0f} s {self.phase:8} {self.waiting:6} wait, {self.sent:3} sent, {self.reports:3} reports, "
            f"{self.broken} broken, {self.site.memory_mb():6.0f} MB, broker {kb} kB"
        )


def run(pid: int, data: Path, minutes: float) -> int:
    """Say what is wrong; return 1 if anything is."""
    course = Course(pid, data, 60 * minutes / PARTS)
    looks = list(course.run())
    complaints = list(wrong(looks, course))
    print("\n".join([*summary(looks, course), *(f"WRONG: {complaint}" for complaint in complaints)]))
    return 1 if complaints else 0


class Course:
    def __init__(self, pid: int, data: Path, part: float) -> None:
        self.pid, self.data, self.part = pid, data, part
        self.began = time.monotonic()
        self.rate = self.calm_after = 0.0  # sets a second; seconds
        self.dealt = 0
        self.draw = Random("overload")

    def run(self) -> Iterator[Look]:
        until(lambda: done() > 10)
        before, since = done(), time.monotonic()
        yield from self.look_on("before", lambda: time.monotonic() > since + self.part)
        self.rate = (done() - before) / (time.monotonic() - since)
        yield from self.flood()
        yield from self.look_on("after", lambda: waiting().count() <= usual())
        over = time.monotonic()
        yield from self.look_on("calming", lambda: is_calm() or time.monotonic() > over + CALM_S)
        self.calm_after = time.monotonic() - over
        yield self.look("end")

    def flood(self) -> Iterator[Look]:
        ladder, began = Ladder.objects.get(slug="network"), time.monotonic()
        active = Version.objects.filter(bot__entries__ladder=ladder, status=Version.Status.ACTIVE)
        bots = list(active.values_list("pk", flat=True))
        while (spent := time.monotonic() - began) < self.part:
            more = int(TIMES * self.rate * spent) + 1 - self.dealt
            create_sets(ladder, [self.draw.sample(bots, min(ladder.sizes)) for _ in range(more)])
            self.dealt += more
            yield self.look("flood")
            time.sleep(TICK_S)

    def look_on(self, phase: str, over: Callable[[], bool]) -> Iterator[Look]:
        while not over():
            yield self.look(phase)
            time.sleep(LOOK_S)

    def look(self, phase: str) -> Look:
        seen = look(phase, sample(self.pid, self.data, time.monotonic() - self.began))
        print(seen, file=sys.stderr, flush=True)
        connection.close()
        return seen


def look(phase: str, site: Sample) -> Look:
    with Redis.from_url(settings.REDIS_URL) as redis:
        rounds, seconds = redis.hget(ROUNDS, "leader"), redis.hget(SECONDS, "leader")
    broken = Entry.objects.aggregate(all=Sum("broken"))["all"] or 0
    return Look(
        phase, site, waiting().count(), sent(), reports_waiting(), broken,
        int(cast("bytes", rounds) or 0), float(cast("bytes", seconds) or 0),
    )  # fmt: skip


def wrong(looks: Sequence[Look], course: Course) -> Iterator[str]:
    before = [glance for glance in looks if glance.phase == "before"]
    memory_before, last = max(glance.site.memory_mb() for glance in before), looks[-1].site.memory_mb()
    most = max(glance.waiting for glance in looks)
    room = (SETS_A_WORKER + 1) * workers()  # one of each worker is begun, and not yet told of
    if most > usual() + course.dealt:
        yield f"{most} sets waited where {course.dealt} were dealt beyond the usual"
    if (sent := max(glance.sent for glance in looks)) > room:
        yield f"{sent} sets were with the broker, where {room} are the most"
    if broken := looks[-1].broken - looks[0].broken:
        yield f"{broken} promised waits were broken"
    if course.calm_after > CALM_S:
        yield f"the site was not calm {CALM_S:.0f} s after the last of it was played"
    if last > GROWTH * memory_before:
        yield f"memory grew from {memory_before:.0f} MB to {last:.0f}"


def summary(looks: Sequence[Look], course: Course) -> Iterator[str]:
    yield f"{course.rate:.1f} sets a second are played; {TIMES} times that for {course.part:.0f} s: {course.dealt} sets"
    for phase in dict.fromkeys(glance.phase for glance in looks):
        yield phase_line([glance for glance in looks if glance.phase == phase])
    yield f"calm {course.calm_after:.0f} s after the last of it was played"


def phase_line(looks: Sequence[Look]) -> str:
    """Return the line of one phase."""
    first, last = looks[0], looks[-1]
    most = [max(getattr(glance, name) for glance in looks) for name in ("waiting", "sent", "reports")]
    took = 1000 * (last.round_s - first.round_s) / max(1, last.rounds - first.rounds)
    return (
        f"{last.phase:8} {last.site.seconds - first.site.seconds:5.0f} s: at most {most[0]} wait, {most[1]} sent, "
        f"{most[2]} reports; {max(glance.site.memory_mb() for glance in looks):.0f} MB; a round {took:.0f} ms"
    )


def until(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(LOOK_S)


def done() -> int:
    return MatchSet.objects.filter(status=MatchSet.Status.COMPLETE, number__isnull=False).count()


def waiting() -> QuerySet[MatchSet]:
    left = Match.objects.filter(status__in=(Match.Status.WAITING, Match.Status.LEASED)).values("set")
    return MatchSet.objects.filter(pk__in=left)


def sent() -> int:
    return Attempt.objects.filter(outcome=Attempt.Outcome.SENT).values("match__set").distinct().count()


def workers() -> int:
    with Redis.from_url(settings.REDIS_URL) as redis:
        return len(present(redis))


def usual() -> int:
    """Sets that a site without a flood has under way at most, for both ladders."""
    return 2 * max(QUICK_AHEAD, SETS_A_WORKER * workers()) + workers()


def is_calm() -> bool:
    return waiting().count() <= usual() and sent() <= SETS_A_WORKER * workers() + workers() and not reports_waiting()
