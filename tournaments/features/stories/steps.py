"""What the dispatcher does: it keeps the headlines of matches whose set is over."""

import json
import time

from bots.viewer.stories import kept_headline
from engine.replay import ReplayError, read_replay
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.models import MatchSet, Result
from workers.isolation import apart

BATCH = 10  # matches of a turn, at most
SECONDS = 0.02  # of a turn, after which no other match begins: dealing must not wait, and lists do without a headline
LONGEST = 8 << 10  # bytes of a headline's data
PENDING = "SELECT FROM tournaments_result WHERE story IS NULL"


def keep_headlines() -> int:
    """Keep the headlines of the newest matches that have none yet. Return of how many."""
    untold = Result.objects.filter(story__isnull=True).exclude(match__set__status=MatchSet.Status.OPEN)
    matches = list(untold.order_by("-match").values_list("match", flat=True)[:BATCH])
    end = time.monotonic() + SECONDS
    for kept, match in enumerate(matches, 1):
        _keep(match)
        if time.monotonic() > end:
            return kept
    return len(matches)


def _keep(match: int) -> None:
    """Keep what there is to say of a match, whatever its replay holds, so that the next ones get their turn."""
    story = apart("stories", f"match {match}", lambda: _headline_of(match), FAILING_ITEMS)
    Result.objects.filter(match=match).update(story=story or "")


def _headline_of(match: int) -> object:
    """Return the headline as data; "" where this release cannot play the match, or says too much of it."""
    replay = bytes(Result.objects.values_list("replay", flat=True).get(match=match))
    try:
        headline = kept_headline(read_replay(replay))
    except ReplayError:
        return ""
    return headline if len(json.dumps(headline)) <= LONGEST else ""
