"""Bots in a ladder's table without a rank, which do not affect other ranks: they play, and keep their rating."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from django.db.models import F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from tournaments.core.accounts.sides import Sides
from tournaments.ledger.ladders.fielded import fielded
from tournaments.models import Entry, Ladder, Likeness, Rating


@dataclass(frozen=True, slots=True)
class Unranked:
    """Why a bot has no rank."""

    to_rank: int = 0  # sets that it owes, because it was away (`absences`)
    plays_as: str = ""  # the bot that it plays as (`features.likeness.doubles`)


def unranked(ladder: Ladder) -> dict[int, Unranked]:
    """Return bots without a rank, by bot. Two queries; one more where there are doubles."""
    return _away(ladder) | {bot: Unranked(plays_as=name) for bot, name in _doubles(ladder)}


def _doubles(ladder: Ladder) -> Iterator[tuple[int, str]]:
    """Yield doubles of one side now: people who have parted since have a rank each. The anchor is no double."""
    pairs = Likeness.objects.filter(ladder=ladder, status=Likeness.Status.ALIKE, version__in=fielded(ladder))
    names = ("version__bot", "original__bot__name", "version__bot__owner", "original__bot__owner")
    rows = list(pairs.exclude(version=ladder.anchor_id).values_list(*names))
    sides = Sides() if rows else None
    for bot, name, owner, other in rows:
        if sides and sides.of(owner) == sides.of(other):
            yield bot, name


def _away(ladder: Ladder) -> dict[int, Unranked]:
    away = Entry.objects.filter(ladder=ladder, ranked_from__gt=0).annotate(played=_played(ladder))
    owing = away.filter(played__lt=F("ranked_from")).values_list("bot", "ranked_from", "played")
    return {bot: Unranked(to_rank=ceil(ranked_from - played)) for bot, ranked_from, played in owing}


def _played(ladder: Ladder) -> Coalesce:
    sets = Rating.objects.filter(ladder=ladder, version__bot=OuterRef("bot")).order_by().values("version__bot")
    return Coalesce(Subquery(sets.annotate(sum=Sum("sets")).values("sum"), output_field=IntegerField()), 0)
