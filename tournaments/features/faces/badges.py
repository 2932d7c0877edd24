"""Badges: what bots have earned in rated sets of ladders, read from the ledger by the dispatcher.

A bot finishes a set ahead of another if its mean place over the matches of the set is better. It has its first upset
if the other, of another owner, had at least 100 more classic Elo before the set. Each badge is earned once, by the
earliest set that earns it. What a void set has earned is taken back, and the ladders of the bot are read again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from bots.characters import characters_of
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.ledger.statistics.upsets import GAP, mean_places
from tournaments.models import Badge, BadgeReading, Bot, Entry, Fit, Ladder, RatingStep
from workers.isolation import handle_each

Kind = Badge.Kind
STEPS = 2000  # that are read of a ladder in one turn
WEEK = timedelta(days=7)
FIELDS = ("set", "set__ended_at", "version", "version__bot", "version__bot__house", "version__bot__owner")
Key = tuple[int, str, str]  # bot, kind, character


class Finish(NamedTuple):
    """How a bot finished a set."""

    set: int
    ended_at: datetime
    version: int
    bot: int
    house: str
    owner: int
    milli_elo: int  # after the set
    delta: int
    place: float = 0.0

    @property
    def elo_before(self) -> float:
        return (self.milli_elo - self.delta) / 1000


class Earned(NamedTuple):
    """When a badge was earned; the earliest is the least."""

    set: int
    at: datetime


def award_badges() -> int:
    """Read what is new in each ladder, a bounded part in a turn. Returns how many ladders had something."""
    behind = Ladder.objects.filter(fit__isnull=False).exclude(badge_reading__fit_at=F("fit__made_at"))
    return handle_each("badges", behind, read_ladder, FAILING_ITEMS, item_name)


@transaction.atomic
def read_ladder(ladder: Ladder) -> int:
    reading = BadgeReading.objects.select_for_update().get_or_create(ladder=ladder)[0]
    fit_at = Fit.objects.values_list("made_at", flat=True).get(ladder=ladder)
    if take_back(ladder):
        reading.refresh_from_db()
    steps = RatingStep.objects.filter(set__ladder=ladder, pk__gt=reading.step).order_by("pk")
    rows = list(steps.values_list("pk", "set")[:STEPS])
    keep_badges(ladder, earned_in(ladder, {match_set for _, match_set in rows}))
    reading.step = rows[-1][0] if rows else reading.step
    reading.fit_at = fit_at if len(rows) < STEPS else None
    reading.save()
    return 1


def read_again(bot: Bot) -> None:
    """Read the ladders of the bot once more from their beginning; what is known stays."""
    BadgeReading.objects.filter(ladder__entries__bot=bot).update(step=0, fit_at=None)


def take_back(ladder: Ladder) -> bool:
    """Delete what was earned in sets that do not count any more. Returns whether there was something."""
    void = Badge.objects.filter(set__ladder=ladder, set__rated=False)
    bots = set(void.values_list("bot", flat=True))
    if bots:
        void.delete()
        Badge.objects.filter(bot__in=bots, kind=Kind.ALL_BEATEN).delete()
        BadgeReading.objects.filter(ladder__entries__bot__in=bots).update(step=0, fit_at=None)
    return bool(bots)


def earned_in(ladder: Ladder, sets: Collection[int]) -> dict[Key, Earned]:
    """Return the badges that bots have earned in these sets, each as early as it was."""
    by_set, places = defaultdict[int, list[Finish]](list), mean_places(sets)
    steps = RatingStep.objects.filter(set__in=sets).order_by("set", "pk")
    for row in steps.values_list(*FIELDS, "milli_elo", "delta"):
        finish = Finish(*row)
        by_set[finish.set].append(finish._replace(place=places[finish.set, finish.version][0]))
    entered = dict(Entry.objects.filter(ladder=ladder).values_list("bot", "entered_at"))
    earned: dict[Key, Earned] = {}
    for finishes in by_set.values():
        for finish in (one for one in finishes if not one.house):
            for kind, character in kinds_earned(ladder, finish, finishes, entered):
                key, now = (finish.bot, kind, character), Earned(finish.set, finish.ended_at)
                earned[key] = min(earned.get(key, now), now)
    return earned


def kinds_earned(
    ladder: Ladder, finish: Finish, finishes: Sequence[Finish], entered: dict[int, datetime]
) -> Iterator[tuple[str, str]]:
    """Yield the kinds of badges that a bot earns by how it has finished a set, with the character of each."""
    others = [other for other in finishes if other.bot != finish.bot]
    behind = [other for other in others if finish.place < other.place]
    yield from ((Kind.BEATEN, other.house) for other in behind if other.house in characters_of(ladder.game))
    if others and len(behind) == len(others):
        yield Kind.FIRST_WIN, ""
    if any(other.elo_before - finish.elo_before >= GAP and other.owner != finish.owner for other in behind):
        yield Kind.FIRST_UPSET, ""
    if finish.bot in entered and finish.ended_at - entered[finish.bot] >= WEEK:
        yield Kind.WEEK, ""


def keep_badges(ladder: Ladder, earned: dict[Key, Earned]) -> None:
    """Store what is new, or was earned earlier than is known."""
    store(earned)
    bots = {bot for bot, kind, _ in earned if kind == Kind.BEATEN}
    names = characters_of(ladder.game)
    beaten: defaultdict[int, list[Earned]] = defaultdict(list)
    rows = Badge.objects.filter(bot__in=bots, kind=Kind.BEATEN, character__in=names)
    for bot, match_set, earned_at in rows.values_list("bot", "set", "earned_at"):
        beaten[bot].append(Earned(match_set, earned_at))
    store({(bot, Kind.ALL_BEATEN, ""): max(times) for bot, times in beaten.items() if len(times) == len(names)})


def store(earned: dict[Key, Earned]) -> None:
    known: dict[Key, Badge] = {
        (badge.bot_id, badge.kind, badge.character): badge
        for badge in Badge.objects.filter(bot__in={bot for bot, _, _ in earned})
    }
    rows = [
        Badge(bot_id=bot, kind=kind, character=character, set_id=when.set, earned_at=when.at)
        for (bot, kind, character), when in earned.items()
        if (badge := known.get((bot, kind, character))) is None or when.set < badge.set_id
    ]
    Badge.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["bot", "kind", "character"],
        update_fields=["set", "earned_at"],
    )
