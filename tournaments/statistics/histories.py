"""The classic Elo of a bot, set by set, whichever version of it played."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Bot, Ladder, RatingStep

SETS = 300  # that are looked back


@dataclass(frozen=True, slots=True)
class Step:
    """After the set of that number, in which that version of the bot played."""

    set: int
    version: int
    elo: float
    delta: float
    at: datetime


def history_of(ladder: Ladder, bot: Bot | int, most: int = SETS, before: int | None = None) -> Sequence[Step]:
    """The latest `most` steps, the oldest first; with `before`, those of the sets before that number."""
    steps = RatingStep.objects.filter(version__bot=bot, set__ladder=ladder)
    if before is not None:
        steps = steps.filter(set__number__lt=before)
    columns = ("set__number", "version__number", "milli_elo", "delta", "set__ended_at")
    rows = list(steps.order_by("-set__number").values_list(*columns)[:most])
    return [Step(number, version, milli / 1000, delta / 1000, at) for number, version, milli, delta, at in rows[::-1]]
