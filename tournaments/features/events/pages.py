"""Events: the list, and each with its rules, tables and rounds, as far as its results are public."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bots.formats.settings import Groups, Knockout, Spec
from tournaments.accounts.organisers import organises
from tournaments.accounts.permissions import run_by, runs_any
from tournaments.accounts.spaces import open_to, runs
from tournaments.accounts.visibility import events_listed_for
from tournaments.features.events import check_in
from tournaments.features.events.editions import seasons_of
from tournaments.features.events.event_format import format_of
from tournaments.features.events.fixed_bracket import drawn_bracket
from tournaments.features.events.progress import EventProgress, EventRound
from tournaments.features.events.registration import decline, register, takes_bots, withdraw
from tournaments.features.events.waiting_list import free_places
from tournaments.formats.rules_text import rules_in_words
from tournaments.models import Bot, Entrant, Event, EventInvitation, User
from tournaments.pages import match_lists
from tournaments.pages.lookup import event_or_404
from tournaments.pages.page_parts import IN_SPACE, Context, nothing_else, with_own
from tournaments.pages.query_values import whole
from tournaments.pages.run_action import act, refused
from tournaments.pages.sentences import say
from tournaments.pages.who_asks import signed_in

Status = Event.Status
PARTS = (  # of the list, in this order
    ("drafts", gettext_lazy("Drafts"), (Status.DRAFT,)),
    ("upcoming", gettext_lazy("Upcoming"), (Status.REGISTRATION,)),
    ("running", gettext_lazy("Running"), (Status.RUNNING,)),
    ("finished", gettext_lazy("Finished"), (Status.FINISHED, Status.CANCELLED)),
)
LATEST = 30  # of each part
ROUNDS = 5  # on one page


@with_own(nothing_else)
def events(request: HttpRequest) -> HttpResponse:
    parts = [(name, title, listed(request.user, statuses)) for name, title, statuses in PARTS]
    return render(request, "events/events.html", {"parts": [part for part in parts if part[2]]})


def listed(viewer: User | AnonymousUser, statuses: tuple[Status, ...]) -> list[Event]:
    playing = Count("entrants", filter=Q(entrants__status=Entrant.Status.PLAYING))
    shown = events_listed_for(viewer if organises(viewer) else None)
    rows = Event.objects.filter(shown, status__in=statuses)
    return list(rows.annotate(bots=playing).select_related("ladder")[:LATEST])


def own_entrants(request: HttpRequest, slug: str) -> Context | None:
    """Organisers of its space see more of it."""
    at = event_or_404(slug, request.user)
    return None if runs(request.user, at.ladder.space_id) else ways_in(request, at)


def ways_in(request: HttpRequest, at: Event) -> Context:
    """And out, for one's own bots."""
    user, own = request.user, {}
    if isinstance(user, User) and runs_any(user):
        own = {"mine": mine(user, at), "eligible": eligible(user, at)}
    asked = {"invitation": invitation(user, at), **terms_of(at)}
    return {"event": at, IN_SPACE: at.ladder.space_id, **own, **asked}


def terms_of(at: Event) -> Context:
    """How bots register now."""
    return {"takes_bots": takes_bots(at), "check_in_from": check_in.begins(at), "checks_in": check_in.is_open(at)}


def invitation(user: User | AnonymousUser, at: Event) -> EventInvitation | None:
    if not isinstance(user, User) or at.status != Status.REGISTRATION:
        return None
    return at.invitations.filter(user=user, declined_at=None).first()


@with_own(own_entrants, "events/_register.html")
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """What it is and how it stands; the rounds stay fresh by themselves while it runs."""
    at = event_or_404(slug, request.user)
    progress = EventProgress(at, request.user) if at.started_at else None
    rounds, drawn = progress.rounds if progress else [], bracket_of(format_of(at))
    context: dict[str, object] = {
        **ways_in(request, at),
        "progress": progress,
        "board": match_lists.board_of_event(at),
        "bracket": [each for each in rounds if each.boards[0].stage == drawn],
        "fixed": drawn_bracket(progress) if progress else None,
        "leaf": leaf_of([each for each in rounds if each.boards[0].stage != drawn], request.GET.get("round")),
        "seasons": seasons_of(at),
        "entrants": at.entrants.select_related("bot__owner", "version").order_by("pk"),
        "held_back": at.is_held_back,
        "format": rules_in_words(format_of(at)),
        "organises": runs(request.user, at.ladder.space_id),
    }
    return render(request, "events/event.html", context)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A few rounds, the latest first; `later` and `earlier` are the rounds at which the leaves beside it begin."""

    rounds: list[EventRound]
    later: int | None
    earlier: int | None


def leaf_of(rounds: list[EventRound], wanted: str | None) -> Leaf:
    """The latest rounds, or those up to the round that is wanted."""
    last = whole(wanted)
    newest_first = rounds[::-1]
    start = next((at for at, each in enumerate(newest_first) if last is None or each.number <= last), 0)
    shown = newest_first[start : start + ROUNDS]
    later = newest_first[max(0, start - ROUNDS)].number if start else None
    earlier = newest_first[start + ROUNDS].number if start + ROUNDS < len(newest_first) else None
    return Leaf(shown, later, earlier)


def bracket_of(spec: Spec) -> str:
    """The stage that is drawn as a bracket, if there is one."""
    if isinstance(spec, Groups):
        return "final" if isinstance(spec.then, Knockout) else ""
    return spec.tag if isinstance(spec, Knockout) else ""


def mine(user: User, event: Event) -> QuerySet[Entrant]:
    return event.entrants.filter(run_by(user, "bot__")).select_related("bot").order_by("bot__name")


def eligible(user: User, event: Event) -> QuerySet[Bot]:
    """The user's bots that could register."""
    if event.status != Status.REGISTRATION:
        return Bot.objects.none()
    here = Bot.objects.filter(run_by(user), game=event.ladder.game, space=event.ladder.space_id)
    return here.exclude(events__event=event).order_by("name")


@login_required
@require_POST
def register_bot(request: HttpRequest, slug: str) -> HttpResponse:
    user, at = signed_in(request), event_or_404(slug, request.user)
    bot = Bot.objects.filter(run_by(user), pk=whole(request.POST.get("bot")) or 0).first()
    if bot is None:
        raise Http404("Choose one of your bots to register.")
    said = say("%(bot)s is registered for %(at)s.", bot=bot, at=at)
    if free_places(at) == 0:
        said = say("All places are taken: %(bot)s is on the waiting list of %(at)s.", bot=bot, at=at)
    done = act(request, lambda: register(event=at, bot=bot, by=user), said)
    return redirect("event", slug) if done else refused(event(request, slug))


@login_required
@require_POST
def withdraw_entrant(request: HttpRequest, number: int) -> HttpResponse:
    rows = Entrant.objects.filter(open_to(request.user, "bot__space")).select_related("event", "bot")
    found = rows.filter(pk=number).first()
    if found is None:
        raise Http404(say("There is no entrant %(number)s.", number=number))
    user = signed_in(request)
    act(
        request,
        lambda: withdraw(entrant=found, by=user),
        say("%(bot)s has left %(event)s.", bot=found.bot, event=found.event),
    )
    return redirect("event", found.event.slug)


@login_required
@require_POST
def check_in_entrant(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    seen = Entrant.objects.filter(open_to(user, "event__ladder__space"), pk=number)
    found = seen.select_related("event__ladder", "bot").first()
    if found is None:
        raise Http404(say("There is no entrant %(number)s.", number=number))
    done = say("%(bot)s is checked in for %(event)s.", bot=found.bot, event=found.event)
    act(request, lambda: check_in.check_in(entrant=found, by=user), done)
    return redirect("event", found.event.slug)


@login_required
@require_POST
def decline_invitation(request: HttpRequest, slug: str) -> HttpResponse:
    user, at = signed_in(request), event_or_404(slug, request.user)
    act(request, lambda: decline(event=at, by=user), say("You have declined the invitation to %(at)s.", at=at))
    return redirect("event", slug)
