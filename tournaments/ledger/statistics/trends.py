"""Trends in the standings: the change of the classic Elo over the last sets."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from tournaments.models import Ladder, RatingStep, Version

SETS = 10  # of a trend
FORM = 5  # of them that are shown one by one


@dataclass(frozen=True, slots=True)
class Trend:
    """The change of a version's classic Elo over its last `sets` sets, and by each of the last few, oldest first."""

    change: float
    sets: int
    form: list[float]

    @property
    def marks(self) -> str:
        """Return the form as a row of signs."""
        return "".join("▲" if delta > 0 else "▽" if delta < 0 else "·" for delta in self.form)


def trends(ladder: Ladder, versions: Collection[int]) -> dict[int, Trend]:
    """The trends of versions that have played there. One query, which reads SETS steps of each."""
    steps = RatingStep.objects.filter(version=OuterRef("pk"), set__ladder=ladder).order_by("-set")
    found = Version.objects.filter(pk__in=versions).annotate(deltas=ArraySubquery(steps.values("delta")[:SETS]))
    return {pk: _trend(deltas) for pk, deltas in found.values_list("pk", "deltas") if deltas}


def _trend(newest_first: list[int]) -> Trend:
    deltas = [delta / 1000 for delta in reversed(newest_first)]
    return Trend(sum(deltas), len(deltas), deltas[-FORM:])
