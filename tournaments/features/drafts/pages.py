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
from tournaments.core.accounts.permissions import may_run, run_by
from tournaments.core.accounts.spaces import open_to
from tournaments.core.errors import Refused
from tournaments.features.drafts.beginnings import begin_from_start, begin_from_version, editable
from tournaments.features.drafts.diagnostics import findings_of_trial_game
from tournaments.features.drafts.forms import DraftForm
from tournaments.features.drafts.rules import STATES, STATES_BYTES, drafts_of, restore_state, save, states_of, submit
from tournaments.features.drafts.sandbox_check import nobody_tries, try_out
from tournaments.ledger.competitors.starting_points import starts
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Draft, DraftState, User, Version
from tournaments.web.pages.line_diff import differing_lines
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.rate_limits import count_upload
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

OF_NAME = dict.fromkeys(("bad_name", "mixed_scripts", "name_taken"), "name")
FIELD_OF = {**OF_NAME, "wrong_game": "ladder", "wrong_kind": "filename"}


@login_required
def editor(request: HttpRequest) -> HttpResponse:
    """`?game=`: what a bot of that game can begin from. Nothing is made until one is chosen."""
    user = signed_in(request)
    if request.method == "POST":
        return open_new_draft(request, user)
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


def open_new_draft(request: HttpRequest, user: User) -> HttpResponse:
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
    """Begin a draft of the version. Raises Refused: not_editable, and Http404 where the version is none of theirs."""
    number = whole(request.POST["version"]) or 0
    version = Version.objects.select_related("bot", "bundle").filter(pk=number).first()
    if version is None or not may_run(user, version.bot):
        raise Http404("There is no such version of a bot of yours.")
    return begin_from_version(owner=user, version=version)


@login_required
@never_cache
def drafts_page(request: HttpRequest) -> HttpResponse:
    return render(request, "drafts/drafts.html", {"drafts": drafts_of(signed_in(request))})


def draft_or_404(request: HttpRequest, number: int) -> Draft:
    """Return one of their own drafts; nobody learns whether others exist."""
    own = Draft.objects.select_related("bot", "owner", "tried__ladder").filter(owner=signed_in(request))
    return row_or_404(own.filter(pk=number), say("You have no draft %(number)s.", number=number))


@login_required
@never_cache
def draft(request: HttpRequest, number: int) -> HttpResponse:
    """Show the editor. Every button saves first; `do` names the next step."""
    draft = draft_or_404(request, number)
    form = DraftForm(draft, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return take_draft_step(request, draft, form)
        except Refused as refused:
            form.refuse(FIELD_OF.get(refused.code, "source"), refused)
    if request.method == "POST" and wants_json(request):
        return JsonResponse({"said": form.first_error()}, status=400)
    context = {"draft": draft, "form": form, "game": GAMES[draft.game], **last_check(draft)}
    return render(request, "drafts/draft.html", context)


def last_check(draft: Draft) -> dict[str, object]:
    """Return what the page shows of the last check, which may be of an older text."""
    practice = draft.tried
    if practice is None:
        return {}
    seat = practice.seats[0]
    return {
        "practice": practice,
        "findings": findings_of_trial_game(practice, seat["filename"]),
        "is_older": seat["draft"] != sha256(draft.source.encode()).hexdigest(),
        "waits_for": seat["need"] if nobody_tries(seat["need"]) else "",
    }


def take_draft_step(request: HttpRequest, draft: Draft, form: DraftForm) -> HttpResponse:
    """Save, and take the step that the button names. Raises Refused."""
    typed = form.cleaned_data
    stored = save(draft=draft, **{name: typed[name] for name in ("source", "filename", "name", "since")})
    if wants_json(request):
        return JsonResponse({"said": "Saved", "since": stored.saved_at.isoformat()})
    form.saved(stored)
    match request.POST.get("do"):
        case "submit":
            return submitted(request, stored, form)
        case "check":
            try_out(draft=stored, against=typed["against"] or "random")
            return redirect(f"{resolve_url('draft', draft.pk)}#check")
    return redirect("draft", draft.pk)


def submitted(request: HttpRequest, draft: Draft, form: DraftForm) -> HttpResponse:
    count_upload(draft.owner)
    with transaction.atomic():  # where the ladder refuses the bot, nothing is submitted either
        ladder = form.cleaned_data["ladder"]
        version = submit(draft=draft, note=form.cleaned_data["note"], space=ladder.space if ladder else None)
        if ladder:
            enter_in_ladder(ladder=ladder, bot=version.bot, by=draft.owner)
    messages.success(
        request, say("%(version)s is submitted and being checked. The draft stays among your drafts.", version=version)
    )
    return redirect("bot", version.bot_id)


def wants_json(request: HttpRequest) -> bool:
    """Return whether the editor's script asks, which saves while one types."""
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
    draft = draft_or_404(request, number)
    total = DraftState.objects.filter(draft__owner=draft.owner_id).aggregate(size=Sum("size"))["size"] or 0
    context = {"draft": draft, "states": states_of(draft), "most": STATES, "room": STATES_BYTES, "size": total}
    return render(request, "drafts/draft_states.html", context)


def state_or_404(draft: Draft, number: int) -> DraftState:
    why = say("This draft has no such earlier state, or no longer: the oldest are deleted.")
    return row_or_404(draft.states.filter(pk=number), why)


@login_required
@never_cache
def state_page(request: HttpRequest, number: int, state: int) -> HttpResponse:
    """Show the state's source, and what was changed since."""
    draft = draft_or_404(request, number)
    earlier = state_or_404(draft, state)
    context = {"draft": draft, "state": earlier, "lines": differing_lines(earlier.source, draft.source)}
    return render(request, "drafts/draft_state.html", {**context, "first": draft.name or draft.filename})


@login_required
@require_POST
def take_state_back(request: HttpRequest, number: int, state: int) -> HttpResponse:
    restore_state(state_or_404(draft_or_404(request, number), state))
    messages.success(
        request, "The draft is what it was then. What it was just now is the latest of its earlier states."
    )
    return redirect("draft", number)
