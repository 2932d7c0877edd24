"""For crawlers: which pages they may visit, and where these are. Matches are left out: there may be millions, and each
is linked from its bots.
"""

from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap, views
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from tournaments.core.accounts.spaces import listed_for, people_known_to
from tournaments.core.accounts.visibility import events_listed_for
from tournaments.models import Bot, Event, Ladder, Team, User
from tournaments.web.pages.docs import PAGES, doc_url

MOST = 5_000  # addresses of a file
LISTS = (
    "home",
    "live",
    "overall",
    "events",
    "seasons",
    "bots",
    "people",
    "matches",
    "leagues",
    "kit",
    "data",
    "docs",
    "learn",
    "play",
    "audit",
)


class Lists(Sitemap):  # type: ignore[type-arg]
    def items(self) -> list[str]:
        return list(LISTS)

    def location(self, item: str) -> str:
        return reverse(item)


class Docs(Sitemap):  # type: ignore[type-arg]
    def items(self) -> list[str]:
        return list(PAGES)

    def location(self, item: str) -> str:
        return doc_url(item)


class Rows(Sitemap):  # type: ignore[type-arg]
    """Pages of a kind, one for each row."""

    limit = MOST

    def __init__(self, rows: QuerySet[Any], route: str, key: str) -> None:
        self.rows, self.route, self.key = rows, route, key

    def items(self) -> QuerySet[Any]:
        return self.rows.order_by("pk").values_list(self.key, flat=True)

    def location(self, item: object) -> str:
        return reverse(self.route, args=[item])


def sitemap_sections() -> dict[str, Any]:
    return {
        "lists": Lists,
        "docs": Docs,
        "ladders": Rows(Ladder.objects.filter(listed_for(None)), "ladder", "slug"),
        "events": Rows(Event.objects.filter(events_listed_for(None)), "event", "slug"),
        "bots": Rows(Bot.objects.filter(listed_for(None)), "bot", "pk"),
        "people": Rows(User.objects.filter(people_known_to(None)), "person", "username"),
        "teams": Rows(Team.objects.all(), "team", "pk"),
    }


def sitemap_index(request: HttpRequest) -> HttpResponse:
    return views.index(request, sitemap_sections(), sitemap_url_name="sitemap")


def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    return views.sitemap(request, sitemap_sections(), section)


def robots(request: HttpRequest) -> HttpResponse:
    """Render robots.txt: what makes work, and what nobody looks for, is asked to be left alone."""
    return render(request, "robots.txt", {"site": settings.SITE_URL}, content_type="text/plain")
