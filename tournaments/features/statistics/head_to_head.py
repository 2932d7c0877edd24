"""Head-to-head results: in all matches with both at the table, who was placed ahead.

The interval is Wilson's, with the number of games divided by the ladder's dispersion: rotating the seats removes luck
of the deal, so a game in a set can count for more than a single game.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import sqrt

from django.db.models import Count, F, Max, Q

from tournaments.models import Fit, Ladder, Seat
from tournaments.ratings.intervals import CI95

SETS = 1000  # the latest ones of a ladder that count


@dataclass(frozen=True, slots=True)
class Meeting:
    """The share of `bot` in its games against `other`, 1 ahead and 1/2 level, with the 95 % interval low to high."""

    bot: int
    other: int
    games: int
    share: float
    low: float
    high: float


def meetings(
    ladder: Ladder, bots: Collection[int], others: Collection[int] | None = None
) -> dict[tuple[int, int], Meeting]:
    """Return meetings by (bot, other), of each pair that met in the latest rated sets; `others` defaults to `bots`."""
    fit = Fit.objects.filter(ladder=ladder).values_list("phi", flat=True).first()
    return {(meeting.bot, meeting.other): meeting for meeting in _meetings(ladder, bots, others or bots, fit or 1.0)}


def _meetings(ladder: Ladder, bots: Collection[int], others: Collection[int], phi: float) -> Iterator[Meeting]:
    last = ladder.sets.filter(rated=True).aggregate(last=Max("number"))["last"] or 0
    seats = Seat.objects.filter(
        match__set__ladder=ladder,
        match__set__rated=True,
        match__set__number__gt=last - SETS,
        version__bot__in=bots,
        match__seats__version__bot__in=others,
    )
    pairs = seats.values_list("version__bot", "match__seats__version__bot").annotate(
        games=Count("pk"),
        ahead=Count("pk", filter=Q(place__lt=F("match__seats__place"))),
        level=Count("pk", filter=Q(place=F("match__seats__place"))),
    )
    for bot, other, games, ahead, level in pairs:
        if bot != other:
            share = (ahead + level / 2) / games
            yield Meeting(bot, other, games, share, *wilson_interval(share, games / phi if phi > 0 else games))


def wilson_interval(share: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of the true share."""
    z2 = CI95**2 / games
    middle, reach = share + z2 / 2, CI95 * sqrt(share * (1 - share) / games + z2 / games / 4)
    return max(0.0, (middle - reach) / (1 + z2)), min(1.0, (middle + reach) / (1 + z2))
