"""Busy sites beside this one on the same machine, while a thousand of its sets wait: how long pages take, and whether
anything stands still.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import cast

from django.conf import settings
from django.db import connection
from redis import Redis

from tests.soak.overload import waiting
from tests.soak.visitors import Visitors
from tournaments.core.broker.heartbeats import ROUNDS
from tournaments.ledger.matchmaking.ladder_sets import create_sets
from tournaments.models import Ladder, Result, Version

SETS, VISITORS = 1000, 4
PAGE_S, STILL_S = 1.0, 30.0  # what a page may take at the 95th percentile, and for how long anything may stand still
TICK_S, PATIENCE_S = 0.5, 120.0


@dataclass(slots=True)
class Stillness:
    """For how long a number stood still at most. It changes with every step of what it counts."""

    count: Callable[[], int]
    longest: float = 0.0
    _known: int = -1
    _since: float = field(default_factory=time.monotonic)

    def look(self) -> None:
        now, number = time.monotonic(), self.count()
        self.longest = max(self.longest, now - self._since)
        if number != self._known:
            self._known, self._since = number, now


def run(address: str, data: Path, neighbours: int, minutes: float, a_site: Callable[..., object]) -> int:
    """Say what is wrong; return 1 if anything is."""
    with ExitStack() as stack:
        for number in range(neighbours):
            stack.enter_context(cast("ExitStack", a_site(data.parent / f"busy-{number}", demo=True)))
        flood()
        visitors = Visitors(address, VISITORS, patience_s=PATIENCE_S)
        still = {"matches": Stillness(Result.objects.count), "the dispatcher": Stillness(rounds)}
        visitors.come()
        until = time.monotonic() + 60 * minutes
        while time.monotonic() < until:
            for stillness in still.values():
                stillness.look()
            time.sleep(TICK_S)
        left, load = waiting().count(), Path("/proc/loadavg").read_text().split()[0]
        visitors.leave()
    p95, longest = quantiles(visitors.seconds, n=20)[-1], max(visitors.seconds)
    print(
        f"{neighbours} busy sites beside this one, load {load}; of {SETS} sets {left} still wait; "
        f"{dict(visitors.answers)}"
    )
    print(f"a page takes {p95:.2f} s at the 95th percentile, {longest:.1f} s at most")
    print("stood still at most: " + ", ".join(f"{name} {stillness.longest:.1f} s" for name, stillness in still.items()))
    complaints = list(wrong(p95, {"a page": longest} | {name: stillness.longest for name, stillness in still.items()}))
    print("\n".join(f"WRONG: {complaint}" for complaint in complaints), file=sys.stderr)
    return 1 if complaints else 0


def flood() -> None:
    ladder = Ladder.objects.get(slug="network")
    active = Version.objects.filter(bot__entries__ladder=ladder, status=Version.Status.ACTIVE)
    while not (bots := list(active.values_list("pk", flat=True)))[min(ladder.sizes) - 1 :]:
        connection.close()
        time.sleep(TICK_S)
    create_sets(ladder, [[bots[0], *bots[1 : min(ladder.sizes)]]] * SETS)


def rounds() -> int:
    with Redis.from_url(settings.REDIS_URL) as redis:
        return int(cast("bytes", redis.hget(ROUNDS, "leader")) or 0)


def wrong(p95: float, stood: dict[str, float]) -> Iterator[str]:
    if p95 > PAGE_S:
        yield f"pages take more than {PAGE_S:.0f} s at the 95th percentile"
    yield from (
        f"{name} stood still for more than {STILL_S:.0f} s" for name, seconds in stood.items() if seconds > STILL_S
    )
