"""The public log of organisers' acts; and those now in force, for the pages they concern."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from tournaments.accounts.spaces import spaces_open_to
from tournaments.acts.base import ACTIONS
from tournaments.audit import Entry
from tournaments.audit.log import entry_for
from tournaments.models import Act
from tournaments.pages.query_values import whole

LENGTH = 30
SHOWN = 5  # announcements, the newest first


@dataclass(frozen=True, slots=True)
class Row:
    act: Act
    entry: Entry  # of it, as much as the viewer may see
    what: str

    @property
    def effect(self) -> dict[str, Any]:
        """What changed, where the log says it in the way of organisers' acts."""
        return self.entry.detail if "says" in self.entry.detail else {}


def audit(request: HttpRequest) -> HttpResponse:
    """The newest first; `?before=NUMBER` goes on below that one."""
    before = whole(request.GET.get("before"))
    acts = Act.objects.order_by("-number")
    found = list((acts.filter(number__lt=before) if before else acts)[: LENGTH + 1])
    seen = set(spaces_open_to(request.user).values_list("pk", flat=True))
    context = {
        "rows": [Row(act, entry_for(act, seen), named(act.kind)) for act in found[:LENGTH]],
        "older": found[LENGTH - 1].number if len(found) > LENGTH else None,
        "newest": before is None,
        "head": acts.first(),
    }
    return render(request, "audit.html", context)


def named(kind: str) -> str:
    action = ACTIONS.get(kind)
    return gettext(action.button if action else kind.replace("_", " ").capitalize())
