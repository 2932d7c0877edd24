"""Who is disqualified where, and which sets therefore do not count.

A disqualification is a filter, never a deletion: sets stay, and count again when it is lifted.
"""

from django.db.models import Q, QuerySet

from tournaments.models import Bot, Disqualification, Ladder, MatchSet, Seat, Version


def in_force(ladder: Ladder) -> QuerySet[Disqualification]:
    return Disqualification.objects.filter(Q(ladder=None) | Q(ladder=ladder), lifted=None)


def excluded(ladder: Ladder, *, without: Disqualification | None = None) -> set[int]:
    """Return the versions disqualified in this ladder, now or `without` one of the disqualifications."""
    lines = list(in_force(ladder).exclude(pk=without.pk if without else 0).values_list("version", "bot", "owner"))
    if not lines:
        return set()
    versions, bots, owners = ([value for value in column if value] for column in zip(*lines, strict=True))
    out = Version.objects.filter(Q(pk__in=versions) | Q(bot__in=bots) | Q(bot__owner__in=owners))
    return set(out.values_list("pk", flat=True))


def versions_out(row: Disqualification) -> QuerySet[Version]:
    if row.version:
        return Version.objects.filter(pk=row.version.pk)
    return Version.objects.filter(bot__in=bots_of(row))


def bots_of(row: Disqualification) -> QuerySet[Bot]:
    if row.owner:
        return Bot.objects.filter(owner=row.owner)
    bot = row.bot or (row.version.bot if row.version else None)
    return Bot.objects.filter(pk=bot.pk) if bot else Bot.objects.none()


def ladders_affected(row: Disqualification) -> list[Ladder]:
    """The ladders that it affects."""
    entered = Ladder.objects.filter(entries__bot__in=bots_of(row)).distinct().order_by("pk")
    return list(entered.filter(pk=row.ladder.pk) if row.ladder else entered)


def barring(ladder: Ladder, bot: Bot) -> Disqualification | None:
    """The disqualification of the whole bot in the ladder, or None."""
    return in_force(ladder).filter(Q(bot=bot) | Q(owner=bot.owner_id)).select_related("act").first()


def recount(ladder: Ladder) -> int | None:
    """Mark which sets count. Returns the lowest number among those that changed."""
    sets = ladder.sets.filter(number__isnull=False)
    seated = Seat.objects.filter(version__in=excluded(ladder), match__set__in=sets)
    barred = sets.filter(pk__in=seated.values("match__set"))
    out = dict(barred.filter(counts=True).values_list("pk", "number"))
    back = dict(sets.filter(counts=False).exclude(pk__in=barred.values("pk")).values_list("pk", "number"))
    MatchSet.objects.filter(pk__in=out).update(counts=False, rated=False)
    MatchSet.objects.filter(pk__in=back).update(counts=True)
    return min(filter(None, [*out.values(), *back.values()]), default=None)
