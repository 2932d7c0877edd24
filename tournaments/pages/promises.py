"""The promised wait, as pages show it."""

from collections.abc import Iterable

from django.db.models import Max, Sum

from tournaments.models import Entry, Ladder
from tournaments.promises import why_nothing


def promised(entries: Iterable[Entry]) -> list[Entry]:
    """Each with `no_promise`: why nothing is promised to it, if nothing is."""
    found = list(entries)
    for entry in found:
        entry.no_promise = why_nothing(entry)  # type: ignore[attr-defined]
    return found


def promises_in(ladder: Ladder) -> dict[str, object]:
    """The time by which all that play there have played again, and how many promises have been broken there."""
    playing = ladder.entries.filter(status=Entry.Status.PLAYING)
    return {**playing.aggregate(latest=Max("next_by")), **ladder.entries.aggregate(broken=Sum("broken", default=0))}
