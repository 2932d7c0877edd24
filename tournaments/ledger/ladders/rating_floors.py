"""The floors under ratings of who won, kept from fit to fit with what was shown: a restart changes nothing."""

from collections.abc import Collection

from django.db.models import F

from tournaments.models import Ladder, Rating
from tournaments.ratings.floors import Shown

COLUMNS = ("fitted", "floor", "fitted_games", "fitted_wins", "games", "wins")


def floors_since(ladder: Ladder, versions: Collection[int]) -> dict[int, float]:
    """Return the floors that the next fit puts under these versions."""
    ratings = Rating.objects.filter(ladder=ladder, fitted__isnull=False).values_list("version", *COLUMNS)
    found = {version: _floor(*numbers) for version, *numbers in ratings if version in versions}
    return {version: floor for version, floor in found.items() if floor is not None}


def floor_of(rating: Rating) -> float | None:
    """Return the floor under a rating that sets have moved since the last fit."""
    return None if rating.fitted is None else _floor(*(getattr(rating, name) for name in COLUMNS))


def _floor(
    fitted: float, floor: float | None, fitted_games: int, fitted_wins: float, games: int, wins: float
) -> float | None:
    shown = fitted if floor is None else max(fitted, floor)
    return Shown(shown, floor, fitted_games, fitted_wins).floor_after(games, wins)


def floors_of(ladder: Ladder) -> dict[int, float]:
    """Return the floors under ratings as they are published, by version: none where there are new sets."""
    here = Rating.objects.filter(ladder=ladder, floor__isnull=False, games=F("fitted_games"))
    return {version: floor for version, floor in here.values_list("version", "floor") if floor is not None}
