"""Upsets: a bot finished a rated set ahead of one that was rated far above it.

The rating is the classic Elo before the set; ahead means a better mean place over all of its matches, so luck with one
deal or seat is no upset. The widest gap of each set counts.
"""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Avg, Min

from tournaments.accounts.spaces import listed_for
from tournaments.models import MatchSet, RatingStep, Seat

SETS = 60  # the latest rated ones of all ladders that count
GAP = 100.0  # Elo


@dataclass(frozen=True, slots=True)
class Upset:
    set: int  # its id
    match: int  # its first
    low: RatingStep
    high: RatingStep
    gap: float


def latest_upsets(most: int = 5) -> list[Upset]:
    """The widest first. Three queries."""
    sets = list(
        MatchSet.objects.filter(listed_for(None), rated=True).order_by("-pk").values_list("pk", flat=True)[:SETS]
    )
    steps = RatingStep.objects.filter(set__in=sets).select_related("set__ladder", "version__bot")
    by_set: defaultdict[int, list[RatingStep]] = defaultdict(list)
    for step in steps.defer("set__seed"):
        by_set[step.set_id].append(step)
    places = _places(sets)
    found = [upset for of_set in by_set.values() if (upset := _upset(of_set, places))]
    return sorted(found, key=lambda upset: -upset.gap)[:most]


def _places(sets: list[int]) -> dict[tuple[int, int], tuple[float, int]]:
    """By set and version: the mean place, and a match."""
    rows = Seat.objects.filter(match__set__in=sets).values_list("match__set", "version")
    return {(of, version): (mean, first) for of, version, mean, first in rows.annotate(Avg("place"), Min("match"))}


def _upset(steps: list[RatingStep], places: dict[tuple[int, int], tuple[float, int]]) -> Upset | None:
    """The widest gap in one set, if it is wide enough."""
    pairs = [
        Upset(low.set_id, places[low.set_id, low.version_id][1], low, high, _before(high) - _before(low))
        for low in steps
        for high in steps
        if places[low.set_id, low.version_id][0] < places[high.set_id, high.version_id][0]
    ]
    widest = max(pairs, key=lambda upset: upset.gap, default=None)
    return widest if widest and widest.gap >= GAP else None


def _before(step: RatingStep) -> float:
    return (step.milli_elo - step.delta) / 1000
