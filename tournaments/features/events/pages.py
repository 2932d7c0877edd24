"""Events: the list, and each with its rules, tables and rounds, as far as its results are public."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bots.formats.settings import Groups, Knockout, Spec
from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import Viewer, open_to, runs
from tournaments.core.accounts.visibility import audience_of, events_listed_for
from tournaments.features.events import check_in
from tournaments.features.events.editions import seasons_of
from tournaments.features.events.event_format import format_of
from tournaments.features.events.fixed_bracket import draw_bracket
from tournaments.features.events.progress import EventProgress, EventRound
from tournaments.features.events.registration import decline, register, takes_bots, withdraw_from_event
from tournaments.features.events.waiting_list import free_places
from tournaments.ledger.formats.rules_text import rules_in_words
from tournaments.models import Bot, Entrant, Event, EventInvitation, User
from tournaments.web.pages import match_lists
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.lookup import event_or_404, row_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act, refused_form_page
from tournaments.web.pages.sentences import say
from tournaments.web.pages.who_asks import signed_in

Status = Event.Status
LISTS = (  # in this order
    ("drafts", gettext_lazy("Drafts"), (Status.DRAFT,)),
    ("upcoming", gettext_lazy("Upcoming"), (Status.REGISTRATION,)),
    ("running", gettext_lazy("Running"), (Status.RUNNING,)),
    ("finished", gettext_lazy("Finished"), (Status.FINISHED, Status.CANCELLED)),
)
LATEST = 30  # of each list
ROUNDS = 5  # on one page


def events_page(request: HttpRequest) -> HttpResponse:
    viewer = request.user if organises(request.user) else None
    parts = KeptParts((viewer is None, last_act()), lambda: {"lists": lists_for(viewer)})
    return render(request, "events/events.html", {"parts": parts})


def lists_for(viewer: Viewer) -> list[tuple[str, str, list[Event]]]:
    lists = [(name, str(title), listed_events(viewer, statuses)) for name, title, statuses in LISTS]
    return [row for row in lists if row[2]]


def listed_events(viewer: Viewer, statuses: tuple[Status, ...]) -> list[Event]:
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.PLAYING))
    rows = Event.objects.filter(events_listed_for(viewer), status__in=statuses)
    return list(rows.annotate(bots=playing).select_related("ladder")[:LATEST])


def registration_context(viewer: User | AnonymousUser, event: Event) -> Context:
    """Return how bots register and leave now, and one's own bots."""
    own = {"mine": mine(viewer, event), "eligible": bots_to_register(viewer, event)} if isinstance(viewer, User) else {}
    return {"event": event, "invitation": invitation(viewer, event), **own, **registration_terms(event)}


def registration_terms(event: Event) -> Context:
    """Return how bots register now."""
    begins = check_in.check_in_begins(event)
    return {"takes_bots": takes_bots(event), "check_in_from": begins, "checks_in": check_in.is_open(event)}


def invitation(user: User | AnonymousUser, event: Event) -> EventInvitation | None:
    if not isinstance(user, User) or event.status != Status.REGISTRATION:
        return None
    return event.invitations.filter(user=user, declined_at=None).first()


def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what it is and how it stands; the rounds stay fresh by themselves while it runs."""
    user, shown = request.user, event_or_404(slug, request.user)
    state = shown.pk, shown.status, shown.released, audience_of(user, shown.ladder.space_id)
    parts = KeptParts(
        (*state, last_act(), changed_entrants(shown)), lambda: event_parts(user, shown, request.GET.get("round"))
    )
    return render(request, "events/event.html", {"parts": parts, **registration_context(user, shown)})


def changed_entrants(event: Event) -> dict[str, int | None]:
    """Return what differs as soon as a bot has registered or left: people see at once what they did."""
    playing, waiting = (
        Sum("pk", filter=Q(status=status)) for status in (Entrant.Status.PLAYING, Entrant.Status.WAITING)
    )
    return event.entrants.aggregate(last=Max("pk"), playing=playing, waiting=waiting)


def event_parts(viewer: User | AnonymousUser, event: Event, until: str | None) -> Context:
    """Return what all of the viewer's audience see of an event, with the rounds up to one of them."""
    progress = EventProgress(event, viewer) if event.started_at else None
    rounds, drawn = progress.rounds if progress else [], bracket_of(format_of(event))
    return {
        "event": event,
        **registration_terms(event),
        "progress": progress,
        "board": match_lists.board_of_event(event),
        "bracket": [played for played in rounds if played.boards[0].stage == drawn],
        "fixed": draw_bracket(progress) if progress else None,
        "leaf": leaf_of([played for played in rounds if played.boards[0].stage != drawn], until),
        "seasons": seasons_of(event),
        "entrants": event.entrants.select_related("bot__owner", "version").order_by("pk"),
        "held_back": event.is_held_back,
        "format": rules_in_words(format_of(event)),
        "organises": runs(viewer, event.ladder.space_id),
    }


@dataclass(frozen=True, slots=True)
class Leaf:
    """A few rounds, the latest first; `later` and `earlier` are the rounds at which the leaves beside it begin."""

    rounds: list[EventRound]
    later: int | None
    earlier: int | None


def leaf_of(rounds: list[EventRound], until: str | None) -> Leaf:
    """Return the latest rounds, or those up to a round."""
    last = whole(until)
    newest_first = rounds[::-1]
    start = next((index for index, played in enumerate(newest_first) if last is None or played.number <= last), 0)
    shown = newest_first[start : start + ROUNDS]
    later = newest_first[max(0, start - ROUNDS)].number if start else None
    earlier = newest_first[start + ROUNDS].number if start + ROUNDS < len(newest_first) else None
    return Leaf(shown, later, earlier)


def bracket_of(spec: Spec) -> str:
    """Return the stage that is drawn as a bracket, if there is one."""
    if isinstance(spec, Groups):
        return "final" if isinstance(spec.then, Knockout) else ""
    return spec.tag if isinstance(spec, Knockout) else ""


def mine(user: User, event: Event) -> QuerySet[Entrant]:
    return event.entrants.filter(run_by(user, "bot__")).select_related("bot").order_by("bot__name")


def bots_to_register(user: User, event: Event) -> QuerySet[Bot]:
    """Return the user's bots that could register."""
    if event.status != Status.REGISTRATION:
        return Bot.objects.none()
    bots = Bot.objects.filter(run_by(user), game=event.ladder.game, space=event.ladder.space_id)
    return bots.exclude(events__event=event).order_by("name")


@login_required
@require_POST
def register_bot(request: HttpRequest, slug: str) -> HttpResponse:
    user, chosen = signed_in(request), event_or_404(slug, request.user)
    own = Bot.objects.filter(run_by(user), pk=whole(request.POST.get("bot")) or 0)
    bot = row_or_404(own, say("Choose one of your bots to register."))
    notice = say("%(bot)s is registered for %(at)s.", bot=bot, at=chosen)
    if free_places(chosen) == 0:
        notice = say("All places are taken: %(bot)s is on the waiting list of %(at)s.", bot=bot, at=chosen)
    done = act(request, lambda: register(event=chosen, bot=bot, by=user), notice)
    return redirect("event", slug) if done else refused_form_page(event_page(request, slug))


@login_required
@require_POST
def withdraw_entrant(request: HttpRequest, number: int) -> HttpResponse:
    rows = Entrant.objects.filter(open_to(request.user, "bot__space")).select_related("event", "bot")
    entrant = row_or_404(rows.filter(pk=number), say("There is no entrant %(number)s.", number=number))
    user = signed_in(request)
    act(
        request,
        lambda: withdraw_from_event(entrant=entrant, by=user),
        say("%(bot)s has left %(event)s.", bot=entrant.bot, event=entrant.event),
    )
    return redirect("event", entrant.event.slug)


@login_required
@require_POST
def check_in_entrant(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    rows = Entrant.objects.filter(open_to(user, "event__ladder__space"), pk=number)
    why = say("There is no entrant %(number)s.", number=number)
    entrant = row_or_404(rows.select_related("event__ladder", "bot"), why)
    done = say("%(bot)s is checked in for %(event)s.", bot=entrant.bot, event=entrant.event)
    act(request, lambda: check_in.check_in(entrant=entrant, by=user), done)
    return redirect("event", entrant.event.slug)


@login_required
@require_POST
def decline_invitation(request: HttpRequest, slug: str) -> HttpResponse:
    user, declined = signed_in(request), event_or_404(slug, request.user)
    notice = say("You have declined the invitation to %(at)s.", at=declined)
    act(request, lambda: decline(event=declined, by=user), notice)
    return redirect("event", slug)
