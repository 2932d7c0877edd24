"""Ladders on the desk: the form of a new one with its preview, and the actions on each."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine.games import GAMES
from tournaments.core.feature import features
from tournaments.features.final_runs.actions import CancelFinalRun, StartFinalRun
from tournaments.features.final_runs.pages import final_run_of
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.acts.ladder_creation import CreateLadder
from tournaments.ledger.matchmaking.forecasts import forecast_ladder
from tournaments.models import Entry, Ladder
from tournaments.web.pages.desk import option_help
from tournaments.web.pages.desk.access import check_here, organisers_here
from tournaments.web.pages.desk.acts import attempt, buttons, confirm_act
from tournaments.web.pages.desk.forecast_text import facts_of
from tournaments.web.pages.desk.ladder_form import LadderForm, games_to_choose, ladder_form_class
from tournaments.web.pages.ladder_settings_text import settings_in_words
from tournaments.web.pages.lookup import ladder_or_404, space_or_404
from tournaments.web.pages.sentences import say

Status = Ladder.Status
TURNS: dict[Status, tuple[type[Action], ...]] = {
    Status.OPEN: (acts.Pause, acts.Freeze, StartFinalRun, acts.Close),
    Status.PAUSED: (acts.Resume, acts.Freeze, StartFinalRun, acts.Close),
    Status.FROZEN: (acts.Thaw, StartFinalRun, acts.Close),
    Status.CLOSED: (acts.Reopen,),
}
IN_FINAL_RUN = (CancelFinalRun, acts.Close)


@organisers_here
def new_ladder(request: HttpRequest) -> HttpResponse:
    """Choose the game, fill in the form, confirm the preview. `?space=`: the space in which it is made."""
    name, within = request.GET.get("game", ""), request.GET.get("space", "")
    space = space_or_404(within, request.user) if within else None
    check_here(request, space.pk if space else None)
    if not name:
        return render(request, "desk/games.html", {"games": games_to_choose(), "space": space})
    if name not in GAMES:
        raise Http404(say("There is no game called “%(name)s”.", name=name))
    kind = ladder_form_class(GAMES[name], space)
    if request.method != "POST":
        return render(request, "desk/new_ladder.html", {"form": kind(), "game": GAMES[name], "space": space})
    form = kind(request.POST)
    effect, done = attempt(request, form) if form.is_valid() else (None, None)
    if done:
        confirm_act(request, done)
        return redirect("desk-ladder", form.given()["slug"])
    context = {"form": form, "game": GAMES[name], "effect": effect, "space": space}
    return render(request, "desk/new_ladder.html", {**context, **(ladder_preview(form) if effect else {})})


def ladder_preview(form: LadderForm) -> dict[str, object]:
    ladder = CreateLadder(**{**form.given(), "space": form.space}).ladder()
    differing = option_help.differing_options(form.game, ladder.options)
    known = facts_of(forecast_ladder(ladder))
    return {
        "seen": form.seen(),
        "ladder": ladder,
        "rules": settings_in_words(ladder),
        "differing": differing,
        "facts": known,
    }


@organisers_here
def ladder_desk(request: HttpRequest, slug: str) -> HttpResponse:
    at = ladder_or_404(slug, request.user)
    check_here(request, at.space_id)
    run = final_run_of(at)
    turns = IN_FINAL_RUN if run and run.running else TURNS[Status(at.status)]
    of_features = (action for feature in features() for action in feature.ladder_actions(at))
    entries = at.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("bot__owner").order_by("bot__name")
    context = {
        "ladder": at,
        "links": [link for feature in features() for link in feature.ladder_links],
        "actions": buttons([*turns, acts.ChangeSettings, acts.Announce, acts.AdoptRules, *of_features]),
        "rules": settings_in_words(at),
        "entries": entries,
        "final_run": run,
        "facts": facts_of(forecast_ladder(at)),
    }
    return render(request, "desk/ladder.html", context)
