"""Upsets: a bot finished a rated set ahead of one that was rated far above it.

The rating is the classic Elo before the set; ahead means a better mean place over all of its matches, so luck with one
deal or seat is no upset. The widest gap of each set counts.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Avg, Min

from tournaments.core.accounts.spaces import listed_for
from tournaments.models import MatchSet, RatingStep, Seat

SETS = 60  # the latest rated ones of all ladders that count
GAP = 100.0  # Elo


class Rated(NamedTuple):
    """A rating step, by what is compared and shown of it."""

    set: int
    number: int  # of the set in its ladder
    ladder: str
    version: int
    bot: str
    milli_elo: int  # after the set
    delta: int

    @property
    def before(self) -> float:
        return (self.milli_elo - self.delta) / 1000


FIELDS = ("set", "set__number", "set__ladder__title", "version", "version__bot__name", "milli_elo", "delta")


class Upset(NamedTuple):
    gap: float
    low: Rated
    high: Rated
    match: int  # the first of the set


def latest_upsets(most: int = 5) -> list[Upset]:
    """The widest first. Three queries, and no model of what is compared alone."""
    sets = list(
        MatchSet.objects.filter(listed_for(None), rated=True).order_by("-pk").values_list("pk", flat=True)[:SETS]
    )
    by_set: defaultdict[int, list[Rated]] = defaultdict(list)
    for row in RatingStep.objects.filter(set__in=sets).order_by("pk").values_list(*FIELDS):
        by_set[row[0]].append(Rated(*row))
    places = mean_places(sets)
    found = [upset for of_set in by_set.values() if (upset := _widest(of_set, places))]
    return sorted(found, key=lambda upset: -upset.gap)[:most]


def mean_places(sets: Collection[int]) -> dict[tuple[int, int], tuple[float, int]]:
    """Return by set and version the mean place, and the id of the first match."""
    rows = Seat.objects.filter(match__set__in=sets).values_list("match__set", "version")
    return {(of, version): (mean, first) for of, version, mean, first in rows.annotate(Avg("place"), Min("match"))}


def _widest(steps: list[Rated], places: dict[tuple[int, int], tuple[float, int]]) -> Upset | None:
    """The widest gap in one set, if it is wide enough."""
    pairs = [
        Upset(high.before - low.before, low, high, places[low.set, low.version][1])
        for low in steps
        for high in steps
        if places[low.set, low.version][0] < places[high.set, high.version][0]
    ]
    widest = max(pairs, key=lambda upset: upset.gap, default=None)
    return widest if widest and widest.gap >= GAP else None
