"""A practice game that continues a match: who plays each seat from there."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine.games import GAMES
from tournaments.errors import Refused
from tournaments.features.practice.seat_keys import seated_player
from tournaments.features.practice.seating_form import Place, kinds
from tournaments.features.practice.start import fork, ladder_of, replay_of_match
from tournaments.pages.lookup import match_or_404
from tournaments.pages.replay_viewer import moment
from tournaments.pages.run_action import sentence
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in


@login_required
def fork_match(request: HttpRequest) -> HttpResponse:
    """Choose who plays on from `match` and `at`; everybody sits where they sat, until somebody else is chosen."""
    sent = request.POST if request.method == "POST" else request.GET
    match, by = match_or_404(moment(sent.get("match", "")), request.user), signed_in(request)
    start, trouble = moment(sent.get("at", "")), ""
    try:
        replay, ladder = replay_of_match(match, by), ladder_of(match)
    except Refused as refused:
        raise Http404(sentence(refused)) from None
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    places = [
        Place(
            f"seat-{seat.number}",
            say("Seat %(seat)s, %(bot)s", seat=seat.number, bot=seat.version.bot),
            sent.get(f"seat-{seat.number}", f"version-{seat.version_id}"),
        )
        for seat in seats
    ]
    if request.method == "POST":
        try:
            chairs = [seated_player(place.chosen, by) for place in places]
            return redirect("practice", fork(by=by, match=match, moment=start, seats=chairs).pk)
        except Refused as refused:
            trouble = sentence(refused)
    context = {
        "match": match,
        "at": min(start, len(replay.answers)),
        "typed_at": request.POST.get("at", min(start, len(replay.answers))),
        "last": len(replay.answers),
        "ladder": ladder,
        "places": places,
        "kinds": kinds(ladder, by, list({seat.version_id: seat.version for seat in seats}.values())),
        "game": GAMES[ladder.game],
        "trouble": trouble,
    }
    return render(request, "practice/fork.html", context, status=422 if trouble else 200)
