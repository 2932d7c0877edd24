"""The poster of a game as a picture for link previews."""

from functools import cache
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse

from bots.viewer.posters import drawing_of, pitch_of
from bots.viewer.svg import Picture
from tournaments.core.config.game_titles import title_of_game
from tournaments.ledger.viewer.preview_image import preview_card
from tournaments.web.pages.sentences import say

WIDTH, HEIGHT = 300, 184  # of each drawing's view box
WEEK = 7 * 24 * 3600  # seconds


def poster_card(request: HttpRequest, game: str) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """The poster with the game's title and pitch as a PNG, in English as all such pictures."""
    drawing = drawing_of(game)
    if drawing is None:
        raise Http404(say("There is no poster of “%(game)s”.", game=game))
    headers = {"Cache-Control": f"public, max-age={WEEK}"}
    return HttpResponse(drawn_card(game, drawing), content_type="image/png", headers=headers)


@cache
def drawn_card(game: str, drawing: Path) -> bytes:
    """Return the PNG, which is drawn once in a process."""
    picture = Picture(WIDTH, HEIGHT, {"poster": drawing.read_text("utf-8")}, says="")
    return preview_card(picture, title_of_game(game), [], pitch_of(game))
