"""Whether the same bots play the same games again: then one game counts many times, and errors are too small."""

from collections import defaultdict

from tournaments.ledger.ladders.rating_ledger import sets_in_order
from tournaments.models import Ladder, MatchSet, Trial
from tournaments.ratings.ledger import RatedSet

LATEST = 100  # sets that are looked at
FEWEST = 6  # of a line-up
VALUES = 3  # scores that a game has at least if equal ones are to mean equal games


def repeats_in(ladder: Ladder) -> int:
    """Return of how many line-ups less than half of the sets had a result of their own, by the latest sets."""
    latest = ladder.sets.filter(rated=True).order_by("-number").values_list("pk", flat=True)[:LATEST]
    return repeating_line_ups(list(sets_in_order(ladder.sets.filter(pk__in=list(latest)))))


def repeats_in_trial(trial: Trial) -> bool:
    """Return whether less than half of the sets of a line-up had a result of their own, by its latest sets."""
    complete = trial.sets.filter(status=MatchSet.Status.COMPLETE).exclude(matches__seats__place=None)
    latest = complete.order_by("-pk").values_list("pk", flat=True)[:LATEST]
    return repeating_line_ups(list(sets_in_order(trial.sets.filter(pk__in=list(latest)), "match__set"))) > 0


def repeating_line_ups(sets: list[RatedSet]) -> int:
    by_line_up: defaultdict[tuple[int, ...], list[tuple[tuple[object, ...], ...]]] = defaultdict(list)
    for rated_set in sets:
        games = tuple((tuple(game.versions), tuple(game.places), tuple(game.scores)) for game in rated_set.games)
        by_line_up[tuple(sorted(rated_set.games[0].versions))].append(tuple(sorted(games)))
    scores = {score for rated_set in sets for game in rated_set.games for score in game.scores}
    if len(scores) <= VALUES:
        return 0
    return sum(len(found) >= FEWEST and 2 * len(set(found)) < len(found) for found in by_line_up.values())
