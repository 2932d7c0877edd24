"""The seasons of an event: the chain of events before it."""

from collections import defaultdict
from dataclasses import dataclass

from tournaments.models import Entrant, Event

MOST = 10  # seasons of a chain


@dataclass(frozen=True, slots=True)
class Season:
    event: Event
    bots: int
    winners: list[Entrant]  # empty while it is not over or not released


def seasons_of(event: Event) -> list[Season]:
    """Return the event and those before it, the latest first; nothing if there is none before it."""
    chain = _chain(event)
    if len(chain) < 2:
        return []
    entrants = (
        Entrant.objects.filter(event__in=chain)
        .exclude(status=Entrant.Status.WAITING)
        .select_related("bot__owner")
        .order_by("pk")
    )
    playing: defaultdict[int, list[Entrant]] = defaultdict(list)
    for entrant in entrants:
        playing[entrant.event_id].append(entrant)
    return [Season(edition, len(playing[edition.pk]), _winners(edition, playing[edition.pk])) for edition in chain]


def _chain(event: Event) -> list[Event]:
    chain, seen = [event], {event.pk}
    while len(chain) < MOST and (before := chain[-1].previous) is not None:
        if before.pk in seen or before.status == Event.Status.DRAFT:
            break
        chain.append(before)
        seen.add(before.pk)
    return chain


def _winners(event: Event, entrants: list[Entrant]) -> list[Entrant]:
    if event.status != Event.Status.FINISHED or event.is_held_back:
        return []
    return [entrant for entrant in entrants if entrant.place == 1]
