"""The members of a space: organisers see the list and who everyone is, and can act on it."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from tournaments.core.accounts.spaces import runs
from tournaments.features.moderation.pages import waiting_for
from tournaments.features.spaces.roster import place_as_shown
from tournaments.models import Space, SpaceMember
from tournaments.web.pages.bot_lists import LENGTH, Filters
from tournaments.web.pages.lookup import space_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

P = ParamSpec("P")
ASKING = 200  # shown at once


def of_organisers(
    view: Callable[Concatenate[HttpRequest, Space, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page of the space's organisers; of the site's, too."""

    @wraps(view)
    def enter(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        space = space_or_404(slug, request.user)
        if not runs(request.user, space.pk):
            raise PermissionDenied(say("This page is for the organisers of %(space)s.", space=space))
        answer = view(request, space, *args, **kwargs)
        add_never_cache_headers(answer)
        return answer

    return enter


@of_organisers
def members_page(request: HttpRequest, space: Space) -> HttpResponse:
    """Show the members by their names, a page at a time; those who ask to join come first."""
    filters = Filters.of(request.GET, "name", "role")
    start = whole(request.GET.get("from")) or 0
    rows = filtered_members(space, filters.given).order_by("-role", "user__username")
    page = list(rows[start : start + LENGTH + 1])
    context = {
        "space": space,
        "people": space.members.count(),
        "members": [place_as_shown(place) for place in page[:LENGTH]],
        "asking": space.requests.select_related("user").order_by("at")[:ASKING],
        "filters": filters.given,
        "later": filters.after("from", start + LENGTH) if len(page) > LENGTH else "",
        "first": filters.after("from", 0) if start else "",
    }
    return render(request, "spaces/members.html", context)


def filtered_members(space: Space, filters: dict[str, str]) -> QuerySet[SpaceMember]:
    rows = space.members.select_related("user", "space")
    if role := filters.get("role"):
        rows = rows.filter(role=role)
    for word in filters.get("name", "").split():
        matches = Q(pk=None) if space.blind else Q(identity__icontains=word) | Q(address__icontains=word)
        rows = rows.filter(Q(user__username__icontains=word) | matches)
    return rows


@of_organisers
def space_reports(request: HttpRequest, space: Space) -> HttpResponse:
    return render(request, "moderation/desk.html", waiting_for(signed_in(request), space))
