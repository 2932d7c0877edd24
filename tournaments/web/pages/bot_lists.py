"""All bots and all people, filtered, a page at a time."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from engine.games import GAMES
from tournaments.core.accounts.spaces import Viewer, listed_for, people_known_to
from tournaments.ledger.search.ranked import having
from tournaments.ledger.search.words import words_of
from tournaments.models import Bot, Ladder, User, Version
from tournaments.web.pages.people import bots_with_places
from tournaments.web.pages.query_values import whole

LENGTH = 50
LONGEST = 80  # characters of a filter


@dataclass(frozen=True, slots=True)
class Filters:
    """Those of an address that are set."""

    given: dict[str, str]

    @classmethod
    def of(cls, query: QueryDict, *names: str) -> "Filters":
        typed = {name: query.get(name, "").strip()[:LONGEST] for name in names}
        return cls({name: value for name, value in typed.items() if value})

    def after(self, name: str, value: object) -> str:
        return "?" + urlencode({**self.given, name: value})


def bots_page(request: HttpRequest) -> HttpResponse:
    """The newest first."""
    filters = Filters.of(request.GET, "name", "owner", "game", "language", "ladder", "house")
    before, rows = whole(request.GET.get("before")), wanted_bots(filters.given, request.user)
    page = list((rows.filter(pk__lt=before) if before else rows).order_by("-pk")[: LENGTH + 1])
    context = {
        "bots": bots_with_places(page[:LENGTH]),
        "filters": filters.given,
        "older": filters.after("before", page[LENGTH - 1].pk) if len(page) > LENGTH else "",
        "newest": filters.after("before", "") if before else "",
        "games": list(GAMES.values()),
        "languages": languages_played(),
        "ladders": Ladder.objects.filter(listed_for(request.user)).order_by("title"),
    }
    return render(request, "bots.html", context)


def wanted_bots(filters: dict[str, str], viewer: Viewer) -> QuerySet[Bot]:
    """Return the listed bots that pass the filters; what nobody can be called finds nobody."""
    columns = {"owner": "owner__username__iexact", "game": "game", "ladder": "entries__ladder__slug"}
    chosen: dict[str, Any] = {columns[name]: value for name, value in filters.items() if name in columns}
    if "language" in filters:
        chosen |= {"versions__need": filters["language"], "versions__status": Version.Status.ACTIVE}
    if "house" in filters:
        chosen["house"] = ""
    found = Bot.objects.filter(listed_for(viewer), **chosen)
    return having(found, "name", words_of(filters.get("name", ""))).select_related("owner")


def languages_played() -> list[str]:
    """Return the languages in which somebody's bot plays, sorted."""
    active = Version.objects.filter(status=Version.Status.ACTIVE)
    return sorted(active.order_by().values_list("need", flat=True).distinct())


def people_page(request: HttpRequest) -> HttpResponse:
    """Render a page of the people, by their names."""
    filters = Filters.of(request.GET, "name")
    after = request.GET.get("after", "")[:150]
    known = User.objects.filter(people_known_to(request.user))
    rows = having(known, "username", words_of(filters.given.get("name", "")))
    listed = listed_for(None, "bots__space")
    counts = {"own_bots": Count("bots", filter=listed), "house_bots": Count("bots", filter=listed & ~Q(bots__house=""))}
    rows = rows.annotate(since=F("date_joined"), **counts)
    page = list((rows.filter(username__gt=after) if after else rows).order_by("username")[: LENGTH + 1])
    context = {
        "people": page[:LENGTH],
        "filters": filters.given,
        "later": filters.after("after", page[LENGTH - 1].username) if len(page) > LENGTH else "",
        "first": filters.after("after", "") if after else "",
    }
    return render(request, "people.html", context)
