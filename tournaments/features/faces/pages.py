"""The pages of faces: the form of a bot's own, its emblem as a picture, and what leagues and badges mean."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from bots.characters import characters_of
from bots.viewer.emblem import emblem_of, emblem_svg
from engine.games import GAMES
from engine.sentences import Sentence
from tournaments.core.accounts.permissions import may_run
from tournaments.core.accounts.spaces import listed_for
from tournaments.core.errors import Refused
from tournaments.features.faces.rules import choose_face
from tournaments.ledger.competitors.about_texts import LONGEST_MOTTO
from tournaments.ledger.ladders.leagues import LEAGUES, needed_for_leagues
from tournaments.ledger.statistics.upsets import GAP
from tournaments.models import Bot
from tournaments.web.pages.lookup import bot_or_404
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

MOTTO = Sentence("At most %(most)s characters. Everybody can read it.", most=LONGEST_MOTTO)
KEPT = 600  # seconds that a browser shows an emblem without asking again


class FaceForm(forms.Form):
    """Both colours count only if they are not those of the name."""

    motto = forms.CharField(label="Motto", required=False, max_length=LONGEST_MOTTO, help_text=MOTTO)
    own_colours = forms.BooleanField(label="Use these two colours", required=False)
    tile = forms.CharField(label="Background", widget=forms.ColorInput)
    figure = forms.CharField(label="Figure", widget=forms.ColorInput)


@login_required
def edit_face(request: HttpRequest, number: int) -> HttpResponse:
    """Render the form, and store what it holds; only those who run the bot may."""
    bot, by = bot_or_404(number, request.user), signed_in(request)
    if not may_run(by, bot):
        raise PermissionDenied(say("Only those who run %(bot)s choose its face.", bot=bot))
    now = emblem_of(bot.name, bot.colours)
    initial = {"motto": bot.motto, "own_colours": bool(bot.colours), "tile": now.ground, "figure": now.figure}
    form = FaceForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        given = form.cleaned_data
        colours = [given["tile"], given["figure"]] if given["own_colours"] else []
        try:
            choose_face(bot=bot, motto=given["motto"], colours=colours, by=by)
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            return redirect("bot", bot.pk)
    return render(request, "faces/face.html", {"form": form, "bot": bot})


def emblem_file(request: HttpRequest, number: int) -> HttpResponse:
    bot = bot_or_404(number, request.user)
    svg = emblem_svg(emblem_of(bot.name, bot.colours), 'xmlns="http://www.w3.org/2000/svg"')
    caching = f"{'private' if bot.space_id else 'public'}, max-age={KEPT}"
    return HttpResponse(svg, content_type="image/svg+xml", headers={"Cache-Control": caching})


def leagues(request: HttpRequest) -> HttpResponse:
    """What leagues and badges mean, and who the characters of each game are."""
    rows = Bot.objects.filter(listed_for(request.user)).exclude(house="")
    playing = {(game, house): bot for game, house, bot in rows.values_list("game", "house", "pk")}
    games = [
        (game.title, [(one, playing.get((game.name, house))) for house, one in characters_of(game.name).items()])
        for game in GAMES.values()
        if characters_of(game.name)
    ]
    most = max((len(characters) for _, characters in games), default=len(LEAGUES))
    context = {"games": games, "leagues": needed_for_leagues(most), "most": most, "gap": GAP, "least": len(LEAGUES)}
    return render(request, "faces/leagues.html", context)
