"""The archive: ladders that are closed and events that are over, with who won."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournaments.core.accounts.organisers import organises
from tournaments.core.accounts.spaces import Viewer, listed_for, open_to
from tournaments.models import Bot, Event, Ladder, PastSeason, Space


@dataclass(frozen=True, slots=True)
class Archived:
    past: PastSeason
    of: Ladder | Event
    ladder: Ladder
    winners: list[Bot]

    @property
    def is_event(self) -> bool:
        return self.past.event is not None


def archived(viewer: Viewer, space: Space | None = None) -> QuerySet[PastSeason]:
    """Return the past seasons in the viewer's lists, or in one space, without those that wait for their first look."""
    seen = open_to if space else listed_for
    rows = PastSeason.objects.exclude(looked_at=0).select_related("ladder", "event__ladder", "act")
    if not organises(viewer):  # who sees all of them
        rows = rows.filter(Q(event=None) | seen(viewer, "event__ladder__space"))
        rows = rows.filter(Q(ladder=None) | seen(viewer, "ladder__space"))
    return rows.filter(Q(event__ladder__space=space) | Q(ladder__space=space)) if space else rows


def with_winners(rows: Iterable[PastSeason]) -> list[Archived]:
    """Return each past season with the bots that won it, by their names of today."""
    found = list(rows)
    bots = Bot.objects.select_related("owner").in_bulk({bot for past in found for bot in past.winners})
    return [_archived(past, [bots[bot] for bot in past.winners if bot in bots]) for past in found]


def _archived(past: PastSeason, winners: list[Bot]) -> Archived:
    if past.event:
        return Archived(past, past.event, past.event.ladder, winners)
    assert past.ladder is not None
    return Archived(past, past.ladder, past.ladder, winners)
