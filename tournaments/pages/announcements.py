"""Announcements and disqualifications, for the pages that show them."""

from django.db.models import Q, QuerySet

from tournaments.ladders.disqualified import in_force
from tournaments.models import Announcement, Bot, Disqualification, Ladder

SHOWN = 5  # announcements, the newest first


def announcements(ladder: Ladder | None) -> QuerySet[Announcement]:
    """Those of the front page, or of a ladder."""
    shown = Announcement.objects.filter(ladder=ladder, withdrawn=None).select_related("act")
    return shown.order_by("-pk")[:SHOWN]


def disqualifications_in(ladder: Ladder) -> QuerySet[Disqualification]:
    """Those of bots in this ladder."""
    rows = in_force(ladder).select_related("act", "version__bot", "bot", "owner")
    here = Bot.objects.filter(entries__ladder=ladder).values("pk")
    concerned = Q(version__bot__in=here) | Q(bot__in=here) | Q(owner__bots__in=here)
    return rows.filter(concerned).distinct().order_by("pk")


def disqualifications_of(bot: Bot) -> QuerySet[Disqualification]:
    mine = Q(version__bot=bot) | Q(bot=bot) | Q(owner=bot.owner_id)
    rows = Disqualification.objects.filter(mine, lifted=None).select_related("act", "version__bot", "ladder")
    return rows.order_by("pk")
