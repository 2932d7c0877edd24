"""What lists and feeds say of a match in a line."""

from bots.viewer.commentary import name_seats
from bots.viewer.stories import kept_headline, retold
from engine.replay import ReplayError, read_replay
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.models import Match
from workers.isolation import apart


def headline_of(match: Match) -> str:
    """Return the headline of a match that has a result, with the names its bots have now; "" while it has none."""
    return _with_names(match, match.result.story)


def headline_at_once(match: Match) -> str:
    """Return the headline of a match that was just recorded, with plain spaces, as nobody has kept it yet; "" where
    there is none."""
    kept = apart("headline", f"match {match.pk}", lambda: _make(match), FAILING_ITEMS)
    return " ".join(_with_names(match, kept).split())


def _make(match: Match) -> object:
    try:
        return kept_headline(read_replay(bytes(match.result.replay)))
    except ReplayError:
        return ""


def _with_names(match: Match, story: object) -> str:
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    return retold(story, name_seats([(seat.version.bot.name, seat.version.number) for seat in seats]))
