"""The promised wait, as pages show it."""

from django.db.models import Max, Sum

from tournaments.models import Entry, Ladder


def promises_in(ladder: Ladder) -> dict[str, object]:
    """The time by which every bot of the ladder plays again, and how many such promises were broken."""
    playing = ladder.entries.filter(status=Entry.Status.PLAYING)
    return {**playing.aggregate(latest=Max("next_by")), **ladder.entries.aggregate(broken=Sum("broken", default=0))}
