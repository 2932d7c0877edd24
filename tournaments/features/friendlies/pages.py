"""Friendly sets of a bot: the request form, and the state of each series."""

import re
from collections.abc import Iterator

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournaments.core.accounts.permissions import may_run
from tournaments.core.accounts.spaces import open_to
from tournaments.core.csv_text import Row
from tournaments.core.errors import Refused
from tournaments.features.friendlies.rules import ask_series, left_for
from tournaments.features.friendlies.series import Series, series_of
from tournaments.models import Bot, Ladder, User
from tournaments.web.pages.csv_text import csv_file
from tournaments.web.pages.lookup import bot_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

SERIES = ("set", "asked_at", "ladder", "asked_by", "bot", "version", "others", "status", "share", "matches")


@login_required
@require_POST
def ask_for_friendly(request: HttpRequest, number: int) -> HttpResponse:
    bot, by = bot_or_404(number, request.user), signed_in(request)
    chosen, names, sets = (request.POST.get(name, "") for name in ("ladder", "against", "sets"))

    def ask() -> None:
        ladder = ladder_for_friendly(chosen, by)
        ask_series(ladder=ladder, bot=bot, against=bots_named(ladder, names), by=by, sets=whole(sets or "1") or 0)

    done = act(request, ask, say("Requested: it is played as soon as its turn comes."))
    return redirect("bot-series", number) if done else refused_form_page(series(request, number))


def series(request: HttpRequest, number: int) -> HttpResponse:
    """Render all friendly sets of the bot, table by table: they are public."""
    bot, viewer = bot_or_404(number, request.user), request.user
    context = {"bot": bot, "series": series_of(bot, viewer), "runs": may_run(viewer, bot)}
    if isinstance(viewer, User) and context["runs"]:
        now, today = left_for(viewer)
        context |= {"now": min(now, today), "today": today, "friendlies": ladders_for(bot)}
        context["sets"] = request.POST.get("sets", "1")
    return render(request, "friendlies/series.html", context)


def ladders_for(bot: Bot) -> QuerySet[Ladder]:
    """Return the ladders under whose settings the bot may play friendly sets, by title."""
    here = Ladder.objects.filter(game=bot.game, space=bot.space_id)
    return here.filter(status__in=Ladder.PAIRED).order_by("title")


def ladder_for_friendly(slug: str, viewer: User) -> Ladder:
    """Raises Refused: unknown_ladder."""
    found = Ladder.objects.filter(open_to(viewer), slug=slug).first()
    if found is None:
        raise Refused(
            "unknown_ladder", "there is no ladder called “%(slug)s”; choose one from the list", slug=f"{slug:.60}"
        )
    return found


def bots_named(ladder: Ladder, names: str) -> list[Bot]:
    """Bots by their names, with commas or semicolons between, or line by line. Raises Refused: unknown_bot."""
    found = []
    for name in filter(None, (part.strip() for part in re.split(r"[,;\n\r，；]", names))):
        bot = Bot.objects.filter(game=ladder.game, space=ladder.space_id, name__iexact=name).first()
        if bot is None:
            raise Refused(
                "unknown_bot",
                "there is no bot called %(name)s in %(game_title)s",
                name=f"{name:.40}",
                game_title=ladder.game_title,
            )
        found.append(bot)
    return found


def series_csv(request: HttpRequest, number: int) -> HttpResponse:
    """One row a friendly set of the bot."""
    found = series_of(bot_or_404(number, request.user), request.user)
    rows = (row for each in found for row in series_rows(each))
    return csv_file(f"bot-{number}-series", SERIES, rows)


def series_rows(series: Series) -> Iterator[Row]:
    own, others = series.version, ", ".join(map(str, series.others))
    for played in series.sets:
        asked = (played.set.pk, played.set.created_at.isoformat(), series.ladder.slug, series.asked_by.username)
        matches = " ".join(str(match.pk) for match in played.matches)
        yield *asked, own.bot.name, own.number, others, played.set.status, played.share, matches
