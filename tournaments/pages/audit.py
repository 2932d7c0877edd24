"""The log of organisers' acts, for everybody; and what of it holds now, for the pages that it concerns."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.acts.base import ACTIONS
from tournaments.models import Act
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
