"""Bots that have left a ladder: listed in its table without a rank, with the current rating of their games. Leaving
does not preserve a rank. A bot that comes back continues with that rating and those games.
"""

from dataclasses import dataclass

from tournaments.ledger.ladders.disqualified import excluded
from tournaments.models import Entry, Ladder, Rating, Version
from tournaments.ratings.intervals import elo_interval

COLUMNS = ("version__bot", "version__bot__name", "version__bot__owner__username", "version", "version__number")


@dataclass(frozen=True, slots=True)
class Left:
    """A bot that left, with the version that would play for it, or else the last that did."""

    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int  # its number
    elo: float
    ci95: float
    sets: int
    games: int


def left_in(ladder: Ladder) -> list[Left]:
    """Return the bots that left, best first, except those that never finished a set there. Two queries."""
    gone = Entry.objects.filter(ladder=ladder, status=Entry.Status.WITHDRAWN).values("bot")
    rated = Rating.objects.filter(ladder=ladder, version__bot__in=gone, sets__gt=0, elo__isnull=False)
    lines: dict[int, tuple[bool, Left]] = {}
    rows = rated.exclude(version__in=excluded(ladder)).order_by("version__bot", "version__number")
    for row in rows.values_list(*COLUMNS, "elo", "sd", "sets", "games", "version__status"):
        (bot, name, owner, version, number, elo, sd, sets, games, status) = row
        ci95 = elo_interval(sd or ladder.prior_sd)
        line = Left(bot, name, owner, version, number, round(elo, 1), round(ci95, 1), sets, games)
        active = status == Version.Status.ACTIVE
        if active or not lines.get(line.bot_id, (False, line))[0]:
            lines[line.bot_id] = active, line
    return sorted((line for _, line in lines.values()), key=lambda line: (-line.elo, line.version_id))
