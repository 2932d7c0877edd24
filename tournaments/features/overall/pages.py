"""The table over all games, and the form that names a bot for it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from tournaments.features.overall.rules import name_bot
from tournaments.features.overall.standings import overall_standings, whole_final
from tournaments.ratings.named_since import LEAST
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.lookup import bot_or_404
from tournaments.web.pages.run_action import act
from tournaments.web.pages.who_asks import signed_in

GAMES = 5  # that have a column; the API has all


def overall_page(request: HttpRequest) -> HttpResponse:
    return render(request, "overall/overall.html", {"parts": KeptParts((last_act(),), overall_parts)})


def overall_parts() -> Context:
    """Return the table, which all see alike."""
    all_ladders, table = overall_standings()
    ladders = all_ladders[:GAMES]
    rows = [(line, [line.games.get(ladder.game) for ladder in ladders]) for line in table.lines]
    final = [ladder for ladder in all_ladders if whole_final(ladder)]
    return {"ladders": ladders, "rows": rows, "table": table, "final": final, "ended": final == all_ladders}


@login_required
@require_POST
def count_overall(request: HttpRequest, number: int) -> HttpResponse:
    bot, user = bot_or_404(number, request.user), signed_in(request)
    named = gettext("%(bot)s is named: it counts for you over all games once it has played %(sets)s sets from now on.")
    act(request, lambda: name_bot(bot=bot, by=user), named % {"bot": bot, "sets": LEAST})
    return redirect("bot", number)
