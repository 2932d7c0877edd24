"""Whether a line is enough for a ladder: who beats whom beyond the ratings, and in circles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.pages.lookup import ladder_or_404
from tournaments.statistics.transitivity import line_of


def transitivity(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    return render(request, "transitivity.html", {"ladder": ladder, "line": line_of(ladder)})
