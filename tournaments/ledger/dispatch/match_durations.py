"""How long matches take, according to recent results."""

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from statistics import median

from django.db import connection
from django.db.models import QuerySet

from tournaments.models import Result
from workers.identity import OF, OUTSIDE

LATELY = 200  # results of the site that say what is usual
SETS = 5  # the last of a version, that say how long it takes
LONG, BRIEF = 4, 10.0  # times the usual; seconds of a set that hold nobody up
KEPT, SOON = 60.0, 2.0  # seconds for which what is usual is good enough, and while nothing is known
PARTS = 10  # a tenth of the versions is looked up afresh whenever that time is over: all at once would take seconds

TOOK = """
SELECT version, avg(ms) / 1000 FROM unnest(%s::bigint[]) AS version, LATERAL (
    SELECT CASE WHEN position(%s IN result.worker) = 0 THEN coalesce(seat.took_ms, seat.cpu_ms) END AS ms
    FROM tournaments_seat AS seat
    JOIN tournaments_match AS match ON match.id = seat.match_id
    JOIN tournaments_result AS result ON result.match_id = match.id
    WHERE seat.version_id = version AND match.turn = 0
    ORDER BY seat.match_id DESC LIMIT %s
) AS lately GROUP BY version
"""  # a few steps of an index for each version, however much it has played


def took(versions: Collection[int]) -> dict[int, float]:
    """Return the seconds that each version took to answer in a match, on average of one of each of its last sets.

    It is its own time, as the referee's clock says: who plays with a slow bot is not slow for that, and a slow bot is
    no quicker for a match in which it hurries. What workers from outside say of it does not count.
    """
    with connection.cursor() as cursor:
        cursor.execute(TOOK, [list(versions), f"{OF}{OUTSIDE}/", SETS])
        return {version: seconds or 0.0 for version, seconds in cursor.fetchall()}


def site_lately() -> list[float]:
    """The seconds of the site's latest matches, as its own workers measured them."""
    return list(sites_results().order_by("-recorded_at").values_list("seconds", flat=True)[:LATELY])


def sites_results() -> QuerySet[Result]:
    """Return the results of the site's workers. What a space's worker says of its time counts for that space alone."""
    return Result.objects.exclude(worker__contains=OF)


@dataclass(slots=True)
class Paces:
    """Caches what it has looked up: the dispatcher asks ten times a second."""

    took: dict[int, float] = field(default_factory=dict)
    usual: float = 0.0
    good_until: float = 0.0
    part: int = 0

    def slow(self, versions: Iterable[int], matches: int) -> frozenset[int]:
        """Return the versions that make a set of `matches` matches take far longer than most."""
        least = max(LONG * self.usual, BRIEF / max(1, matches))
        return frozenset(version for version in versions if self.took.get(version, 0.0) > least)

    def learn(self, versions: Collection[int]) -> None:
        if time.monotonic() > self.good_until:
            self.part = (self.part + 1) % PARTS
            self.took = {number: seconds for number, seconds in self.took.items() if number % PARTS != self.part}
            self.usual = median(site_lately() or [0.0])
            self.good_until = time.monotonic() + (KEPT if self.usual else SOON)
        if new := [version for version in versions if version not in self.took]:
            self.took |= dict.fromkeys(new, 0.0) | took(new)

    def forget(self) -> None:
        self.took, self.good_until = {}, 0.0
