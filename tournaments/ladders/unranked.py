"""Bots that stand in a ladder's table without a rank, and that count for nobody's: they play, and keep their rating."""

from dataclasses import dataclass
from math import ceil

from django.db.models import F, IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from tournaments.models import Entry, Ladder, Rating


@dataclass(frozen=True, slots=True)
class Unranked:
    """Why a bot has no rank."""

    to_rank: int = 0  # sets that it owes, because it was away (`absences`)


def unranked(ladder: Ladder) -> dict[int, Unranked]:
    """By bot. One query."""
    away = Entry.objects.filter(ladder=ladder, ranked_from__gt=0).annotate(played=_played(ladder))
    owing = away.filter(played__lt=F("ranked_from")).values_list("bot", "ranked_from", "played")
    return {bot: Unranked(to_rank=ceil(ranked_from - played)) for bot, ranked_from, played in owing}


def _played(ladder: Ladder) -> Coalesce:
    sets = Rating.objects.filter(ladder=ladder, version__bot=OuterRef("bot")).order_by().values("version__bot")
    return Coalesce(Subquery(sets.annotate(sum=Sum("sets")).values("sum"), output_field=IntegerField()), 0)
