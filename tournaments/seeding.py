"""How strong a version is at the start of an event, by the ratings of its ladder."""

from collections.abc import Sequence

from tournaments.models import Rating, Version
from tournaments.standings import rating_of

UNKNOWN = 350.0  # the standard deviation of who has not played


def seed_of(version: Version, ratings: Sequence[Rating]) -> tuple[float, float]:
    """Its Elo and the standard deviation of that, from the ratings of its bot's versions."""
    rating = rating_of(version, list(ratings))
    return rating.elo_classic if rating.elo is None else rating.elo, UNKNOWN if rating.sd is None else rating.sd
