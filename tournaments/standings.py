"""The table people look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import hypot
from statistics import NormalDist
from typing import Any

from django.db.models import QuerySet

from tournaments.elo import START
from tournaments.exclusions import excluded
from tournaments.models import Entry, Fit, Ladder, Rating, Version
from tournaments.ratings.fitting import LINK_SD, PRIOR_SD
from tournaments.ratings.fitting import START as ZERO
from tournaments.ratings.table import CI95, WIDE

GONE = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)
FIXED = (Ladder.Status.FROZEN, Ladder.Status.CLOSED)  # nobody comes, goes, or changes versions


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ladder: an entered bot with the version that plays for it, best first.

    `elo` holds all sets that have come in; `fitted` is the number of the last exact fit, from which the next begins
    anew. The ranks from `rank_lo` to `rank_hi` hold the true one with 95 %.
    """

    rank: int
    rank_lo: int
    rank_hi: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int  # its number
    elo: float
    ci95: float
    fitted: float | None
    elo_classic: float
    delta: float  # of the classic Elo, by its last set
    los_next: float | None  # how likely it is better than the next line
    provisional: bool
    comparable: bool
    matches_to_decide: int | None
    sets: int
    games: int
    win_pct: float
    place_mean: float
    crash_pct: float
    status: str  # of the entry


@dataclass(frozen=True, slots=True)
class Line:
    entry: Entry
    version: Version
    rating: Rating
    fitted: Mapping[str, Any]  # its row of the last fit

    @property
    def elo(self) -> float:
        return self.rating.elo if self.rating.elo is not None else ZERO

    @property
    def sd(self) -> float:
        return self.rating.sd if self.rating.sd is not None else PRIOR_SD


def standings(ladder: Ladder) -> list[Standing]:
    """Every entered bot that has a version to play with, in a handful of queries whatever their number."""
    entries = Entry.objects.filter(ladder=ladder).exclude(status__in=GONE).select_related("bot__owner")
    active = {version.bot_id: version for version in active_versions(ladder)}
    known, fit = ratings_by_bot(ladder), Fit.objects.filter(ladder=ladder).first()
    zero, fitted = (fit.zero, {row["version"]: row for row in fit.rows}) if fit else (ZERO, {})
    lines = [
        Line(entry, version, rating_of(version, known.get(entry.bot_id, []), zero), fitted.get(version.pk, {}))
        for entry in entries
        if (version := active.get(entry.bot_id))
    ]
    lines.sort(key=lambda line: (-line.elo, line.sd, line.version.pk))
    ranks: dict[float, int] = {}  # equal ratings share theirs
    for rank, line in enumerate(lines, 1):
        ranks.setdefault(round(line.elo, 1), rank)
    beside = zip_longest(lines, lines[1:])
    return [_standing(ranks[round(line.elo, 1)], line, after) for line, after in beside if line]


def active_versions(ladder: Ladder) -> list[Version]:
    """Of every bot that has ever entered the ladder: what plays for it there, unless that is disqualified."""
    out = excluded(ladder)
    return [version for version in fielded(ladder) if version.pk not in out]


def fielded(ladder: Ladder) -> QuerySet[Version]:
    """What plays for each bot, disqualified or not: its active version; once the field is fixed, the pinned one."""
    if ladder.status in FIXED:
        return Version.objects.filter(pk__in=ladder.entries.exclude(pinned=None).values("pinned"))
    return Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder)


def ratings_by_bot(ladder: Ladder) -> dict[int, list[Rating]]:
    """The ratings of every version in the ladder, by bot."""
    ratings: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(ladder=ladder).select_related("version"):
        ratings.setdefault(rating.version.bot_id, []).append(rating)
    return ratings


def rating_of(version: Version, ratings: list[Rating], zero: float = ZERO) -> Rating:
    """The version's rating; before its first set its forerunner's numbers, less sure, with nothing played."""
    forerunners = [rating for rating in ratings if rating.version.number <= version.number]
    if not forerunners:
        return Rating(version=version, milli_elo=START, elo=zero, sd=PRIOR_SD)
    latest = max(forerunners, key=lambda rating: rating.version.number)
    if latest.version_id == version.pk:
        return latest
    sd = hypot(LINK_SD, PRIOR_SD if latest.sd is None else latest.sd)
    return Rating(version=version, milli_elo=latest.milli_elo, elo=latest.elo, sd=sd)


def _standing(rank: int, line: Line, after: Line | None) -> Standing:
    rating, entry, version = line.rating, line.entry, line.version
    games, ci95 = max(1, rating.games), CI95 * line.sd
    return Standing(
        rank=rank,
        rank_lo=min(rank, line.fitted.get("rank_lo", rank)),
        rank_hi=max(rank, line.fitted.get("rank_hi", rank)),
        bot_id=entry.bot_id,
        bot=entry.bot.name,
        owner=entry.bot.owner.username,
        version_id=version.pk,
        version=version.number,
        elo=round(line.elo, 1),
        ci95=round(ci95, 1),
        fitted=None if rating.fitted is None else round(rating.fitted, 1),
        elo_classic=round(rating.elo_classic, 1),
        delta=round(rating.delta / 1000, 1),
        los_next=None if after is None else _better(line, after),
        provisional=ci95 > WIDE,
        comparable=line.fitted.get("comparable", True),
        matches_to_decide=line.fitted.get("matches_to_decide"),
        sets=rating.sets,
        games=rating.games,
        win_pct=100 * rating.wins / games,
        place_mean=rating.places / games,
        crash_pct=100 * rating.forfeits / games,
        status=entry.status,
    )


def _better(one: Line, other: Line) -> float | None:
    """How likely the one is better than the other; nothing connects some."""
    if not (one.fitted.get("comparable", True) and other.fitted.get("comparable", True)):
        return None
    return round(1 - NormalDist(one.elo - other.elo, hypot(one.sd, other.sd)).cdf(0), 3)
