"""Events on the desk: drafted in a form with a preview, changed, announced, run."""

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments.core.errors import Refused
from tournaments.features.events.actions import AnnounceEvent, CallOffEvent, ReleaseRound, StartEvent
from tournaments.features.events.draft_actions import DiscardEvent, Drafting
from tournaments.features.events.entrant_actions import InviteToEvent, SeedByHand, TellEntrants
from tournaments.features.events.event_form import EventForm, event_form_class
from tournaments.features.events.event_format import format_of
from tournaments.features.events.presets import PRESETS
from tournaments.features.events.preview import Outlook, likely, outlook_facts, outlook_of_event, registered
from tournaments.ledger.acts.arguments import action_from_arguments
from tournaments.ledger.acts.base import Action, Effect
from tournaments.ledger.formats.rules_text import rules_in_words
from tournaments.models import Entrant, Event, MatchSet, User
from tournaments.web.pages.desk.access import check_here, organisers_here
from tournaments.web.pages.desk.acts import attempt, buttons, confirm_act
from tournaments.web.pages.lookup import event_or_404
from tournaments.web.pages.sentences import say
from tournaments.web.pages.webhooks import webhooks_page
from tournaments.web.pages.who_asks import signed_in

Status = Event.Status
ACTIONS: dict[Status, tuple[type[Action], ...]] = {
    Status.DRAFT: (AnnounceEvent, DiscardEvent),
    Status.REGISTRATION: (StartEvent, InviteToEvent, SeedByHand, TellEntrants, CallOffEvent),
    Status.RUNNING: (TellEntrants, CallOffEvent),
    Status.FINISHED: (),
    Status.CANCELLED: (),
}
CHANGED = (Status.DRAFT, Status.REGISTRATION)  # may be


@organisers_here
def new_event(request: HttpRequest) -> HttpResponse:
    """Choose the format, fill in the form, confirm the preview."""
    name = request.GET.get("format", "")
    if not name:
        return render(request, "events/formats.html", {"presets": PRESETS, "ladder": request.GET.get("ladder", "")})
    if name not in PRESETS:
        raise Http404(say("There is no format called “%(name)s” here.", name=name))
    initial = {"ladder": request.GET.get("ladder", "")}
    kind = event_form_class(PRESETS[name].spec, by=signed_in(request))
    return _form(request, kind, {"title": PRESETS[name].title, "new": True}, initial)


@organisers_here
def edit_event(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(slug, request.user)
    check_here(request, event.ladder.space_id)
    if event.status not in CHANGED:
        raise Http404(say("%(event)s has begun, or is over; its settings no longer change.", event=event))
    return _form(request, event_form_class(format_of(event), event, by=signed_in(request)), {"event": event}, {})


@organisers_here
def event_webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the news of the event is posted."""
    event = event_or_404(slug, request.user)
    check_here(request, event.ladder.space_id)
    return webhooks_page(request, event, reverse("desk-event", args=[event.slug]))


def _form(
    request: HttpRequest, kind: type[EventForm], context: dict[str, object], initial: dict[str, str]
) -> HttpResponse:
    if request.method != "POST":
        return render(request, "events/event_form.html", {**context, "form": kind(initial=initial)})
    form = kind(request.POST)
    effect, done = attempt(request, form) if form.is_valid() else (None, None)
    if done:
        confirm_act(request, done)
        return redirect("desk-event", form.given()["slug"])
    shown = event_preview(form, effect, signed_in(request)) if effect else {}
    return render(request, "events/event_form.html", {**context, "form": form, **shown})


def event_preview(form: EventForm, effect: Effect, by: User) -> dict[str, object]:
    """Return the preview; empty, with an error at the field, if so many entrants cannot play it."""
    action = action_from_arguments(form.action, form.given(), by)
    assert isinstance(action, Drafting)
    event = action.described(Event.objects.get(pk=form.event.pk) if form.event else Event())
    try:
        entrants, names = likely(event.ladder, form.cleaned_data["expected"], format_of(event))
        outlook = outlook_of_event(event, entrants, names)
    except Refused as refused:
        form.blame(refused)
        return {}
    return {"effect": effect, "seen": form.seen(), "drafted": event, **outlook_context(event, outlook)}


def outlook_context(event: Event, outlook: Outlook) -> dict[str, object]:
    return {"outlook": outlook, "facts": outlook_facts(outlook), "rules": rules_in_words(format_of(event))}


@organisers_here
def event_desk(request: HttpRequest, slug: str) -> HttpResponse:
    shown = event_or_404(slug, request.user)
    check_here(request, shown.ladder.space_id)
    sets = shown.sets.aggregate(open=Count("pk", filter=Q(status=MatchSet.Status.OPEN)), all=Count("pk"))
    actions = [*ACTIONS[Status(shown.status)]]
    if shown.started_at and shown.is_held_back and shown.status != Status.CANCELLED:
        actions.insert(0, ReleaseRound)
    context = {
        "event": shown,
        "actions": buttons(actions),
        "sets": sets,
        "entrants": entrants_by_place(shown),
        "may_change": shown.status in CHANGED,
        "may_reveal": ReleaseRound in actions,
    }
    return render(request, "events/desk_event.html", {**context, **outlook_expected(shown)})


def entrants_by_place(event: Event) -> list[Entrant]:
    return list(event.entrants.select_related("bot__owner").order_by("place", "pk"))


def outlook_expected(event: Event) -> dict[str, object]:
    """Return what an event that has not begun would be like with those who have registered."""
    if event.status not in CHANGED:
        return {}
    try:
        return outlook_context(event, outlook_of_event(event, *registered(event)))
    except Refused as refused:
        return {"not_yet": refused.detail, "rules": rules_in_words(format_of(event))}
