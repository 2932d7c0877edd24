"""The classic Elo of a bot, set by set, over all its versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournaments.models import Ladder, RatingStep

SETS = 300  # the latest ones that count


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """The rating after the set of that number, in which that version of the bot played."""

    set: int
    version: int
    elo: float
    delta: float
    at: datetime


def history_of(ladder: Ladder, bot: int, most: int = SETS, before: int | None = None) -> list[RatingPoint]:
    """Return the latest `most` steps, the oldest first; with `before`, those of the sets before that number."""
    return [_step(row) for row in list(_rows(ladder, bot, most, before))[::-1]]


def histories(ladder: Ladder, bots: Sequence[int]) -> dict[int, list[RatingPoint]]:
    """Return the histories of a few bots, by one query."""
    if not bots:
        return {}
    first, *others = (_rows(ladder, bot, SETS) for bot in bots)
    points: dict[int, list[RatingPoint]] = {bot: [] for bot in bots}
    for row in first.union(*others, all=True):
        points[row[0]].append(_step(row))
    return {bot: sorted(steps, key=lambda step: step.set) for bot, steps in points.items()}


def _rows(ladder: Ladder, bot: int, most: int, before: int | None = None) -> "QuerySet[RatingStep, tuple[Any, ...]]":
    """Return the steps, newest first."""
    steps = RatingStep.objects.filter(version__bot=bot, set__ladder=ladder)
    if before is not None:
        steps = steps.filter(set__number__lt=before)
    columns = ("version__bot", "set__number", "version__number", "milli_elo", "delta", "set__ended_at")
    return steps.order_by("-set__number").values_list(*columns)[:most]


def _step(row: tuple[Any, ...]) -> RatingPoint:
    _, number, version, milli, delta, ended_at = row
    return RatingPoint(number, version, milli / 1000, delta / 1000, ended_at)
