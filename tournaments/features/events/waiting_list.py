"""The waiting list of an event, in order of registration, and who gets a place that becomes free."""

from tournaments.core.notices import triggers
from tournaments.ledger.ladders.disqualified import barring
from tournaments.models import Entrant, Event

Status = Entrant.Status


def free_places(event: Event) -> int | None:
    """Return how many places are free; None: as many as come."""
    if event.places is None:
        return None
    return max(0, event.places - event.entrants.filter(status=Status.PLAYING).count())


def fill_free_places(event: Event, *, present: bool = False) -> list[Entrant]:
    """Give free places to those who wait longest, and tell them. `present`: only to those who have checked in.

    Who is disqualified in the ladder waits on. The caller has locked the event.
    """
    waiting = event.entrants.filter(status=Status.WAITING).select_related("bot").order_by("pk")
    if present:
        waiting = waiting.exclude(checked_in_at=None)
    may = [entrant for entrant in waiting if not barring(event.ladder, entrant.bot)][: free_places(event)]
    for entrant in may:
        entrant.status = Status.PLAYING
        entrant.save(update_fields=["status"])
        triggers.notify_of_free_place(entrant)
    return may
