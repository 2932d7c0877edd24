"""Rounds of events: create the sets that the plan allows; store final places.

No state of a format is stored: after a crash the plan is computed again, with the same result.
"""

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from bots.formats.model import Plan
from tournaments.core.feature import features
from tournaments.core.notices import triggers
from tournaments.features.events.plan import plan_of
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.models import Entrant, Event, Ladder, MatchSet


@transaction.atomic
def continue_event(*, event: Event) -> int:
    """Deal all sets that can be played now and are not dealt yet, or end the event. Return the number of changes."""
    event = locked_event(event)
    if event.status != Event.Status.RUNNING:
        return 0
    plan = plan_of(event)
    if not plan.done:
        return _deal(event, plan)
    store_places(event=event, plan=plan)
    event.status, event.ended_at = Event.Status.FINISHED, timezone.now()
    event.save(update_fields=["status", "ended_at"])
    for feature in features():
        feature.event_ended(event)
    triggers.notify_of_event_end(event)
    return 1


def _deal(event: Event, plan: Plan) -> int:
    version = dict(event.entrants.values_list("bot", "version"))
    dealt = set(event.sets.exclude(status=MatchSet.Status.VOID).values_list("pairing", flat=True))
    fresh = [pairing for pairing in plan.now if pairing.key not in dealt]
    for pairing in fresh:
        void = event.sets.filter(status=MatchSet.Status.VOID, pairing=pairing.key, replacement=None).last()
        deal_set(
            ladder=event.ladder,
            versions=[version[bot] for bot in pairing.entrants],
            lot=f"event {event.lot} {pairing.key}",
            event=event,
            pairing=pairing.key,
            round=pairing.round,
            replaces=void,
        )
    return len(fresh)


def deal_again(match_set: MatchSet) -> None:
    """Deal a voided set again; nobody has a place until it is over."""
    if match_set.event is None:
        return
    event = locked_event(match_set.event)
    if event.status == Event.Status.FINISHED:
        event.status, event.ended_at = Event.Status.RUNNING, None
        event.save(update_fields=["status", "ended_at"])
        event.entrants.update(place=None)
        for feature in features():
            feature.event_resumed(event)
    continue_event(event=event)


def store_places(*, event: Event, plan: Plan) -> None:
    """Store the places. The disqualified have none."""
    places = plan.places
    entrants = list(event.entrants.all())
    for entrant in entrants:
        honest = entrant.status != Entrant.Status.DISQUALIFIED
        entrant.place = places.get(entrant.bot_id) if honest else None
    Entrant.objects.bulk_update(entrants, ["place"])
    for feature in features():
        feature.ratings_changed(event.ladder)


def last_round(event: Event) -> int:
    """Return the last round that was dealt."""
    return event.sets.aggregate(last=Max("round"))["last"] or 0


def locked_event(event: Event) -> Event:
    """Return the event, locked until the transaction ends."""
    return lock_events(Event.objects.filter(pk=event.pk))[0]


def lock_events(events: QuerySet[Event]) -> list[Event]:
    """Lock these events until the transaction ends, and before them their ladders, as actions do.

    An action that voids a set waits for the round that is dealt by that set's result, or the round for the action.
    """
    ladders = dict(events.values_list("pk", "ladder"))
    list(Ladder.objects.select_for_update(no_key=True).filter(pk__in=ladders.values()).order_by("pk").values_list("pk"))
    rows = Event.objects.select_for_update(of=("self",)).select_related("ladder")
    return list(rows.filter(pk__in=ladders).order_by("pk"))
