"""The versions and entries of a bot, for its pages."""

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When

from tournaments.models import Bot, Entry, Rating, Version
from tournaments.ratings.intervals import CI95


def versions_newest_first(bot: Bot) -> QuerySet[Version]:
    return bot.versions.select_related("bundle").defer("bundle__content").order_by("-number")


def rated_entries(bot: Bot) -> QuerySet[Entry]:
    """Return the bot's entries, each with `elo`, `ci95` and `sets` of the version that plays there, if it is rated."""
    pinned, active = Q(version=OuterRef("pinned")), Q(version__status=Version.Status.ACTIVE)
    rating = Rating.objects.filter(pinned | active, ladder=OuterRef("ladder"), version__bot=OuterRef("bot"))
    rating = rating.alias(choice=Case(When(pinned, then=0), default=1)).order_by("choice")
    elo, sd, sets = (Subquery(rating.values(name)[:1]) for name in ("elo", "sd", "sets"))
    return bot.entries.select_related("ladder__anchor").annotate(elo=elo, ci95=sd * CI95, sets=sets).order_by("pk")
