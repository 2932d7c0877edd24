"""Play now: a game, how many bots, and a seat at once."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from engine.games import GAMES
from tournaments.core.accounts.guests import are_welcome
from tournaments.core.errors import Refused
from tournaments.features.guests.rules import ladders_to_play, play_bots
from tournaments.web.pages.guests import as_player
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say


@never_cache
def play_now(request: HttpRequest) -> HttpResponse:
    if not (request.user.is_authenticated or are_welcome()):
        messages.info(request, say("Here one plays with an account. It takes a name and a password."))
        return redirect_to_login(request.get_full_path())
    ladders, trouble = ladders_to_play(request.user), ""
    sent = request.POST if request.method == "POST" else request.GET
    chosen = sent.get("game", "")
    if request.method == "POST":
        try:
            ladder, bots = ladders.get(chosen), whole(sent.get("bots", "")) or 0
            if ladder is None:
                raise Refused("unknown_game", "choose one of these games")
            begun = as_player(request, lambda by: play_bots(by=by, ladder=ladder, bots=bots))
            return redirect("practice", begun.pk)
        except Refused as refused:
            trouble = sentence(refused)
    games = [GAMES[name] for name in GAMES if name in ladders and (name == chosen or chosen not in ladders)]
    offers = [(game, [size - 1 for size in game.players if size > 1]) for game in games]
    context = {"offers": offers, "one": chosen in ladders, "trouble": trouble}
    return render(request, "guests/play_now.html", context, status=422 if trouble else 200)
