"""A practice game under the link that one of its players shared: its result and replay, but no bot output."""

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST

from bots.viewer.film_chunks import piece
from bots.viewer.perspectives import eyes_of
from engine.games import GAMES
from engine.replay import Replay, read_replay
from tournaments.core.accounts.spaces import Viewer
from tournaments.features.practice.pages import places_in
from tournaments.features.practice.seats import sitting
from tournaments.features.practice.shares import end_share_link, make_share_link, practice_of_link
from tournaments.features.practice.table_pages import practice_or_404
from tournaments.models import Practice
from tournaments.web.pages.replay_viewer import chosen_perspective, moment, viewer_of_replay
from tournaments.web.pages.replays import of_films
from tournaments.web.pages.run_action import act
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

# Taken back is taken back: no copy is kept on the way. Search engines are not who the link was given to.
HEADERS = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}


@login_required
@require_POST
def share_game(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    act(
        request,
        lambda: make_share_link(practice=game, by=signed_in(request)),
        say("Anyone with the link below can see this game now."),
    )
    return redirect(f"{reverse('practice', args=[number])}#share")


@login_required
@require_POST
def take_back_game(request: HttpRequest, number: int) -> HttpResponse:
    game = practice_or_404(number, request)
    act(request, lambda: end_share_link(practice=game, by=signed_in(request)), say("The link no longer works."))
    return redirect(f"{reverse('practice', args=[number])}#share")


def shared_or_404(key: str, viewer: Viewer) -> tuple[Practice, Replay]:
    game = practice_of_link(key, viewer)
    if game is None or not game.replay:
        raise Http404("No game is shared under this link; its owner may have taken it back.")
    return game, read_replay(bytes(game.replay))


@of_films
def shared_game(request: HttpRequest, key: str) -> HttpResponse:
    game, replay = shared_or_404(key, request.user)
    seen = viewer_of_replay(game.pk, replay, request.GET.dict(), practice=True)
    viewer = replace(seen, page=reverse("shared-game", args=[key]), frames=reverse("shared-film", args=[key]))
    context = {
        "practice": game,
        "people": [row.user.username for row in sitting(game).values()],
        "game": GAMES[game.ladder.game],
        "places": places_in(replay),
        "viewer": viewer,
    }
    return HttpResponse(render_to_string("practice/shared_game.html", context, request), headers=HEADERS)


@of_films
def shared_film(request: HttpRequest, key: str) -> HttpResponse:
    """Frames, as of a match."""
    _, replay = shared_or_404(key, request.user)
    eyes = chosen_perspective(eyes_of(replay), request.GET.dict())
    return JsonResponse(piece(replay, eyes.perspective, moment(request.GET.get("from", ""))), headers=HEADERS)
