"""All played matches, a page at a time: of a ladder, of an event, of bots with a name."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.core.accounts.spaces import Viewer, listed_for
from tournaments.core.accounts.visibility import events_listed_for
from tournaments.ledger.search.ranked import ranked_by_words
from tournaments.ledger.search.words import words_of
from tournaments.models import Bot, Event, Ladder, Version
from tournaments.web.pages import match_lists
from tournaments.web.pages.bot_lists import Filters

BOTS = 20  # at most so many of those that a name fits, the nearest first


def matches_page(request: HttpRequest) -> HttpResponse:
    filters = Filters.of(request.GET, "ladder", "event", "bot")
    rows = match_lists.listed_matches(request.user)
    if "ladder" in filters.given:
        rows = rows.filter(match_lists.NO_TRIALS)
    for name, column in (("ladder", "set__ladder__slug"), ("event", "set__event__slug")):
        if name in filters.given:
            rows = rows.filter(**{column: filters.given[name]})
    before, named = request.GET.get("before"), filters.given.get("bot")
    ladder = Ladder.objects.filter(listed_for(request.user), slug=filters.given.get("ladder", "")).first()
    if named:
        page = match_lists.of_versions(rows, versions_by_bot_name(named, request.user), before)
    elif ladder and "event" not in filters.given:
        page = match_lists.page_of_ladder(request.user, ladder, before)
    else:
        page = match_lists.page_of_matches(rows, before)
    context = {
        "page": page,
        "filters": filters.given,
        "older": filters.after("before", page.older) if page.older else "",
        "ladders": Ladder.objects.filter(listed_for(request.user)).order_by("title"),
        "events": Event.objects.filter(events_listed_for(request.user)).exclude(status="draft").order_by("-pk"),
    }
    return render(request, "all_matches.html", context)


def versions_by_bot_name(name: str, viewer: Viewer) -> Sequence[int]:
    bots = ranked_by_words(Bot.objects.filter(listed_for(viewer)), "name", words_of(name)).values_list("pk", flat=True)[
        :BOTS
    ]
    return list(Version.objects.filter(bot__in=list(bots)).values_list("pk", flat=True))
