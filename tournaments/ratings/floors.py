"""Who won every game of its latest set is shown at no less than before it, until its next one.

In a fit, what others did to each other can lower a winner. This rule is of what is shown alone: the fit and its errors
know nothing of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Version

EXACT = 1e-6  # shared wins are fractions, whose sums are not exact


@dataclass(frozen=True, slots=True)
class Shown:
    """What the last fit made of a version: the rating that it was shown at, and the floor under it; after how many
    games, of which it had won so many."""

    elo: float
    floor: float | None
    games: int
    wins: float

    def floor_after(self, games: int, wins: float) -> float | None:
        """Return the floor after so many games: what it had if there are no new ones."""
        if games == self.games:
            return self.floor
        won_all = games > self.games and abs(games - self.games - (wins - self.wins)) < EXACT
        return self.elo if won_all else None


def with_floors(fit: Fit, floors: Mapping[int, float]) -> Fit:
    """Return the ratings as they are shown."""
    return replace(fit, elo={**fit.elo, **{key: max(fit.elo[key], floor) for key, floor in floors.items()}})


def floors_in(versions: Mapping[int, Version]) -> dict[int, float]:
    """Return the floors that a ledger has."""
    return {key: version.floor for key, version in versions.items() if version.floor is not None}
