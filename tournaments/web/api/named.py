"""Looks up what a request names by an id, if the user may see it."""

from django.db.models import OuterRef, QuerySet, Subquery

from tournaments.core.accounts.spaces import Viewer, open_to, spaces_open_to
from tournaments.ledger.competitors.upload_sizes import most_there
from tournaments.models import Bot, Ladder, Match, Space, Version
from tournaments.web.api.base import find_row


def named_bot(viewer: Viewer, number: int) -> Bot:
    """Raises Refused: unknown_bot."""
    return find_row(Bot.objects.filter(open_to(viewer)), number, pk=number)


def bots_shown_to(viewer: Viewer) -> QuerySet[Bot]:
    """Return bots with what `BotShape` shows of them."""
    playing = Version.objects.filter(bot=OuterRef("pk"), status=Version.Status.ACTIVE).values("number")
    rows = Bot.objects.filter(open_to(viewer)).select_related("owner")
    return rows.annotate(active_version=Subquery(playing), upload_mb=most_there())


def named_versions(viewer: Viewer, bot: int) -> QuerySet[Version]:
    """Return the versions of a bot, without the content of their bundles."""
    check = Match.objects.filter(set__checks=OuterRef("pk")).values("pk")[:1]
    rows = Version.objects.select_related("bot", "bundle").defer("bundle__content")
    return rows.annotate(check_match=Subquery(check)).filter(open_to(viewer, "bot__space"), bot=bot)


def named_ladder(viewer: Viewer, slug: str) -> Ladder:
    """Raises Refused: unknown_ladder."""
    return find_row(Ladder.objects.filter(open_to(viewer)), slug, slug=slug)


def named_space(viewer: Viewer, slug: str) -> Space:
    """Raises Refused: unknown_space."""
    return find_row(spaces_open_to(viewer), slug, slug=slug)
