"""Announcements and disqualifications, for the pages that show them."""

from django.db.models import Q, QuerySet

from tournaments.ledger.ladders.disqualified import in_force
from tournaments.models import Announcement, Bot, Disqualification, Ladder, Space

SHOWN = 5  # announcements, the newest first


def announcements(ladder: Ladder | None) -> QuerySet[Announcement]:
    """Return the announcements of the front page, or of a ladder."""
    return _shown(Q(ladder=ladder, space=None))


def announcements_in(space: Space) -> QuerySet[Announcement]:
    """Return the announcements of the space, and those of its ladders."""
    return _shown(Q(space=space) | Q(ladder__space=space))


def _shown(which: Q) -> QuerySet[Announcement]:
    rows = Announcement.objects.filter(which, withdrawn=None).select_related("act", "ladder")
    return rows.order_by("-pk")[:SHOWN]


def disqualifications_in(ladder: Ladder) -> QuerySet[Disqualification]:
    """Return the disqualifications in force of bots in this ladder."""
    rows = in_force(ladder).select_related("act", "version__bot", "bot", "owner")
    here = Bot.objects.filter(entries__ladder=ladder).values("pk")
    concerned = Q(version__bot__in=here) | Q(bot__in=here) | Q(owner__bots__in=here)
    return rows.filter(concerned).distinct().order_by("pk")


def disqualifications_of(bot: Bot) -> QuerySet[Disqualification]:
    mine = Q(version__bot=bot) | Q(bot=bot) | Q(owner=bot.owner_id)
    rows = Disqualification.objects.filter(mine, lifted=None).select_related("act", "version__bot", "ladder")
    return rows.order_by("pk")
