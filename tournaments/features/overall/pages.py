"""Owners over all games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.overall.standings import overall_standings
from tournaments.pages.page_parts import nothing_else, with_own


@with_own(nothing_else)
def overall(request: HttpRequest) -> HttpResponse:
    ladders, table = overall_standings()
    rows = [(line, [line.games.get(ladder.game) for ladder in ladders]) for line in table.lines]
    return render(request, "overall/overall.html", {"ladders": ladders, "rows": rows, "table": table})
