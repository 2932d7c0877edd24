"""Uploads: a new bot with its first version, or the next version of a bot."""

from hashlib import sha256
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine.games import GAMES
from tournaments.core.accounts.permissions import may_run
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.upload_sizes import most_for
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, User, Version
from tournaments.web.pages.forms import BotForm, VersionForm
from tournaments.web.pages.lookup import bot_or_404
from tournaments.web.pages.rate_limits import count_upload
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in


class Misfit(Exception):
    """A refusal, and the field it is about, if it is about one."""

    def __init__(self, field: str | None, refused: Refused) -> None:
        super().__init__(sentence(refused))
        self.field, self.refused = field, refused


@login_required
def upload_bot(request: HttpRequest) -> HttpResponse:
    """Render the form of an upload, and take the bot in: all or nothing, so a refused bundle leaves no bot behind."""
    form = BotForm(
        request.POST or None,
        request.FILES or None,
        initial=wishes(request.GET.dict(), signed_in(request)),
        by=signed_in(request),
    )
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("bot", create_bot_from_form(form, signed_in(request)).pk)
        except Misfit as misfit:
            form.add_error(misfit.field, forms.ValidationError(str(misfit), misfit.refused.code))
    return render(request, "upload.html", {"form": form})


def wishes(query: dict[str, str], by: User) -> dict[str, str]:
    """The form's initial values from the address, as far as they are offered; a ladder sets the game, and a game
    the first of its ladders."""
    games = {ladder.slug: ladder.game for ladder in BotForm.ladders(by)}
    game = games.get(query.get("ladder", ""), query.get("game", ""))
    first = next((slug for slug, its in games.items() if its == game), "")
    ladder = query["ladder"] if query.get("ladder") in games else first
    return {**query, "ladder": ladder, "game": game if game in GAMES else ""}


@transaction.atomic
def create_bot_from_form(form: BotForm, user: User) -> Bot:
    """The new bot, as the form describes it. Raises Misfit."""
    typed = form.cleaned_data
    field: str | None = None
    try:
        count_upload(user)
        if sent := sent_before(typed, user):
            return sent
        field = "name"
        ladder = typed["ladder"]
        bot = create_bot(owner=user, game=typed["game"], name=typed["name"], space=ladder.space if ladder else None)
        field = "file"
        upload_file(bot, user, typed["file"], typed["note"])
        field = "ladder"
        if ladder:
            enter_in_ladder(ladder=ladder, bot=bot, by=user)
    except Refused as refused:
        raise Misfit(field, refused) from None
    return bot


def sent_before(typed: dict[str, Any], user: User) -> Bot | None:
    """The bot that this form has already made, if it is sent again after a broken connection."""
    digest = sha256(typed["file"].read()).hexdigest()
    typed["file"].seek(0)
    mine = Bot.objects.filter(owner=user, game=typed["game"], name=typed["name"], versions__bundle=digest)
    return mine.exclude(versions__number__gt=1).first()


def upload_file(bot: Bot, user: User, file: "UploadedFile[bytes]", note: str) -> Version:
    return upload(bot=bot, by=user, data=file.read(), filename=file.name or "", note=note)


@login_required
def upload_version(request: HttpRequest, number: int) -> HttpResponse:
    bot, user = bot_or_404(number, request.user), signed_in(request)
    if not may_run(user, bot):
        raise PermissionDenied(
            say(
                "%(bot)s belongs to %(owner)s. Only its owner, or the owner's team, can upload to it.",
                bot=bot,
                owner=bot.owner,
            )
        )
    form = VersionForm(request.POST or None, request.FILES or None, megabytes=most_for(bot))
    if request.method == "POST" and form.is_valid():
        try:
            count_upload(user)
            upload_file(bot, user, form.cleaned_data["file"], form.cleaned_data["note"])
            return redirect("bot", bot.pk)
        except Refused as refused:
            form.add_error("file", forms.ValidationError(sentence(refused), refused.code))
    return render(request, "bot_upload.html", {"form": form, "bot": bot})
