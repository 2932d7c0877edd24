"""The members of a space: organisers see the list and who everyone is, and can act on it."""

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.moderation.desk import waiting_for
from tournaments.features.spaces.lookup import of_organisers
from tournaments.features.spaces.who_is_who import known
from tournaments.models import Space, SpaceMember
from tournaments.pages.bot_lists import LENGTH, Filters
from tournaments.pages.query_values import whole
from tournaments.pages.who_asks import signed_in

ASKING = 200  # shown at once


@of_organisers
def members(request: HttpRequest, space: Space) -> HttpResponse:
    """Show the members by their names, a page at a time; those who ask to join come first."""
    filters = Filters.of(request.GET, "name", "role")
    start = whole(request.GET.get("from")) or 0
    rows = wanted(space, filters.given).order_by("-role", "user__username")
    page = list(rows[start : start + LENGTH + 1])
    context = {
        "space": space,
        "people": space.members.count(),
        "members": [known(place) for place in page[:LENGTH]],
        "asking": space.requests.select_related("user").order_by("at")[:ASKING],
        "filters": filters.given,
        "later": filters.after("from", start + LENGTH) if len(page) > LENGTH else "",
        "first": filters.after("from", 0) if start else "",
    }
    return render(request, "spaces/members.html", context)


def wanted(space: Space, filters: dict[str, str]) -> QuerySet[SpaceMember]:
    rows = space.members.select_related("user", "space")
    if role := filters.get("role"):
        rows = rows.filter(role=role)
    for word in filters.get("name", "").split():
        matches = Q(pk=None) if space.blind else Q(identity__icontains=word) | Q(address__icontains=word)
        rows = rows.filter(Q(user__username__icontains=word) | matches)
    return rows


@of_organisers
def reports(request: HttpRequest, space: Space) -> HttpResponse:
    return render(request, "moderation/desk.html", waiting_for(signed_in(request), space))
