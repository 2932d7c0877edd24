"""The log of organisers' acts, for everybody; and what of it holds now, for the pages that it concerns."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.acts import ACTIONS
from tournaments.ladders.disqualified import in_force
from tournaments.models import Act, Announcement, Bot, Disqualification, Ladder
from tournaments.pages.query_values import whole

LENGTH = 30
SHOWN = 5  # announcements, the newest first


@dataclass(frozen=True, slots=True)
class Row:
    act: Act
    what: str

    @property
    def effect(self) -> dict[str, Any]:
        """What changed, where the log says it in the way of organisers' acts."""
        return self.act.detail if "says" in self.act.detail else {}


def audit(request: HttpRequest) -> HttpResponse:
    """The newest first; `?before=NUMBER` goes on below that one."""
    before = whole(request.GET.get("before"))
    acts = Act.objects.order_by("-number")
    found = list((acts.filter(number__lt=before) if before else acts)[: LENGTH + 1])
    context = {
        "rows": [Row(act, named(act.kind)) for act in found[:LENGTH]],
        "older": found[LENGTH - 1].number if len(found) > LENGTH else None,
        "newest": before is None,
        "head": acts.first(),
    }
    return render(request, "audit.html", context)


def named(kind: str) -> str:
    action = ACTIONS.get(kind)
    return action.button if action else kind.replace("_", " ").capitalize()


def announcements(ladder: Ladder | None) -> QuerySet[Announcement]:
    """Of the front page, or of a ladder's."""
    shown = Announcement.objects.filter(ladder=ladder, withdrawn=None).select_related("act")
    return shown.order_by("-pk")[:SHOWN]


def disqualifications_in(ladder: Ladder) -> QuerySet[Disqualification]:
    """Those that change something here."""
    rows = in_force(ladder).select_related("act", "version__bot", "bot", "owner")
    here = Bot.objects.filter(entries__ladder=ladder).values("pk")
    whom = Q(version__bot__in=here) | Q(bot__in=here) | Q(owner__bots__in=here)
    return rows.filter(whom).distinct().order_by("pk")


def disqualifications_of(bot: Bot) -> QuerySet[Disqualification]:
    mine = Q(version__bot=bot) | Q(bot=bot) | Q(owner=bot.owner_id)
    rows = Disqualification.objects.filter(mine, lifted=None).select_related("act", "version__bot", "ladder")
    return rows.order_by("pk")
