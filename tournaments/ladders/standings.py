"""The standings of a ladder."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from statistics import NormalDist
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.competitors.entry_states import GONE
from tournaments.ladders.disqualified import excluded
from tournaments.ladders.unranked import Unranked, unranked
from tournaments.models import Entry, Fit, Ladder, Rating, Version
from tournaments.ratings.elo import START
from tournaments.ratings.scale import LINK_SD
from tournaments.ratings.scale import START as ZERO
from tournaments.ratings.table import CI95, provisional, shared_places

RANKED = Unranked()
FIXED = (Ladder.Status.FROZEN, Ladder.Status.CLOSED)  # nobody comes, goes, or changes versions


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ladder: an entered bot with the version that plays for it, best first.

    `elo` holds all sets that have come in; `fitted` is the number of the last exact fit, from which the next begins
    anew. A provisional one has no rank, nor a double; who was away has none until it has played `to_rank` more sets.
    `rank_lo` to `rank_hi` hold its true rank with 95 %; from `all_lo` to `all_hi` of all lines lie all true ranks
    together with 95 %.
    """

    rank: int | None
    rank_lo: int
    rank_hi: int
    all_lo: int
    all_hi: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int  # its number
    elo: float
    ci95: float  # relative to the mean of those comparable
    anchor: bool  # `elo` is where it is held
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
    to_rank: int
    plays_as: str  # the bot of its side of which it is a double


class Numbers(NamedTuple):
    """Of a rating, by the names that it has there."""

    elo: float | None
    sd: float | None
    fitted: float | None
    milli_elo: int
    delta: int
    sets: int = 0
    games: int = 0
    wins: float = 0.0
    places: int = 0
    forfeits: int = 0


class StandingsLine(NamedTuple):
    """Of a table. Plain, because there may be ten thousand: a model for each takes ten times as long."""

    elo: float
    sd: float
    version_id: int
    version: int
    need: str
    bot_id: int
    bot: str
    owner: str
    status: str
    rating: Numbers


class StandingsTable:
    """Every entered bot that has a version to play with, best first. Seven queries for any number of bots."""

    def __init__(self, ladder: Ladder) -> None:
        self.fit = Fit.objects.filter(ladder=ladder).first()
        self.lines = sorted(lines_of(ladder, self.fit.zero if self.fit else ZERO), key=_order)
        self.anchor, self.without = ladder.anchor_id, unranked(ladder)
        self.places = shared_places((line.elo, line.bot_id not in self.without) for line in self.lines)

    @cached_property
    def fitted(self) -> Mapping[int, Mapping[str, Any]]:
        """The rows of the last fit by version."""
        return {row["version"]: row for row in self.fit.rows} if self.fit else {}

    def standing(self, place: int) -> Standing:
        line, fitted = self.lines[place], self.fitted.get(self.lines[place].version_id, {})
        here, rating, without = self.places[place], line.rating, self.without.get(line.bot_id)
        games, ci95 = max(1, rating.games), CI95 * line.sd
        return Standing(
            rank=None if provisional(ci95) or without else here,
            rank_lo=min(here, fitted.get("rank_lo", here)),
            rank_hi=max(here, fitted.get("rank_hi", here)),
            all_lo=min(here, fitted.get("all_lo", here)),
            all_hi=max(here, fitted.get("all_hi", here)),
            bot_id=line.bot_id,
            bot=line.bot,
            owner=line.owner,
            version_id=line.version_id,
            version=line.version,
            elo=round(line.elo, 1),
            ci95=round(ci95, 1),
            anchor=line.version_id == self.anchor,
            fitted=None if rating.fitted is None else round(rating.fitted, 1),
            elo_classic=round(rating.milli_elo / 1000, 1),
            delta=round(rating.delta / 1000, 1),
            los_next=self._better_than_next(place),
            provisional=provisional(ci95),
            comparable=fitted.get("comparable", True),
            matches_to_decide=fitted.get("matches_to_decide"),
            sets=rating.sets,
            games=rating.games,
            win_pct=100 * rating.wins / games,
            place_mean=rating.places / games,
            crash_pct=100 * rating.forfeits / games,
            status=line.status,
            to_rank=(without or RANKED).to_rank,
            plays_as=(without or RANKED).plays_as,
        )

    def _better_than_next(self, place: int) -> float | None:
        """The probability that one is better than the other; None if no games connect them."""
        if place + 1 == len(self.lines):
            return None
        one, other = self.lines[place : place + 2]
        if not all(self.fitted.get(line.version_id, {}).get("comparable", True) for line in (one, other)):
            return None
        return round(1 - NormalDist(one.elo - other.elo, hypot(one.sd, other.sd)).cdf(0), 3)


def standings(ladder: Ladder) -> list[Standing]:
    """The whole table."""
    table = StandingsTable(ladder)
    return [table.standing(place) for place in range(len(table.lines))]


def _order(line: StandingsLine) -> tuple[float, float, int]:
    return -line.elo, line.sd, line.version_id


def lines_of(ladder: Ladder, zero: float) -> Iterator[StandingsLine]:
    """In no order."""
    out, known = excluded(ladder), numbers_by_bot(ladder)
    versions = fielded(ladder).values_list("bot", "pk", "number", "need")
    plays = {bot: (pk, number, need) for bot, pk, number, need in versions if pk not in out}
    entries = Entry.objects.filter(ladder=ladder).exclude(status__in=GONE)
    for bot, name, owner, status in entries.values_list("bot", "bot__name", "bot__owner__username", "status"):
        if bot not in plays:
            continue
        version, number, need = plays[bot]
        rating = numbers_of(number, known.get(bot, {}), zero, ladder.prior_sd)
        elo, sd = (ZERO if rating.elo is None else rating.elo), (ladder.prior_sd if rating.sd is None else rating.sd)
        yield StandingsLine(elo, sd, version, number, need, bot, name, owner, status, rating)


def numbers_by_bot(ladder: Ladder) -> dict[int, dict[int, Numbers]]:
    """Of every version in the ladder, by bot and the version's number."""
    found: defaultdict[int, dict[int, Numbers]] = defaultdict(dict)
    rows = Rating.objects.filter(ladder=ladder).values_list("version__bot", "version__number", *Numbers._fields)
    for bot, number, *numbers in rows:
        found[bot][number] = Numbers(*numbers)
    return found


def numbers_of(number: int, known: Mapping[int, Numbers], zero: float, prior_sd: float) -> Numbers:
    """As `rating_of`, below."""
    latest = max((each for each in known if each <= number), default=None)
    if latest is None:
        return Numbers(zero, prior_sd, None, START, 0)
    rating = known[latest]
    if latest == number:
        return rating
    sd = hypot(LINK_SD, prior_sd if rating.sd is None else rating.sd)
    return Numbers(rating.elo, sd, None, rating.milli_elo, 0)


def active_versions(ladder: Ladder) -> list[Version]:
    """The version that plays for each bot that has ever entered the ladder, without the disqualified."""
    out = excluded(ladder)
    return [version for version in fielded(ladder) if version.pk not in out]


def fielded(ladder: Ladder) -> QuerySet[Version]:
    """The version that plays for each bot, disqualified or not: the active one; in a frozen ladder the pinned one."""
    if ladder.status in FIXED:
        return Version.objects.filter(pk__in=ladder.entries.exclude(pinned=None).values("pinned"))
    return Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__ladder=ladder)


def ratings_by_bot(ladder: Ladder) -> dict[int, list[Rating]]:
    """The ratings of every version in the ladder, by bot."""
    ratings: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(ladder=ladder).select_related("version"):
        ratings.setdefault(rating.version.bot_id, []).append(rating)
    return ratings


def rating_of(version: Version, ratings: list[Rating], zero: float, prior_sd: float) -> Rating:
    """The version's rating; before its first set the forerunner's numbers with larger errors and no games."""
    forerunners = [rating for rating in ratings if rating.version.number <= version.number]
    if not forerunners:
        return Rating(version=version, milli_elo=START, elo=zero, sd=prior_sd, chance_sd=prior_sd)
    latest = max(forerunners, key=lambda rating: rating.version.number)
    if latest.version_id == version.pk:
        return latest
    sd, chance_sd = (
        hypot(LINK_SD, prior_sd if known is None else known) for known in (latest.sd, latest.chance_sd or latest.sd)
    )
    return Rating(version=version, milli_elo=latest.milli_elo, elo=latest.elo, sd=sd, chance_sd=chance_sd)
