"""What lists and feeds say of a match in a line."""

from bots.viewer.commentary import tell_apart
from bots.viewer.stories import retold
from tournaments.models import Match


def headline_of(match: Match) -> str:
    """Return the headline of a match that has a result, with the names its bots have now; "" while it has none."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    return retold(match.result.story, tell_apart(seat.version.bot.name for seat in seats))
