"""Earlier states of a draft: the list, each state compared with now, and restoring one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.competitors.drafts.autosave import STATES, STATES_BYTES
from tournaments.competitors.drafts.history import states_of, take_back
from tournaments.competitors.drafts.line_diff import differing
from tournaments.models import Draft, DraftState
from tournaments.pages.lookup import draft_or_404


@login_required
@never_cache
def states(request: HttpRequest, number: int) -> HttpResponse:
    at = draft_or_404(request, number)
    of_all = DraftState.objects.filter(draft__owner=at.owner_id).aggregate(size=Sum("size"))
    context = {"draft": at, "states": states_of(at), "most": STATES, "room": STATES_BYTES, "size": of_all["size"] or 0}
    return render(request, "draft_states.html", context)


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
    return render(request, "draft_state.html", {"draft": at, "state": old, "lines": differing(old.source, at.source)})


@login_required
@require_POST
def take(request: HttpRequest, number: int, state: int) -> HttpResponse:
    at = draft_or_404(request, number)
    take_back(state_or_404(at, state))
    messages.success(
        request, "The draft is what it was then. What it was just now is the latest of its earlier states."
    )
    return redirect("draft", number)
