"""Ratings without the luck of the dice, as the standings show them beside the official ones: a shadow, as it is called.

`features.luck.luck_adjusted_ratings` fits them.
"""

from dataclasses import dataclass

from django.db.models import F

from tournaments.models import Ladder, ShadowFit


def shadow_of(ladder: Ladder) -> ShadowFit | None:
    """Return the last shadow by the value that the ladder names."""
    return ShadowFit.objects.filter(ladder=ladder, hash=F("ladder__luck__hash")).select_related("ladder__luck").first()


@dataclass(frozen=True, slots=True)
class Shadow:
    """The rating of one version without luck."""

    version_id: int
    elo: float
    ci95: float


def shadow_lines(shadow: ShadowFit | None) -> dict[int, Shadow]:
    """Return the lines of a shadow by version."""
    rows = shadow.rows if shadow else {}
    return {int(version): Shadow(int(version), elo, ci95) for version, (elo, ci95) in rows.items()}
