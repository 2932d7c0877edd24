"""The floors under ratings of who won, kept from fit to fit with what was shown: a restart changes nothing."""

from collections.abc import Collection

from django.db.models import F

from tournaments.models import Ladder, Rating
from tournaments.ratings.floors import Shown


def floors_since(ladder: Ladder, versions: Collection[int]) -> dict[int, float]:
    """Return the floors that the next fit puts under these versions."""
    ratings = Rating.objects.filter(ladder=ladder, fitted__isnull=False).values_list(
        "version", "fitted", "floor", "fitted_games", "fitted_wins", "games", "wins"
    )
    found = {
        version: Shown(max(fitted, floor or fitted), floor, *counted).floor_after(games, wins)
        for version, fitted, floor, *counted, games, wins in ratings
        if version in versions
    }
    return {version: floor for version, floor in found.items() if floor is not None}


def floor_of(rating: Rating) -> float | None:
    """Return the floor under a rating that sets have moved since the last fit."""
    if rating.fitted is None:
        return None
    shown = Shown(
        max(rating.fitted, rating.floor or rating.fitted), rating.floor, rating.fitted_games, rating.fitted_wins
    )
    return shown.floor_after(rating.games, rating.wins)


def floors_of(ladder: Ladder) -> dict[int, float]:
    """Return the floors under ratings as they are published, by version: none where there are new sets."""
    here = Rating.objects.filter(ladder=ladder, floor__isnull=False, games=F("fitted_games"))
    return dict(here.values_list("version", "floor"))
