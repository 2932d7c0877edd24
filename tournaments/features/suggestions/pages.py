"""What a seat should have done: its turning points, each with what other answers came to, folded until it is opened."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from bots.viewer.film_chunks import find_moment
from bots.viewer.player import Perspective
from bots.viewer.turning_points import TurningPoint, costly, decisions
from tournaments.core.errors import Refused
from tournaments.features.suggestions.recordings import Recording, own_game, own_match
from tournaments.features.suggestions.rules import ask_suggestion
from tournaments.features.suggestions.words import Comparison, compare_suggestion
from tournaments.models import Suggestion
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.replays import of_films
from tournaments.web.pages.run_action import act, sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

MOST = 5  # turning points of a seat


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of a seat, and what was found of it, if somebody has asked."""

    name: str
    point: TurningPoint
    row: Suggestion | None
    found: Comparison | None


@login_required
@of_films
def match_suggestions(request: HttpRequest, number: int) -> HttpResponse:
    return _page(request, own_match(number, signed_in(request)), reverse("match", args=[number]))


@login_required
@of_films
def practice_suggestions(request: HttpRequest, number: int) -> HttpResponse:
    return _page(request, own_game(number, signed_in(request)), reverse("practice", args=[number]))


def _page(request: HttpRequest, recording: Recording, film: str) -> HttpResponse:
    """Ask about the answer `at`, or show what was asked. `film`: the address that shows a moment."""
    if request.method == "POST":
        at, by = whole(request.POST.get("at")), signed_in(request)
        done = say("A worker tries other answers as soon as one is free.")
        act(request, lambda: ask_suggestion(recording=recording, at=-1 if at is None else at, by=by), done)
        return redirect(request.path)
    context: dict[str, object] = {"film": film, "recording": recording}
    try:
        recording.check()
        moments = [moment for seat in sorted(recording.seats) for moment in moments_of(recording, seat)]
        waits = any(moment.row and moment.row.status in Suggestion.TO_DO for moment in moments)
        context |= {"moments": moments, "waits": waits}
    except Refused as refused:
        context["trouble"] = sentence(refused)
    return render(request, "suggestions/suggestions.html", context)


def moments_of(recording: Recording, seat: int) -> list[Moment]:
    """Return the seat's turning points at which it gave an answer of its own, and what else was asked about."""
    replay, rows = recording.replay, {row.at: row for row in recording.rows.filter(seat=seat)}
    seen = find_moment(replay, Perspective.everything(len(replay.players)), 0)
    made = [point for point in decisions(replay, seen.outline, seen.names, seat) if not point.fault]
    turning = {point.at for point in costly(made, MOST)}
    shown = [(point, rows.get(point.at)) for point in made if point.at in turning | rows.keys()]
    return [
        Moment(seen.names[seat], point, row, compare_suggestion(row, replay) if row and row.tried else None)
        for point, row in shown
    ]
