"""The archive of past seasons: of the site, or of one space."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.seasons.archive import archived, with_winners
from tournaments.web.pages.bot_lists import LENGTH, Filters
from tournaments.web.pages.lookup import space_or_404
from tournaments.web.pages.query_values import whole


def seasons(request: HttpRequest) -> HttpResponse:
    """The latest first, a page at a time. `?space=`: of one space."""
    filters = Filters.of(request.GET, "space")
    slug, start = filters.given.get("space"), whole(request.GET.get("from")) or 0
    space = space_or_404(slug, request.user) if slug else None
    rows = archived(request.user, space).order_by("-ended_at", "-pk")
    page = with_winners(rows[start : start + LENGTH + 1])
    context = {
        "space": space,
        "seasons": page[:LENGTH],
        "later": filters.after("from", start + LENGTH) if len(page) > LENGTH else "",
        "first": filters.after("from", 0) if start else "",
    }
    return render(request, "seasons/seasons.html", context)
