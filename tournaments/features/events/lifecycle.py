"""The life of an event: create, announce, start, cancel, disqualify, release results.

`advance_events` does what is due by the clock and the results. Registration is in `registration.py`.
"""

import secrets
from collections.abc import Iterator

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from engine.records import RecordError
from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.accounts.sides import Sides
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.core.notices import triggers
from tournaments.features.events.check_in import announce_check_in, is_open, settle_check_in
from tournaments.features.events.event_format import check_format, format_of, playable_format
from tournaments.features.events.plan import plan_of, starting_field
from tournaments.features.events.rounds import continue_event, last_round, locked_event, store_places
from tournaments.features.events.seeding import by_hand, seeds_of
from tournaments.features.events.waiting_list import fill_free_places
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.formats.planning import plan_event
from tournaments.models import Act, Entrant, Event, Ladder, MatchSet, User, Version
from workers.isolation import handle_each

Status = Event.Status
DUE = """
SELECT FROM tournaments_event event WHERE status = 'running'
    AND NOT EXISTS (SELECT FROM tournaments_matchset WHERE event_id = event.id AND status = 'open')
UNION ALL SELECT FROM tournaments_event WHERE status = 'registration'
    AND (starts_at <= statement_timestamp() OR check_in_minutes > 0 AND called_at IS NULL AND starts_at IS NOT NULL)
"""
MOST_LEFT_OUT = 10  # that the log names


def create(*, event: Event, by: User | str) -> Event:
    """Keep a draft. Raises Refused: not_organiser, slug_taken, and what is wrong with its format."""
    check_runs_space(by, event.ladder.space_id)
    event.spec = playable_format(event.ladder, event.spec)
    event.organiser, event.lot = by if isinstance(by, User) else None, secrets.token_hex(16)
    try:
        with transaction.atomic():
            event.save(force_insert=True)
    except IntegrityError:
        raise Refused(
            "slug_taken", "there is an event at %(slug)s already; choose another address", slug=event.slug
        ) from None
    return event


@transaction.atomic
def announce(*, event: Event, by: User | str, reason: str = "") -> Act:
    """Show a draft to everybody: bots may register. Raises Refused: not_organiser, not_draft, and what is wrong with
    its format, which was kept by an older release or for bots that are gone."""
    check_runs_space(by, event.ladder.space_id)
    check_format(event.ladder, format_of(event))
    if not Event.objects.filter(pk=event.pk, status=Status.DRAFT).update(status=Status.REGISTRATION):
        raise Refused("not_draft", "%(event)s has already been announced", event=event)
    triggers.notify_of_event_announcement(event)
    return _log(
        "announce_event", event, by, reason, Sentence("%(event)s is announced; bots may register.", event=event)
    )


@transaction.atomic
def start_event(*, event: Event, by: User | str, reason: str = "") -> Act:
    """Freeze the versions that play, and deal the first round. Raises Refused: not_organiser, not_announced,
    and what the format says of this field, too_few_entrants above all."""
    check_runs_space(by, event.ladder.space_id)
    event = locked_event(event)
    if event.status != Status.REGISTRATION:
        raise Refused(
            "not_announced",
            "%(event)s cannot be started: %(lower)s",
            event=event,
            lower=event.get_status_display().lower(),
        )
    _begin(event)
    return _log("start_event", event, by, reason, *_started(event))


def _begin(event: Event) -> None:
    settle_check_in(event)
    _freeze(event)
    plan_event(format_of(event), starting_field(event), {}, event=event.lot)  # refuses a field that cannot be played
    event.status, event.started_at, event.reason = Status.RUNNING, timezone.now(), ""
    event.save(update_fields=["status", "started_at", "reason"])
    triggers.notify_of_event_start(event)
    continue_event(event=event)


def _freeze(event: Event) -> None:
    """Entrants with a version that may play are seeded by its rating on the ladder; the others stay out, and so does a
    bot with the contents of another of its side, which would be another try at the same luck."""
    active = Version.objects.filter(status=Version.Status.ACTIVE, bot__events__event=event)
    if event.ladder.division == Ladder.Division.FUEL:
        active = active.filter(need="python")
    versions = {version.bot_id: version for version in active}
    seeds = seeds_of(event.ladder, versions.values())
    entrants = list(event.entrants.filter(status=Entrant.Status.PLAYING).select_related("bot").order_by("pk"))
    sides, first = Sides(), dict[tuple[int, str], Entrant]()
    for entrant in entrants:
        entrant.side, version = sides.of(entrant.bot.owner_id), versions.get(entrant.bot_id)
        entrant.reason = _why_out(version, first.get((entrant.side, version.contents)) if version else None)
        if version is None or entrant.reason:
            entrant.status = Entrant.Status.WITHDRAWN
            continue
        first[entrant.side, version.contents or f"version {version.pk}"] = entrant
        entrant.version, (entrant.seed, entrant.sd) = version, seeds[entrant.bot_id]
    _order_by_hand([entrant for entrant in entrants if entrant.version_id])
    Entrant.objects.bulk_update(entrants, ["version", "status", "reason", "seed", "sd", "side"])


def _order_by_hand(playing: list[Entrant]) -> None:
    order = {entrant.bot_id: entrant.hand_seed for entrant in playing if entrant.hand_seed}
    seeds = by_hand({entrant.bot_id: entrant.seed for entrant in playing}, order)
    for entrant in playing:
        entrant.seed = seeds[entrant.bot_id]


def _why_out(version: Version | None, twin: Entrant | None) -> str:
    if version is None:
        return Sentence("it had no version that could play at the start")
    return Sentence("its contents are those of %(bot)s, of the same owner or team", bot=twin.bot) if twin else ""


@transaction.atomic
def call_off(*, event: Event, by: User | str, reason: str) -> Act:
    """End it without a result; what is not played never will be. Raises Refused: not_organiser, draft, event_over."""
    check_runs_space(by, event.ladder.space_id)
    event = locked_event(event)
    if event.status == Status.DRAFT:
        raise Refused("draft", "a draft is deleted, not called off: nobody has seen it")
    if event.status in (Status.FINISHED, Status.CANCELLED):
        raise Refused(
            "event_over", "%(event)s is over: %(lower)s", event=event, lower=event.get_status_display().lower()
        )
    event.status, event.reason, event.ended_at = Status.CANCELLED, reason[:200], timezone.now()
    event.save(update_fields=["status", "reason", "ended_at"])
    triggers.notify_of_event_end(event)
    for match_set in event.sets.filter(status=MatchSet.Status.OPEN):
        cancel(match_set=match_set, reason=Sentence("%(event)s was called off", event=event))
    return _log("call_off_event", event, by, reason, Sentence("%(event)s ends without a result.", event=event))


@transaction.atomic
def disqualify_entrant(*, entrant: Entrant, by: User | str, reason: str) -> Act:
    """Disqualify an entrant at any time: after the final, places are computed again.

    Raises Refused: not_organiser, disqualified.
    """
    check_runs_space(by, entrant.event.ladder.space_id)
    event = locked_event(entrant.event)
    entrant = event.entrants.select_related("bot").get(pk=entrant.pk)
    if entrant.status == Entrant.Status.DISQUALIFIED:
        raise Refused("disqualified", "%(entrant)s has already been disqualified", entrant=entrant)
    if entrant.left_at is None:
        entrant.left_at = last_round(event)
    entrant.status, entrant.reason = Entrant.Status.DISQUALIFIED, reason[:200]
    entrant.save(update_fields=["status", "reason", "left_at"])
    if event.status == Status.FINISHED:
        store_places(event=event, plan=plan_of(event))
    if event.status == Status.REGISTRATION:
        fill_free_places(event)
    sentence = Sentence(
        "%(bot)s is paired no more and has no place; what it played stands as the rules of the format say.",
        bot=entrant.bot,
    )
    return _log("disqualify_entrant", event, by, reason, sentence)


@transaction.atomic
def release_round(*, event: Event, by: User | str, reason: str = "") -> Act:
    """Make one round more public, and all with the last. Raises Refused: not_organiser, all_public, round_not_over."""
    check_runs_space(by, event.ladder.space_id)
    event = locked_event(event)
    if event.released is None:
        raise Refused("all_public", "all results of %(event)s are public as they come in", event=event)
    following = event.sets.filter(round=event.released + 1)
    if not following.exists() or following.filter(status=MatchSet.Status.OPEN).exists():
        raise Refused(
            "round_not_over",
            "round %(released)s of %(event)s has not been played to its end",
            released=event.released + 1,
            event=event,
        )
    event.released += 1
    triggers.notify_of_event_results(event)
    sentence = Sentence("The results of round %(round)s are public.", round=event.released)
    if event.status == Status.FINISHED and event.released >= last_round(event):
        event.released = None
        triggers.notify_of_winners(event)
    event.save(update_fields=["released"])
    for feature in features():
        feature.ratings_changed(event.ladder)
    return _log("release_round", event, by, reason, sentence)


def advance_events() -> int:
    """Start what is due, and go on where nothing is left to play. Returns the number of changes.

    The sets of a round are dealt together, so an event with an open set has nothing to do. In a closed space nothing
    starts or goes on. `DUE` tells the dispatcher when to ask.
    """
    uncalled = Q(check_in_minutes__gt=0, called_at=None, starts_at__isnull=False)
    coming = Q(Q(starts_at__lte=timezone.now()) | uncalled, status=Status.REGISTRATION)
    playing = MatchSet.objects.filter(event=OuterRef("pk"), status=MatchSet.Status.OPEN)
    waiting = Q(~Exists(playing), ~Q(ladder__status=Ladder.Status.PAUSED), status=Status.RUNNING)
    events = Event.objects.filter(coming | waiting, ladder__space__closed_at=None)
    return handle_each("events", events, _advance, FAILING_ITEMS, item_name)


def _advance(event: Event) -> int:
    """Go on with a running event; for another, check-in begins, or the event itself."""
    if event.status == Status.RUNNING:
        return continue_event(event=event)
    if event.starts_at and event.starts_at <= timezone.now():
        return _start_on_time(event)
    return announce_check_in(event) if is_open(event) else 0


def _start_on_time(event: Event) -> int:
    """An event that cannot be started waits for its organisers, with a reason."""
    try:
        with transaction.atomic():
            event = locked_event(event)
            if event.status == Status.REGISTRATION:
                _begin(event)
                _log("start_event", event, PLATFORM, Sentence("The scheduled start was reached."), *_started(event))
    except (Refused, RecordError) as error:
        late = Event.objects.filter(pk=event.pk, status=Status.REGISTRATION)
        late.update(starts_at=None, reason=str(Sentence("Not started: %(why_said)s", why_said=error))[:200])
    return 1


def _started(event: Event) -> Iterator[str]:
    """Yield how many bots play, and which of those that registered do not."""
    playing = event.entrants.filter(status=Entrant.Status.PLAYING).count()
    yield Sentence(
        "%(event)s begins with %(playing)s bots, each with the version it has now.", event=event, playing=playing
    )
    left_out = event.entrants.filter(status=Entrant.Status.WITHDRAWN).exclude(reason="").order_by("pk")
    for entrant in left_out.select_related("bot")[:MOST_LEFT_OUT]:
        yield Sentence("%(bot)s does not play: %(reason)s.", bot=entrant.bot, reason=entrant.reason)
    if (more := left_out.count() - MOST_LEFT_OUT) > 0:
        yield Sentence("%(more)s more do not play.", more=more)


def _log(kind: str, event: Event, by: User | str, reason: str, *sentences: str) -> Act:
    detail = {"says": list(sentences)}
    subject, space = f"event {event.slug}", event.ladder.space_id
    return append(kind=kind, by=by, subject=subject, reason=reason, detail=detail, space=space)
