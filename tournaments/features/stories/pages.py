"""The page of the galleries."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.games import GAMES
from tournaments.features.stories.galleries import galleries
from tournaments.web.pages.bot_lists import Filters


def best_matches(request: HttpRequest) -> HttpResponse:
    """`?game=` names one, `?of=ever` shows those of all time."""
    filters = Filters.of(request.GET, "game", "of").given
    shown = galleries(request.user, filters.get("game", ""), of_all_time="of" in filters)
    return render(request, "stories/best.html", {"galleries": shown, "filters": filters, "games": list(GAMES.values())})
