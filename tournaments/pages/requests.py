"""The form on a bot's page that asks for a friendly set."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournaments.errors import Refused
from tournaments.models import Bot, Ladder
from tournaments.pages.acting import act
from tournaments.pages.bots import bot_or_404
from tournaments.pages.ladders import ladder_or_404
from tournaments.pages.roles import signed_in
from tournaments.requests import ask


@login_required
@require_POST
def ask_for_friendly(request: HttpRequest, number: int) -> HttpResponse:
    bot, by = bot_or_404(number), signed_in(request)
    ladder, names = ladder_or_404(request.POST.get("ladder", "")), request.POST.get("against", "")

    def asked() -> None:
        ask(ladder=ladder, bot=bot, against=named(ladder, names), by=by)

    act(request, asked, "It is played as soon as its turn has come; its matches are among the recent ones then.")
    return redirect("bot", number)


def named(ladder: Ladder, names: str) -> list[Bot]:
    """Bots by their names, with commas between. Raises Refused: unknown_bot."""
    found = []
    for name in filter(None, (part.strip() for part in names.split(","))):
        bot = Bot.objects.filter(game=ladder.game, name__iexact=name).first()
        if bot is None:
            raise Refused("unknown_bot", f"there is no bot called {name:.40} in {ladder.game_title}")
        found.append(bot)
    return found
