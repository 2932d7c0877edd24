"""A bot: its versions, ladders, history and matches; for its owner also reports, faults and actions."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from tournaments.core.accounts.permissions import may_run, may_see
from tournaments.core.accounts.visibility import seen_by
from tournaments.core.broker.available_workers import nobody_plays
from tournaments.features.examinations.pages import card_parts
from tournaments.features.faces.cards import face_of_bot
from tournaments.features.friendlies import pages as friendlies
from tournaments.features.overall.choices import choice_with
from tournaments.features.teams.pages import teams_to_give_to
from tournaments.features.teams.rules import give_bot
from tournaments.features.trials.pages import choices
from tournaments.features.trials.rules import set_gate
from tournaments.ledger.competitors.about_texts import describe_bot
from tournaments.ledger.dispatch.check_turns import owners_over_budget
from tournaments.ledger.ladders.rating_moves import VERSIONS, moves_of
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import (
    Bot,
    Entrant,
    Entry,
    Event,
    FaultEvidence,
    MatchSet,
    RatingStep,
    Trial,
    User,
    Version,
)
from tournaments.web.pages import match_lists
from tournaments.web.pages.announcements import disqualifications_of
from tournaments.web.pages.bot_rows import note_places, rated_entries, versions_newest_first
from tournaments.web.pages.fault_evidence import Evidence
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.lookup import bot_or_404, team_or_404, version_or_404
from tournaments.web.pages.people import AboutForm
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.rating_chart import Chart, draw_rating_history
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

FAULTS = 10  # the latest that an owner is shown
TRIALS = 5  # the latest
EVENTS = 5  # the latest
STEPS = 300  # that a chart draws


def bot(request: HttpRequest, number: int) -> HttpResponse:
    """The chart is of the ladder that `?ladder=` names, else of the first the bot entered."""
    at = bot_or_404(number, request.user)
    if may_see(request.user, at):
        return render(request, "bot.html", bot_parts(request, at, mine=True))
    parts = KeptParts((at.pk, last_act()), lambda: bot_parts(request, at, mine=False))
    return render(request, "bot.html", {"bot": at, "parts": parts})


def bot_parts(request: HttpRequest, at: Bot, *, mine: bool) -> Context:
    """Return what the page shows; to all others the same as long as it is not theirs."""
    versions, entries = list(versions_newest_first(at)), list(rated_entries(at))
    charted = next((e for e in entries if e.ladder.slug == request.GET.get("ladder")), entries[0] if entries else None)
    checking = next((v for v in versions if v.status == Version.Status.CHECKING), None)
    active = next((v for v in versions if v.status == Version.Status.ACTIVE), None)
    moved = moves_of(charted.ladder, [(v.pk, v.number) for v in versions[:VERSIONS]]) if charted else []
    note_places(entries, active)
    return {
        "bot": at,
        "mine": mine,
        "runs": may_run(request.user, at),
        "versions": versions,
        "disqualifications": disqualifications_of(at),
        "checking": checking,
        **(card_parts(versions[0], at) if mine and versions else {}),
        "waits_for": checking.need if checking and nobody_plays([checking.need], at.space) else "",
        "checks_took_s": round(owners_over_budget().get(at.owner_id, 0) / 1000) if checking and mine else 0,
        "active": active,
        "entries": entries,
        **face_of_bot(at, entries),
        "friendlies": friendlies.ladders_for(at),
        "events": events_of_bot(at),
        "teams": teams_to_give_to(request.user) if request.user.pk == at.owner_id else [],
        "gates": Bot.Gate.choices,
        "chosen_gate": request.POST.get("gate", at.gate),
        "run_by": request.POST.get("team", str(at.team_id or "")),
        "gate_tests": choices(at) if may_run(request.user, at) else [],
        "chosen_test": request.POST.get("gate_test", at.gate_test),
        "trials": trials_of(at),
        "choice": choice_with(at) if at.owner_id == request.user.pk and entries and not at.space_id else None,
        "charted": charted,
        "chart": charted and chart_of_entry(at, charted),
        "moves": moved,
        "has_floor": any(move.floor for move in moved),
        "page": match_lists.page_of_bot(request.user, at, request.GET.get("before")),
        "evidence": [Evidence.of(fault) for fault in faults_of_bot(at, request.user)] if mine else [],
    }


def trials_of(bot: Bot) -> QuerySet[Trial]:
    trials = Trial.objects.filter(candidate__bot=bot).select_related("candidate", "champion", "ladder")
    return trials.order_by("-pk")[:TRIALS]


def events_of_bot(bot: Bot) -> QuerySet[Entrant]:
    """The latest, and its place where all results are public."""
    return bot.events.select_related("event").exclude(event__status=Event.Status.DRAFT).order_by("-event")[:EVENTS]


def chart_of_entry(bot: Bot, entry: Entry) -> Chart | None:
    steps = RatingStep.objects.filter(version__bot=bot, set__ladder=entry.ladder).order_by("-set__number")
    drawn: Sequence[tuple[int, int]] = list(steps.values_list("version__number", "milli_elo")[:STEPS])
    return draw_rating_history(drawn[::-1])


def faults_of_bot(bot: Bot, viewer: User | AnonymousUser) -> QuerySet[FaultEvidence]:
    """Return the bot's latest faults in sets that are over, and public: a question gives away part of the deal."""
    known = FaultEvidence.objects.filter(seen_by(viewer, "seat__match__set__"), seat__version__bot=bot)
    faults = known.exclude(seat__match__set__status=MatchSet.Status.OPEN)
    return faults.select_related("seat__version").order_by("-seat__match", "-pk")[:FAULTS]


@login_required
@require_POST
def activate_version(request: HttpRequest, number: int) -> HttpResponse:
    version = version_or_404(request, number)
    playing = Version.objects.filter(bot=number, status=Version.Status.ACTIVE).exclude(pk=version.pk).first()
    back = gettext("%(version)s plays from now on; %(playing)s is retired, and can be brought back.")
    done = (back if playing else gettext("%(version)s plays from now on.")) % {"version": version, "playing": playing}
    act(request, lambda: activate(version=version, by=signed_in(request)), done)
    return redirect("bot", number)


@login_required
def edit_bot_about(request: HttpRequest, number: int) -> HttpResponse:
    """Render the form that describes the bot, and store what it holds; only those who run the bot may do it."""
    at = bot_or_404(number, request.user)
    if not may_run(signed_in(request), at):
        raise PermissionDenied(
            say(
                "%(at)s belongs to %(owner)s. Only its owner or the owner's team can describe it.",
                at=at,
                owner=at.owner,
            )
        )
    form = AboutForm(request.POST if request.method == "POST" else None, initial={"about": at.about})
    if request.method == "POST" and form.is_valid():
        describe_bot(bot=at, about=form.cleaned_data["about"], by=signed_in(request))
        return redirect("bot", at.pk)
    return render(request, "about.html", {"form": form, "whom": at})


@login_required
@require_POST
def choose_team(request: HttpRequest, number: int) -> HttpResponse:
    """Set which team runs the bot with its owner; an empty choice is none."""
    at, by, chosen = bot_or_404(number, request.user), signed_in(request), request.POST.get("team", "")
    team = team_or_404(whole(chosen) or 0) if chosen else None
    shared = gettext("The members of %(team)s run %(bot)s with you now.")
    done = (shared if team else gettext("Only you run %(bot)s now.")) % {"team": team, "bot": at}
    is_done = act(request, lambda: give_bot(bot=at, team=team, by=by), done)
    return redirect("bot", number) if is_done else refused_form_page(bot(request, number))


@login_required
@require_POST
def choose_gate(request: HttpRequest, number: int) -> HttpResponse:
    at, gate, by = bot_or_404(number, request.user), request.POST.get("gate", ""), signed_in(request)
    test, done = request.POST.get("gate_test", ""), gettext("Your rule for new versions is saved.")
    is_done = act(request, lambda: set_gate(bot=at, gate=gate, gate_test=test, by=by), done)
    return redirect("bot", number) if is_done else refused_form_page(bot(request, number))
