"""Write a bot in the browser: choose a start, edit, check it in the sandbox, submit it."""

from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engine.games import GAMES
from tournaments.accounts.permissions import may_run, run_by
from tournaments.accounts.spaces import open_to
from tournaments.competitors.starting_points import editable, starts
from tournaments.errors import Refused
from tournaments.features.drafts.beginnings import begin_from_start, begin_from_version
from tournaments.features.drafts.diagnostics import findings_of
from tournaments.features.drafts.forms import DraftForm
from tournaments.features.drafts.rules import STATES, STATES_BYTES, drafts_of, save, states_of, submit, take_back
from tournaments.features.drafts.sandbox_check import nobody_tries, try_out
from tournaments.ladders.entries import enter
from tournaments.models import Draft, DraftState, User, Version
from tournaments.pages.line_diff import differing
from tournaments.pages.lookup import draft_or_404
from tournaments.pages.query_values import whole
from tournaments.pages.rate_limits import count_upload
from tournaments.pages.run_action import sentence
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in

OF_NAME = dict.fromkeys(("bad_name", "mixed_scripts", "name_taken"), "name")
FIELD_OF = {**OF_NAME, "wrong_game": "ladder", "wrong_kind": "filename"}


@login_required
def editor(request: HttpRequest) -> HttpResponse:
    """`?game=`: what a bot of that game can begin from. Nothing is made until one is chosen."""
    user = signed_in(request)
    if request.method == "POST":
        return begun(request, user)
    game = request.GET.get("game", "")
    game = game if game in GAMES else next(iter(GAMES))
    own = Version.objects.filter(run_by(user, "bot__"), open_to(user, "bot__space"))
    mine = own.filter(bot__game=game).order_by("bot__name", "-number")
    context = {
        "games": GAMES.values(),
        "game": GAMES[game],
        "starts": starts(game),
        "versions": editable(mine)[:50],
        "drafts": drafts_of(user).filter(game=game),
    }
    return render(request, "drafts/editor.html", context)


def begun(request: HttpRequest, user: User) -> HttpResponse:
    try:
        draft = from_version(request, user) if "version" in request.POST else from_start(request, user)
    except Refused as refused:
        messages.error(request, sentence(refused))
        return redirect("editor")
    return redirect("draft", draft.pk)


def from_start(request: HttpRequest, user: User) -> Draft:
    game = request.POST.get("game", "")
    if game not in GAMES:
        raise Refused(
            "unknown_game", "there is no game %(game)s; there are %(games)s", game=f"{game:.60}", games=", ".join(GAMES)
        )
    return begin_from_start(owner=user, game=game, start=request.POST.get("start", ""))


def from_version(request: HttpRequest, user: User) -> Draft:
    """Raises Refused: not_editable, and 404 where the version is none of theirs."""
    number = whole(request.POST["version"]) or 0
    version = Version.objects.select_related("bot", "bundle").filter(pk=number).first()
    if version is None or not may_run(user, version.bot):
        raise Http404("There is no such version of a bot of yours.")
    return begin_from_version(owner=user, version=version)


@login_required
@never_cache
def drafts(request: HttpRequest) -> HttpResponse:
    return render(request, "drafts/drafts.html", {"drafts": drafts_of(signed_in(request))})


@login_required
@never_cache
def draft(request: HttpRequest, number: int) -> HttpResponse:
    """The editor. Every button saves first; `do` names the next step."""
    at = draft_or_404(request, number)
    form = DraftForm(at, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return done(request, at, form)
        except Refused as refused:
            form.refuse(FIELD_OF.get(refused.code, "source"), refused)
    if request.method == "POST" and wants_json(request):
        return JsonResponse({"said": form.first_error()}, status=400)
    context = {"draft": at, "form": form, "game": GAMES[at.game], **tried(at)}
    return render(request, "drafts/draft.html", context)


def tried(at: Draft) -> dict[str, object]:
    """The state of the last check, which may be of an older text."""
    practice = at.tried
    if practice is None:
        return {}
    seat = practice.seats[0]
    return {
        "practice": practice,
        "findings": findings_of(practice, seat["filename"]),
        "is_older": seat["draft"] != sha256(at.source.encode()).hexdigest(),
        "waits_for": seat["need"] if nobody_tries(seat["need"]) else "",
    }


def done(request: HttpRequest, at: Draft, form: DraftForm) -> HttpResponse:
    """Raises Refused."""
    typed = form.cleaned_data
    kept = save(draft=at, **{name: typed[name] for name in ("source", "filename", "name", "since")})
    if wants_json(request):
        return JsonResponse({"said": "Saved", "since": kept.saved_at.isoformat()})
    form.saved(kept)
    match request.POST.get("do"):
        case "submit":
            return submitted(request, kept, form)
        case "check":
            try_out(draft=kept, against=typed["against"] or "random")
            return redirect(f"{resolve_url('draft', at.pk)}#check")
    return redirect("draft", at.pk)


def submitted(request: HttpRequest, kept: Draft, form: DraftForm) -> HttpResponse:
    count_upload(kept.owner)
    with transaction.atomic():  # where the ladder refuses the bot, nothing is submitted either
        ladder = form.cleaned_data["ladder"]
        version = submit(draft=kept, note=form.cleaned_data["note"], space=ladder.space if ladder else None)
        if ladder:
            enter(ladder=ladder, bot=version.bot, by=kept.owner)
    messages.success(
        request,
        say("%(version)s is submitted and being checked. The draft stays among your drafts.", version=version),
    )
    return redirect("bot", version.bot_id)


def wants_json(request: HttpRequest) -> bool:
    """The editor's script, which saves while one types."""
    return request.headers.get("Accept") == "application/json"


@login_required
@require_POST
def delete_draft(request: HttpRequest, number: int) -> HttpResponse:
    draft_or_404(request, number).delete()
    messages.success(request, "The draft is deleted.")
    return redirect("drafts")


@login_required
@never_cache
def states(request: HttpRequest, number: int) -> HttpResponse:
    at = draft_or_404(request, number)
    of_all = DraftState.objects.filter(draft__owner=at.owner_id).aggregate(size=Sum("size"))
    context = {"draft": at, "states": states_of(at), "most": STATES, "room": STATES_BYTES, "size": of_all["size"] or 0}
    return render(request, "drafts/draft_states.html", context)


def state_or_404(at: Draft, state: int) -> DraftState:
    found = at.states.filter(pk=state).first()
    if found is None:
        raise Http404("This draft has no such earlier state, or has it no more: the oldest go.")
    return found


@login_required
@never_cache
def state(request: HttpRequest, number: int, state: int) -> HttpResponse:
    """Its source, and what was changed since."""
    at = draft_or_404(request, number)
    old = state_or_404(at, state)
    return render(
        request, "drafts/draft_state.html", {"draft": at, "state": old, "lines": differing(old.source, at.source)}
    )


@login_required
@require_POST
def take(request: HttpRequest, number: int, state: int) -> HttpResponse:
    at = draft_or_404(request, number)
    take_back(state_or_404(at, state))
    messages.success(
        request, "The draft is what it was then. What it was just now is the latest of its earlier states."
    )
    return redirect("draft", number)
