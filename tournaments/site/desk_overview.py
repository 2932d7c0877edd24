"""The desk's overview: ladders and events, what needs attention, and links to every act."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from redis import RedisError

from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.features.events.draft_actions import CreateEvent
from tournaments.features.likeness.doubles import latest_doubles
from tournaments.features.likeness.findings import ladders_alike
from tournaments.ledger.acts.arguments import parts
from tournaments.ledger.acts.base import Action, actions
from tournaments.ledger.competitors import disk_space
from tournaments.ledger.ladders.rating_checks import MENDED
from tournaments.ledger.matchmaking.forecasts import workers_in_space
from tournaments.ledger.recording.divergent_workers import DIVERGED
from tournaments.models import Act, Entrant, Entry, Event, FailingItem, Ladder, Match, MatchSet, Worker
from tournaments.web.pages.desk.access import organisers
from tournaments.web.pages.desk.acts import PAGES, action_sentences
from tournaments.web.pages.sentences import say
from workers.capacity import GB, THREADS, is_capacity

Status = Event.Status
LISTED = 20  # of each kind of thing that needs somebody
HELD = (
    "Match %(match)s is in quarantine. Its set waits: release it, play it without one of its versions, or void the set."
)
TOPICS = (  # of acts, by what they are about first
    (gettext_noop("Ladders"), ("ladder", "slug")),
    (gettext_noop("Events"), ("event", "entrant")),
    (gettext_noop("Bots and people"), ("version", "user", "bot", "name", "guests")),
    (gettext_noop("Matches and sets"), ("set", "match", "game")),
    (gettext_noop("Reports and appeals"), ("report", "appeal")),
    (gettext_noop("Spaces"), ("space",)),
    (gettext_noop("Workers"), ("worker",)),
    (gettext_noop("What fails"), ("item",)),
    (gettext_noop("Words and the log"), ("text", "act")),
)


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for an organiser, and where it is done."""

    text: str
    act: str
    path: str


@organisers
def desk(request: HttpRequest) -> HttpResponse:
    playing = Count("entries", filter=Q(entries__status=Entry.Status.PLAYING))
    context = {
        "ladders": Ladder.objects.annotate(bots=playing).order_by("title"),
        "events": events_not_over(),
        "needs": [*of_disk(), *of_events(), *of_matches(), *of_machines(), *of_workers(), *of_ratings()],
        "failing": FailingItem.objects.order_by("next_try_at", "pk")[:LISTED],
        "alike": ladders_alike(),
        "doubles": latest_doubles(),
        "workers": workers_in_space(),
        "resting": Worker.objects.exclude(status=Worker.Status.WELCOME).count(),
        "topics": topics(),
    }
    return render(request, "desk/desk.html", context)


def events_not_over() -> QuerySet[Event]:
    """Return the latest events, `LISTED` at most, that are not over, or not released to the end."""
    bots = Count("entrants", filter=Q(entrants__status=Entrant.Status.PLAYING))
    held = Q(status=Status.FINISHED, released__isnull=False)
    now = Q(status__in=(Status.DRAFT, Status.REGISTRATION, Status.RUNNING))
    return Event.objects.filter(now | held).select_related("ladder").annotate(bots=bots).order_by("-pk")[:LISTED]


def of_disk() -> list[Need]:
    """Return what stands on the desk while uploads are refused because the disk is nearly full."""
    free, least = disk_space.free_mb(), disk_space.RESERVE.most
    if free >= least:
        return []
    full = say("The site’s disk has %(free)s MB left: below %(least)s no uploads are taken.", free=free, least=least)
    return [Need(full, say("See the budgets"), reverse("doc", args=["budgets"]))]


def of_events() -> list[Need]:
    return [need for event in events_not_over() for need in _of_event(event)]


def _of_event(event: Event) -> list[Need]:
    path = reverse("desk-event", args=[event.slug])
    if event.status == Status.REGISTRATION and event.reason:
        return [Need(f"{event}: {event.reason}.", say("Look at it"), path)]
    if event.status == Status.REGISTRATION and not event.starts_at:
        return [Need(say("%(event)s takes bots, and starts when you start it.", event=event), say("Look at it"), path)]
    if event.released is not None and event.started_at and _is_round_over(event):
        over = say("%(event)s: round %(round)s is over and held back.", event=event, round=event.released + 1)
        return [Need(over, say("Release it"), path)]
    return []


def _is_round_over(event: Event) -> bool:
    following = event.sets.filter(round=(event.released or 0) + 1)
    open_sets = Count("pk", filter=Q(status=MatchSet.Status.OPEN))
    counted = following.aggregate(all=Count("pk"), open=open_sets)
    return bool(counted["all"]) and not counted["open"]


def of_matches() -> list[Need]:
    undecided = Match.objects.filter(status=Match.Status.QUARANTINED, set__status__in=("open", "cancelled"))
    release = reverse("desk-act", args=["release_match"])
    return [
        Need(
            say(HELD if status == "open" else "Match %(match)s is in quarantine.", match=pk),
            say("Release it"),
            f"{release}?match={pk}",
        )
        for pk, status in undecided.order_by("-pk").values_list("pk", "set__status")[:LISTED]
    ]


def of_machines() -> list[Need]:
    """Return the ladders whose sets wait because their bots may use more than any worker's machine has."""
    asking = Q(needs__endswith=GB) | Q(needs__contains=f"{GB},") | Q(needs__endswith=THREADS)
    waiting = MatchSet.objects.filter(asking, status=MatchSet.Status.OPEN, ladder__isnull=False)
    rows = list(waiting.order_by("ladder__slug").values_list("ladder__slug", "needs").distinct()[:LISTED])
    try:
        offers = {offer for worker in AvailableWorkers.here().workers for offer in worker.offers} if rows else set()
    except RedisError:
        return []
    missing = (
        {(slug, word) for slug, needs in rows for word in needs.rpartition(":")[2].split(",")} if offers else set()
    )
    return [_of_machine(slug, word) for slug, word in sorted(missing) if is_capacity(word) and word not in offers]


def _of_machine(slug: str, word: str) -> Need:
    if word.endswith(GB):
        gb = word.removesuffix(GB)
        text = say("Sets of %(ladder)s wait: no worker has %(gb)s GB of memory for their bots.", ladder=slug, gb=gb)
    else:
        many = word.removesuffix(THREADS)
        text = say("Sets of %(ladder)s wait: no worker allows their bots %(many)s threads.", ladder=slug, many=many)
    return Need(text, say("Look at it"), reverse("ladder", args=[slug]))


def of_workers() -> list[Need]:
    """Workers whose result differed from the others' in the last month, and which still take orders."""
    lately = timezone.now() - timedelta(days=30)
    found = Act.objects.filter(kind=DIVERGED, at__gt=lately).order_by("-number")[:LISTED]
    subjects = {act.subject.removeprefix("worker "): act for act in reversed(found)}
    names = Worker.objects.filter(name__in=subjects, status=Worker.Status.WELCOME).values_list("name", flat=True)
    block = reverse("desk-act", args=["block_worker"])
    return [
        Need(
            say(
                "Worker %(name)s disagreed with two others: act %(act)s of the log.",
                name=name,
                act=subjects[name].number,
            ),
            say("Block it"),
            f"{block}?worker={name}",
        )
        for name in names
    ]


def of_ratings() -> list[Need]:
    """Ladders whose classic ratings differed from their results in the last week."""
    lately = Act.objects.filter(kind=MENDED, at__gt=timezone.now() - timedelta(days=7)).order_by("-number")[:LISTED]
    found = ((act.detail["ladder"], f"{reverse('audit')}?before={act.number + 1}#acts") for act in lately)
    return [
        Need(
            say("The classic ratings of %(ladder)s were wrong, and have been corrected.", ladder=slug),
            say("Look at it"),
            path,
        )
        for slug, path in found
    ]


def topics() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return every action by topic: its button, what it does, and its page."""
    found = []
    for title, subjects in TOPICS:
        listed = [
            action for action in actions().values() if _subject(action) in subjects and action.kind != "edit_event"
        ]
        rows = [(gettext(action.button), gettext(action_sentences(action)[0]), _page(action.kind)) for action in listed]
        found.append((gettext(title), rows))
    return found


def _subject(action: type[Action]) -> str:
    if action is CreateEvent:
        return "event"
    return next((part.name for part in parts(action)), "guests")  # two acts alone take nothing


def _page(kind: str) -> str:
    return reverse(PAGES[kind]) if kind in PAGES else reverse("desk-act", args=[kind])
