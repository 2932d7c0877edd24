"""Upsets: a bot finished a rated set ahead of one that was rated far above it.

The rating is the classic Elo before the set; ahead means a better mean place over all of its matches, so luck with one
deal or seat is no upset. The widest gap of each set counts.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


class _Rated(NamedTuple):
    """A rating step, without what is shown of the widest alone."""

    pk: int
    set: int
    version: int
    milli_elo: int  # after the set
    delta: int

    @property
    def before(self) -> float:
        return (self.milli_elo - self.delta) / 1000


class _Gap(NamedTuple):
    elo: float
    low: _Rated
    high: _Rated
    match: int


def latest_upsets(most: int = 5) -> list[Upset]:
    """The widest first. Four queries."""
    sets = list(
        MatchSet.objects.filter(listed_for(None), rated=True).order_by("-pk").values_list("pk", flat=True)[:SETS]
    )
    by_set: defaultdict[int, list[_Rated]] = defaultdict(list)
    for row in RatingStep.objects.filter(set__in=sets).order_by("pk").values_list(*_Rated._fields):
        by_set[row[1]].append(_Rated(*row))
    places = _places(sets)
    found = [gap for of_set in by_set.values() if (gap := _widest(of_set, places))]
    return _shown(sorted(found, key=lambda gap: -gap.elo)[:most])


def _shown(gaps: Sequence[_Gap]) -> list[Upset]:
    steps = RatingStep.objects.select_related("set__ladder", "version__bot").defer("set__seed")
    kept = steps.in_bulk([step.pk for gap in gaps for step in (gap.low, gap.high)])
    return [Upset(gap.low.set, gap.match, kept[gap.low.pk], kept[gap.high.pk], gap.elo) for gap in gaps]


def _places(sets: list[int]) -> dict[tuple[int, int], tuple[float, int]]:
    """By set and version: the mean place, and a match."""
    rows = Seat.objects.filter(match__set__in=sets).values_list("match__set", "version")
    return {(of, version): (mean, first) for of, version, mean, first in rows.annotate(Avg("place"), Min("match"))}


def _widest(steps: list[_Rated], places: dict[tuple[int, int], tuple[float, int]]) -> _Gap | None:
    """The widest gap in one set, if it is wide enough."""
    pairs = [
        _Gap(high.before - low.before, low, high, places[low.set, low.version][1])
        for low in steps
        for high in steps
        if places[low.set, low.version][0] < places[high.set, high.version][0]
    ]
    widest = max(pairs, key=lambda gap: gap.elo, default=None)
    return widest if widest and widest.elo >= GAP else None
