"""Performance ratings: what the sets of one stage alone say of strength, by the fit of `tournaments.ratings`."""

from functools import lru_cache

from bots.formats.model import SetResult
from tournaments.ratings.fit import fit_ratings
from tournaments.ratings.ledger import Game, RatedSet
from tournaments.ratings.pairs import Pairs


@lru_cache(maxsize=16)  # the table is read more than once while nothing changes
def performance_ratings(results: tuple[SetResult, ...]) -> dict[int, int]:
    """Return performance ratings in whole thousandths of an Elo, so that equal is equal."""
    rated = [RatedSet(number, _games(result)) for number, result in enumerate(results)]
    return {entrant: round(1000 * elo) for entrant, elo in fit_ratings(Pairs(rated)).elo.items()}


def _games(result: SetResult) -> list[Game]:
    return [Game(result.entrants, places, (False,) * len(places)) for places in result.games]
