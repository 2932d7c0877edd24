"""The standings of a ladder."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from statistics import NormalDist

from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.fielded import fielded
from tournaments.ledger.ladders.fitted_rows import UNKNOWN, FittedRow, fitted_rows
from tournaments.ledger.ladders.leagues import Strength, league_of, playing_characters
from tournaments.ledger.ladders.places import range_text
from tournaments.ledger.ladders.standings_lines import StandingsLine, lines_of_standings
from tournaments.ledger.ladders.standings_order import BOT, VERSION, Order
from tournaments.ledger.ladders.unranked import Unranked, unranked
from tournaments.models import Fit, Ladder, Rating, Version
from tournaments.ratings.elo import START
from tournaments.ratings.intervals import elo_interval, provisional
from tournaments.ratings.scale import LINK_SD
from tournaments.ratings.scale import START as ZERO

RANKED = Unranked()


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
    colours: str
    house: str  # the rung or sample that it is, of the site's own bots
    league: str
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

    @property
    def place(self) -> str:
        """Return the range that holds its rank with 95 %, from its first set on; nothing for who has no place."""
        return range_text(self.rank_lo, self.rank_hi) if self.sets and not (self.to_rank or self.plays_as) else ""


class StandingsTable:
    """Every entered bot that has a version to play with, best first. A line is read when it is asked for: seven
    queries for all of them or any few, one more where a version has not played yet, and one where the game has
    characters."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder, self.out = ladder, excluded(ladder)
        self.fit = Fit.objects.defer("rows", "named", "transitivity", "final").filter(ladder=ladder).first()
        self.zero = self.fit.zero if self.fit else ZERO
        self.order = Order(ladder, self.out, self.zero)
        self.without = unranked(ladder)
        away = enumerate(self.order.rows) if self.without else ()
        self._no_rank = [position for position, row in away if row[BOT] in self.without]
        self.ranked = len(self.order) - len(self._no_rank)

    @cached_property
    def characters(self) -> list[Strength]:
        """Return the ratings of the characters that play here."""
        return playing_characters(self.ladder.game, [self.ladder.pk])[self.ladder.pk]

    @cached_property
    def lines(self) -> list[StandingsLine]:
        """Return all lines, best first."""
        return list(self.lines_at(range(len(self.order))).values())

    def lines_at(self, places: Collection[int]) -> dict[int, StandingsLine]:
        """Return lines by their places from 0, without a bot that has left since the order was read."""
        versions = {place: self.order.rows[place][VERSION] for place in places}
        chosen = list(versions.values()) if len(versions) < len(self.order) else None
        lines = lines_of_standings(self.ladder, self.out, self.zero, chosen)
        return {place: lines[version] for place, version in versions.items() if version in lines}

    def fitted(self, versions: Collection[int]) -> Mapping[int, FittedRow | None]:
        """Return the last fit's rows of these versions, and of others."""
        return fitted_rows(self.fit, versions)

    def place(self, position: int) -> int:
        """Return the place as people see it: those shown alike share it, and who has no rank takes none."""
        first = self.order.first_alike(position)
        return 1 + first - bisect_left(self._no_rank, first)

    def standings(self, places: Sequence[int]) -> list[Standing]:
        """Return the lines at these places."""
        after = [place + 1 for place in places if place + 1 < len(self.order)]
        fitted = self.fitted([self.order.rows[place][VERSION] for place in {*places, *after}])
        return [self._standing(position, line, fitted) for position, line in self.lines_at(places).items()]

    def _standing(self, position: int, line: StandingsLine, fitted: Mapping[int, FittedRow | None]) -> Standing:
        place, rating, without = self.place(position), line.rating, self.without.get(line.bot_id)
        row = fitted.get(line.version_id) or UNKNOWN
        games, ci95, unsure = max(1, rating.games), elo_interval(line.sd), provisional(elo_interval(line.lead_sd))
        return Standing(
            rank=place if rating.sets and not unsure and not without else None,
            rank_lo=min(place, row.rank_lo or 1),  # anywhere, until the next fit says more
            rank_hi=max(place, row.rank_hi or self.ranked),
            all_lo=min(place, row.all_lo or 1),
            all_hi=max(place, row.all_hi or self.ranked),
            bot_id=line.bot_id,
            bot=line.bot,
            colours=line.colours,
            house=line.house,
            league=""
            if line.house
            else league_of(Strength(line.elo, elo_interval(line.lead_sd)), rating.sets, self.characters),
            owner=line.owner,
            version_id=line.version_id,
            version=line.version,
            elo=round(line.elo, 1),
            ci95=round(ci95, 1),
            anchor=line.version_id == self.ladder.anchor_id,
            fitted=None if rating.fitted is None else round(rating.fitted, 1),
            elo_classic=round(rating.milli_elo / 1000, 1),
            delta=round(rating.delta / 1000, 1),
            los_next=self._better_than_next(position, fitted),
            provisional=unsure,
            comparable=row.comparable,
            matches_to_decide=row.matches_to_decide,
            sets=rating.sets,
            games=rating.games,
            win_pct=100 * rating.wins / games,
            place_mean=rating.places / games,
            crash_pct=100 * rating.forfeits / games,
            status=line.status,
            to_rank=(without or RANKED).to_rank,
            plays_as=(without or RANKED).plays_as,
        )

    def _better_than_next(self, position: int, fitted: Mapping[int, FittedRow | None]) -> float | None:
        """Return the probability that a line is better than the next; None if no games connect them."""
        if position + 1 == len(self.order):
            return None
        upper, lower = self.order[position], self.order[position + 1]
        if not all((fitted.get(spot.version_id) or UNKNOWN).comparable for spot in (upper, lower)):
            return None
        return round(1 - NormalDist(lower.minus_elo - upper.minus_elo, hypot(upper.lead_sd, lower.lead_sd)).cdf(0), 3)


def standings(ladder: Ladder) -> list[Standing]:
    """The whole table."""
    table = StandingsTable(ladder)
    return table.standings(range(len(table.order)))


def active_versions(ladder: Ladder) -> list[Version]:
    """The version that plays for each bot that has ever entered the ladder, without the disqualified."""
    out = excluded(ladder)
    return [version for version in fielded(ladder) if version.pk not in out]


def ratings_by_bot(ladder: Ladder) -> dict[int, list[Rating]]:
    """The ratings of every version in the ladder, by bot."""
    ratings: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(ladder=ladder).select_related("version"):
        ratings.setdefault(rating.version.bot_id, []).append(rating)
    return ratings


def rating_of(version: Version, ratings: list[Rating], zero: float, prior_sd: float) -> Rating:
    """Return the version's rating; before its first set the forerunner's, with larger errors and no games."""
    forerunners = [rating for rating in ratings if rating.version.number <= version.number]
    if not forerunners:
        return Rating(version=version, milli_elo=START, elo=zero, sd=prior_sd, chance_sd=prior_sd)
    latest = max(forerunners, key=lambda rating: rating.version.number)
    if latest.version_id == version.pk:
        return latest
    sd, chance_sd = (
        hypot(LINK_SD, prior_sd if error is None else error) for error in (latest.sd, latest.chance_sd or latest.sd)
    )
    return Rating(version=version, milli_elo=latest.milli_elo, elo=latest.elo, sd=sd, chance_sd=chance_sd)
