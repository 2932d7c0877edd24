"""What the dispatcher does: it keeps the headlines of matches whose set is over, and which of them stand out."""

import json
import time

from django.db import transaction

from bots.viewer.stories import kept_story
from engine.replay import ReplayError, read_replay
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.features.stories.highlights import highlights_of
from tournaments.models import Highlight, Match, MatchSet, Result
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


def _keep(number: int) -> None:
    """Keep what there is to say of a match, whatever its replay holds, so that the next ones get their turn."""
    if not apart("stories", f"match {number}", lambda: _tell(number), FAILING_ITEMS):
        Result.objects.filter(match=number).update(story="")


@transaction.atomic
def _tell(number: int) -> bool:
    """Keep its headline and highlights; return whether this release can play it, and does not say too much of it."""
    match = Match.objects.select_related("set", "result").get(pk=number)
    try:
        kept = kept_story(read_replay(bytes(match.result.replay)))
    except ReplayError:
        return False
    if len(json.dumps(kept.headline)) > LONGEST:
        return False
    Highlight.objects.bulk_create(highlights_of(match, kept), ignore_conflicts=True)
    Result.objects.filter(match=number).update(story=kept.headline)
    return True
