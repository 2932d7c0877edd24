"""The size limit of an upload, as set by the ladders of its game."""

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Max, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.clones import FIELDED, ladders_of_bot
from tournaments.ledger.competitors.entry_states import GONE
from tournaments.models import Bot, Entry, Ladder, Version

MB = 1 << 20


def most_for(bot: Bot) -> int:
    """Return the most for a bot, in MB: what all its ladders take, or, if it is in none, an open one of its game."""
    return min((ladder.upload_mb for ladder in ladders_of_bot(bot)), default=largest_upload(bot.game))


def largest_upload(game: str = "") -> int:
    """Return what the most generous ladder takes, of that game or of any, in MB."""
    there = Ladder.objects.exclude(status=Ladder.Status.CLOSED)
    largest = (there.filter(game=game) if game else there).aggregate(most=Max("upload_mb"))["most"]
    return int(largest or settings.USUAL_UPLOAD_MB)


def most_there() -> Coalesce:
    """The same of each bot of a query."""
    playing = Entry.objects.filter(bot=OuterRef("pk")).exclude(status__in=GONE)
    there = playing.exclude(ladder__status=Ladder.Status.CLOSED).order_by("ladder__upload_mb")
    others = Ladder.objects.filter(game=OuterRef("game")).exclude(status=Ladder.Status.CLOSED).order_by("-upload_mb")
    usual = Value(settings.USUAL_UPLOAD_MB)
    return Coalesce(Subquery(there.values("ladder__upload_mb")[:1]), Subquery(others.values("upload_mb")[:1]), usual)


def check_upload_size(ladder: Ladder, bot: Bot) -> None:
    """Check the size of what would play there. Raises Refused: bundle_too_large."""
    check_sizes(
        ladder, bot.versions.filter(status__in=FIELDED).select_related("bundle", "bot").defer("bundle__content")
    )


def check_sizes(ladder: Ladder, versions: Iterable[Version]) -> None:
    """Raises Refused: bundle_too_large."""
    for version in versions:
        if (size := version.bundle.size) > ladder.upload_mb * MB:
            told = Sentence(
                "%(version)s has %(size)s bytes, and %(ladder)s takes %(upload_mb)s MB at most",
                version=version,
                size=f"{size:,}",
                ladder=ladder,
                upload_mb=ladder.upload_mb,
            )
            raise Refused("bundle_too_large", "%(told)s; upload a smaller one", told=told)
