"""The ratings of a ladder: a fold over its completed sets in the order of their numbers, not of their arrival.

`rate` continues the fold, or goes back to before the earliest new set; `refold` begins at any set. All give the same
numbers to the last digit. This is the classic Elo; the official ratings are in `official_fit`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from django.db import connection, transaction
from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from tournaments.core.broker.available_workers import CHOSEN
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.notices import triggers
from tournaments.ledger.competitors.entry_states import suspend
from tournaments.ledger.ladders.disqualified import excluded, recount
from tournaments.ledger.ladders.standings import active_versions
from tournaments.models import Fit, Ladder, MatchSet, Rating, RatingStep, Seat, Version
from tournaments.ratings.elo import Tally, fold
from tournaments.ratings.ledger import Game
from workers.isolation import handle_each

FIELDS = [field.name for field in fields(Tally)]
STREAK = 3  # sets in a row with a forfeit, and the entry is suspended
LOCK = 7_001  # with the ladder's id: one fold of a ladder at a time
BATCH = 2000  # rows
Played: TypeAlias = list[tuple[int, list[Game]]]
Steps: TypeAlias = list[RatingStep]
COUNTING = Q(status=MatchSet.Status.COMPLETE, number__isnull=False, counts=True)
FOUND, CHECKED = timedelta(seconds=10), timedelta(minutes=10)  # in which a spot check finds a worker, and ends


def ready_sets_condition() -> Q:
    """Return the condition that a set counts, and is rated already or has no spot check under way."""
    checks = MatchSet.objects.filter(rechecks__set=OuterRef("pk"), reason="")
    soon = Q(created_at__gt=Now() - FOUND) | (Q(created_at__gt=Now() - CHECKED) & ~Q(needs=CHOSEN))
    return Q(COUNTING, Q(rated=True) | Q(~Exists(checks.filter(soon))))


def rate() -> int:
    """Rate every completed set. Returns how many were new."""
    new = MatchSet.objects.filter(COUNTING, rated=False)
    ladders = Ladder.objects.filter(pk__in=new.values("ladder").distinct())
    return handle_each("classic ratings", ladders, rate_ladder, FAILING_ITEMS, item_name)


@transaction.atomic
def rate_ladder(ladder: Ladder) -> int:
    """Rate its completed sets. Returns how many were new."""
    lock(ladder)
    unrated = ladder.sets.filter(ready_sets_condition(), rated=False).aggregate(first=Min("number"))["first"]
    if unrated is None:
        return 0
    changed = recount(ladder) if excluded(ladder) else None  # a set was dealt just when its version was disqualified
    return refold(ladder, min(unrated, changed or unrated))


def lock(ladder: Ladder) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK, ladder.pk])


def refold(ladder: Ladder, first: int = 1) -> int:
    """Fold the sets that count, from number `first` on, over the tallies before it. Returns how many were new.

    One query decides which sets these are: another set may complete before the next query.
    """
    played = games_of(ladder.sets.filter(ready_sets_condition(), number__gte=first))
    steps_before = RatingStep.objects.filter(set__ladder=ladder, set__number__gte=first)
    moved = set(steps_before.values_list("version", flat=True))
    steps_before.delete()
    steps, tallies = computed(ladder, first, played, moved)
    RatingStep.objects.bulk_create(steps, batch_size=BATCH)
    Rating.objects.filter(ladder=ladder, version__in=moved - tallies.keys()).delete()
    moved |= {step.version_id for step in steps}
    _publish(ladder, {version: tallies[version] for version in moved & tallies.keys()})
    Fit.objects.filter(ladder=ladder).update(stale=True)
    return MatchSet.objects.filter(pk__in=[set_id for set_id, _ in played], rated=False).update(rated=True)


def computed(
    ladder: Ladder, first: int, played: Played, versions: Iterable[int] = ()
) -> tuple[Steps, dict[int, Tally]]:
    """Return the steps of these sets, from number `first` on, and the tallies after them, those of `versions` too."""
    lineages = _lineages(played)
    tallies = tallies_before(ladder, first, {*lineages, *versions})
    steps = [
        RatingStep(set_id=set_id, version_id=version, **asdict(tally))
        for (set_id, _), after in zip(played, fold((games for _, games in played), tallies, lineages), strict=True)
        for version, tally in after.items()
    ]
    return steps, tallies


def games_of(sets: QuerySet[MatchSet]) -> Played:
    """The id and the games of each set, in order of number."""
    return list(_played(sets))


def _played(sets: QuerySet[MatchSet]) -> Iterator[tuple[int, list[Game]]]:
    seats = Seat.objects.filter(match__set__in=sets).order_by("match__set__number", "match", "number")
    lines = seats.values_list("match__set", "match", "version", "place", "forfeited").iterator(BATCH)
    for set_id, of_set in groupby(lines, itemgetter(0)):
        yield set_id, [_game([line[2:] for line in of_match]) for _, of_match in groupby(of_set, itemgetter(1))]


def _game(seats: Sequence[tuple[Any, ...]]) -> Game:
    versions, places, forfeits = zip(*seats, strict=True)
    return Game(versions, places, forfeits)


def _lineages(played: Played) -> dict[int, list[int]]:
    """Return, by version of a bot that plays in these sets, the bot's earlier versions, newest first."""
    seated = {version for _, games in played for game in games for version in game.versions}
    bots = Version.objects.filter(pk__in=seated).values("bot")
    lineages: dict[int, list[int]] = {}
    for _, versions in groupby(
        Version.objects.filter(bot__in=bots).order_by("bot", "number").values_list("bot", "pk"), itemgetter(0)
    ):
        older: list[int] = []
        for _, version in versions:
            lineages[version] = older[::-1]
            older.append(version)
    return lineages


def tallies_before(ladder: Ladder, first: int | None, versions: Iterable[int]) -> dict[int, Tally]:
    """The tallies of these versions after the last set with a number below `first`, or after all sets."""
    steps_of_it = RatingStep.objects.filter(version=OuterRef("pk"), set__ladder=ladder)
    earlier = steps_of_it if first is None else steps_of_it.filter(set__number__lt=first)
    last = Version.objects.filter(pk__in=versions).annotate(step=Subquery(earlier.order_by("-set").values("pk")[:1]))
    steps = RatingStep.objects.filter(pk__in=last.values("step"))
    return {step.version_id: tally_of(step) for step in steps}


def tally_of(row: Rating | RatingStep) -> Tally:
    return Tally(*(getattr(row, name) for name in FIELDS))


def _publish(ladder: Ladder, latest: dict[int, Tally]) -> None:
    Rating.objects.bulk_create(
        [Rating(ladder=ladder, version_id=version, **asdict(tally)) for version, tally in latest.items()],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["ladder", "version"],
        update_fields=FIELDS,
    )
    forfeiting = [version for version, tally in latest.items() if tally.streak >= STREAK]
    bots = [version.bot_id for version in active_versions(ladder) if version.pk in forfeiting] if forfeiting else []
    if bots:
        triggers.notify_of_suspension(suspend(ladder.entries.filter(bot__in=bots)))
