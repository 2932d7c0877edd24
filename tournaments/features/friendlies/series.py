"""Friendly sets of one table taken together: a bot's score against the others, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch

from tournaments.core.accounts.visibility import seen_by
from tournaments.models import Bot, Ladder, Match, MatchSet, Seat, User, Version

LATEST = 200  # sets that are looked at
Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class FriendlySet:
    """A set. `share` is the mean of the bot against each other at the table: 1 ahead, 0.5 level, 0 behind; None while
    it is open, or if it counts for nothing."""

    set: MatchSet
    matches: list[Match]
    share: float | None


@dataclass(frozen=True, slots=True)
class Series:
    """Sets that the same person asked for, of the same versions under the same ladder; the newest first."""

    ladder: Ladder
    asked_by: User
    version: Version
    others: list[Version]
    sets: list[FriendlySet]

    @property
    def shares(self) -> list[float]:
        return [played.share for played in self.sets if played.share is not None]

    @property
    def score(self) -> float | None:
        """The percentage of the points."""
        return 100 * fmean(self.shares) if self.shares else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval by the spread of the sets; needs two sets."""
        if len(self.shares) < 2:
            return None
        reach = Z * stdev(self.shares) / len(self.shares) ** 0.5
        middle = fmean(self.shares)
        return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)


def series_of(bot: Bot, viewer: User | AnonymousUser) -> list[Series]:
    """A constant number of queries."""
    seats = Prefetch("seats", Seat.objects.select_related("version__bot").order_by("number"))
    matches = Prefetch("matches", Match.objects.prefetch_related(seats).order_by("turn"))
    sets = MatchSet.objects.filter(seen_by(viewer, ""), asked_by__isnull=False, matches__seats__version__bot=bot)
    latest = sets.select_related("ladder", "asked_by").prefetch_related(matches).distinct().order_by("-pk")[:LATEST]
    found: dict[tuple[int | None, int | None, frozenset[int]], Series] = {}
    for each in latest:
        played = list(each.matches.all())
        versions = {seat.version_id: seat.version for seat in played[0].seats.all()}
        mine = next(version for version in versions.values() if version.bot_id == bot.pk)
        key = each.ladder_id, each.asked_by_id, frozenset(versions)
        if key not in found:
            assert each.ladder
            assert each.asked_by
            others = [version for version in versions.values() if version != mine]
            found[key] = Series(each.ladder, each.asked_by, mine, others, [])
        found[key].sets.append(
            FriendlySet(each, played, series_share(played, mine) if each.status == "complete" else None)
        )
    return list(found.values())


def series_share(matches: Sequence[Match], mine: Version) -> float:
    return fmean(_against(list(match.seats.all()), mine) for match in matches)


def _against(seats: Sequence[Seat], mine: Version) -> float:
    own = next(seat.place or 0 for seat in seats if seat.version_id == mine.pk)
    others = [seat.place or 0 for seat in seats if seat.version_id != mine.pk]
    return fmean(0.5 + (own < other) / 2 - (own > other) / 2 for other in others)
