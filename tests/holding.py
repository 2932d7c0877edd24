"""Events for tests, made by the real verbs, and played in this process."""

from collections.abc import Mapping
from typing import Any

from engine.referee import Verdict
from tests.factories import a_ladder, a_user, a_version, numbers, play_set
from tournaments.features.events.lifecycle import advance_events, announce, create, start_event
from tournaments.features.events.registration import register
from tournaments.models import Bot, Entrant, Event, MatchSet, User

SWISS: dict[str, Any] = {"t": "swiss", "rounds": 2}
ROBIN: dict[str, Any] = {"t": "round_robin"}
KNOCKOUT: dict[str, Any] = {"t": "knockout"}


def a_draft(spec: Mapping[str, object] | None = None, *, by: User | None = None, **fields: Any) -> Event:
    number = next(numbers)
    named = {"slug": f"event-{number}", "title": f"Event {number}", "spec": spec or SWISS, **fields}
    event = Event(**named, **({} if "ladder" in fields else {"ladder": a_ladder(players=2)}))
    return create(event=event, by=by or an_organiser())


def an_organiser() -> User:
    return User.objects.filter(is_staff=True).first() or a_user(staff=True)


def an_event(bots: list[Bot], spec: Mapping[str, object] | None = None, **fields: Any) -> Event:
    """Announced, with these bots registered."""
    event = a_draft(spec, **fields)
    announce(event=event, by=an_organiser())
    for bot in bots:
        register(event=event, bot=bot, by=bot.owner)
    return fresh(event)


def a_running(count: int, spec: Mapping[str, object] | None = None, **fields: Any) -> Event:
    """Start an event of new bots, with its first round dealt."""
    event = an_event([a_version().bot for _ in range(count)], spec, **fields)
    start_event(event=event, by=an_organiser())
    return fresh(event)


def fresh(event: Event) -> Event:
    return Event.objects.select_related("ladder").get(pk=event.pk)


def open_sets(event: Event) -> list[MatchSet]:
    return list(event.sets.filter(status=MatchSet.Status.OPEN).order_by("pk"))


def play_round(event: Event, *losers: Entrant) -> None:
    """Play the sets that are dealt; the losers fail in all theirs."""
    faults = {loser.version_id: Verdict.CRASHED for loser in losers if loser.version_id}
    for match_set in open_sets(event):
        play_set(match_set, faults=faults)


def play_in_order(event: Event) -> None:
    """Play the sets that are dealt, the later entrants always losing to the earlier."""
    for match_set in open_sets(event):
        seated = event.entrants.filter(version__seats__match__set=match_set).distinct().order_by("pk")
        play_set(match_set, faults={entrant.version_id or 0: Verdict.CRASHED for entrant in seated[1:]})


def play_out(event: Event) -> Event:
    """Play round after round, the later entrants always losing to the earlier, until nothing is left to play."""
    while open_sets(event) or advance_events():
        play_in_order(event)
    return fresh(event)
