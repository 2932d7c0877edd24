"""The published table, as a pure function of the ledger: the same lines to the last digit wherever it is computed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot, sqrt
from statistics import NormalDist

from tournaments.ratings.elo import Tally, fold
from tournaments.ratings.fit import Fit
from tournaments.ratings.floors import floors_in, with_floors
from tournaments.ratings.intervals import elo_interval, provisional
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import FRESH, Parted, part
from tournaments.ratings.ranks import EACH, ranges_of, tukey
from tournaments.ratings.transitivity import Transitivity, transitivity

SURE = NormalDist().inv_cdf(0.95)
LONG = 1_000_000  # matches: too many to wait for


@dataclass(frozen=True, slots=True)
class Row:
    """One version's line, in order of rating. `rank_lo` to `rank_hi` hold its rank with 95 %; the ranges `all_lo` to
    `all_hi` of the whole table hold all ranks together with 95 %."""

    version: int
    bot: str
    number: int  # the version's, of its bot
    rank: int | None  # its place among those that may have one; None while it is provisional
    rank_lo: int
    rank_hi: int
    all_lo: int
    all_hi: int
    elo: float
    ci95: float  # elo - ci95 to elo + ci95 holds the truth in 95 of 100, relative to the mean of those comparable
    anchor: bool  # `elo` is what it is held at, alone or in the mean with others
    los_next: float | None  # the probability of being better than the next line; None where nothing connects the two
    provisional: bool  # ci95 is more than 100, without the prior's pull
    comparable: bool  # connected, through opponents of opponents, with the largest group of the ladder
    matches_to_decide: (
        int | None
    )  # more for it and its neighbours until the rank is 95 % sure; None: more than a million
    sets: int
    games: int
    win_pct: float
    place_mean: float | None
    crash_pct: float
    elo_classic: float  # by Elo's update after every set, in the order of their numbers
    delta: float  # of elo_classic, by its last set


@dataclass(frozen=True, slots=True)
class Table:
    ladder: str
    game: str
    sets: int
    phi: float  # the luck that is left in a set: 1 is as in independent games
    clash: float  # Elo by which pairs stray from the ratings, beyond luck
    prior_sd: int
    rules: int  # of the fit
    rows: Sequence[Row]
    transitivity: Transitivity  # of the versions in the rows


def table_of(ledger: Ledger) -> Table:
    """Return all that is public of a ladder's ratings, from its ledger alone."""
    ratings = with_floors(fit_of(ledger), floors_in(ledger.versions))
    tallies = dict[int, Tally]()
    in_order = (rated_set.games for rated_set in sorted(ledger.sets, key=lambda rated_set: rated_set.number))
    for _ in fold(in_order, tallies, lineages(ledger.versions)):
        pass
    rows = table_rows(ratings, tallies, ledger.versions)
    phi, clash = round(ratings.phi, 3), round(ratings.clash, 1)
    circles = transitivity(ratings.strays, [row.version for row in rows])
    return Table(ledger.ladder, ledger.game, len(ledger.sets), phi, clash, ledger.prior_sd, ledger.rules, rows, circles)


def fit_of(ledger: Ledger) -> Fit:
    pairs = Pairs(ledger.sets, margin=ledger.margin, scale=ledger.scale)
    since = parted(pairs, ledger.versions, ledger.fresh)
    return since.fit(anchors(ledger.versions), prior_sd=ledger.prior_sd, rules=ledger.rules)


def parted(pairs: Pairs, versions: Mapping[int, Version], fresh: int | None = FRESH) -> Parted:
    """Return the sums with the former player of each version that plays again; one held at an Elo is none."""
    return part(pairs, forerunners(versions), playing(versions), fresh)


def playing(versions: Mapping[int, Version]) -> set[int]:
    return {key for key, version in versions.items() if version.listed and version.anchor is None}


def forerunners(versions: Mapping[int, Version]) -> dict[int, int | None]:
    return {key: version.forerunner for key, version in versions.items()}


def anchors(versions: Mapping[int, Version]) -> dict[int, float]:
    return {key: version.anchor for key, version in versions.items() if version.anchor is not None}


def lineages(versions: Mapping[int, Version]) -> dict[int, list[int]]:
    """Return, by version, those before it, the newest first."""
    return {key: list(_older(versions, key)) for key in versions}


def _older(versions: Mapping[int, Version], key: int) -> Iterator[int]:
    while (older := versions[key].forerunner) is not None:
        yield (key := older)


def table_rows(ratings: Fit, tallies: Mapping[int, Tally], versions: Mapping[int, Version]) -> list[Row]:
    """Return a line for every listed version, best first. `tallies`: what the classic fold counted."""
    places = places_by_version(ratings, versions)
    order, without = list(places), {key for key in places if not versions[key].ranked}
    together = ranges_of(ratings, order, tukey(len(order) - len(without)), without)
    separate = ranges_of(ratings, order, EACH, without)
    after, needed = dict(pairwise(order)), [matches_to_decide(ratings, tallies, *both) for both in pairwise(order)]
    lines = [
        _Line(ratings, tallies, versions, key, places[key], after.get(key), needed[max(0, number - 1) : number + 1])
        for number, key in enumerate(order)
    ]
    return [_row(line, separate[line.key], together[line.key]) for line in lines]


def places_by_version(ratings: Fit, versions: Mapping[int, Version]) -> dict[int, int]:
    """Return places by listed version, best first. Those shown alike share a place; who has no rank takes none."""
    listed = [key for key, version in versions.items() if version.listed]
    order = sorted(listed, key=lambda key: (-ratings.elo[key], ratings.sd[key], key))
    places = shared_places((ratings.elo[key], versions[key].ranked) for key in order)
    return dict(zip(order, places, strict=True))


def shared_places(lines: Iterable[tuple[float, bool]]) -> list[int]:
    """Return the places of ratings, given best first, each with whether it counts."""
    places, first, counted = list[int](), dict[float, int](), 0
    for elo, counts in lines:
        places.append(first.setdefault(round(elo, 1), counted + 1))
        counted += counts
    return places


def ranks_of(ratings: Fit, versions: Mapping[int, Version]) -> dict[int, int | None]:
    """The places of those that may have a number, and whose rating is known well enough."""
    places = places_by_version(ratings, versions)
    return {
        key: None if is_provisional(ratings, key) or not versions[key].ranked else place
        for key, place in places.items()
    }


def is_provisional(ratings: Fit, version: int) -> bool:
    """Return whether a rating is too unsure for a rank; how far the prior draws all in says nothing about that."""
    return provisional(elo_interval(ratings.lead_sd[version]))


@dataclass(frozen=True, slots=True)
class _Line:
    """A version, where it stands, who stands after it, and how long until it is told apart from those beside it."""

    ratings: Fit
    tallies: Mapping[int, Tally]
    versions: Mapping[int, Version]
    key: int
    place: int
    after: int | None
    needed: Sequence[int | None]

    @property
    def los_next(self) -> float | None:
        if self.after is None or not self.ratings.comparable(self.key, self.after):
            return None
        return round(self.ratings.better(self.key, self.after), 3)


def _row(line: _Line, separate: tuple[int, int], together: tuple[int, int]) -> Row:
    key, version, tally = line.key, line.versions[line.key], line.tallies.get(line.key, Tally())
    games, unsure = max(1, tally.games), is_provisional(line.ratings, key)
    return Row(
        version=key,
        bot=version.bot,
        number=version.number,
        rank=None if unsure or not version.ranked else line.place,
        rank_lo=min(line.place, separate[0]),
        rank_hi=max(line.place, separate[1]),
        all_lo=min(line.place, together[0]),
        all_hi=max(line.place, together[1]),
        elo=round(line.ratings.elo[key], 1),
        ci95=round(elo_interval(line.ratings.sd[key]), 1),
        anchor=version.anchor is not None,
        los_next=line.los_next,
        provisional=unsure,
        comparable=line.ratings.group[key] == 0,
        matches_to_decide=_longest(line.needed),
        sets=tally.sets,
        games=tally.games,
        win_pct=round(100 * tally.wins / games, 1),
        place_mean=round(tally.places / games, 2) if tally.games else None,
        crash_pct=round(100 * tally.forfeits / games, 1),
        elo_classic=round(tally.milli_elo / 1000, 1),
        delta=round(tally.delta / 1000, 1),
    )


def _longest(matches: Sequence[int | None]) -> int | None:
    decidable = [number for number in matches if number is not None]
    return max(decidable, default=0) if len(decidable) == len(matches) else None


def matches_to_decide(ratings: Fit, tallies: Mapping[int, Tally], first: int, second: int) -> int | None:
    """Return how many more each must play until it is 95 % sure who is better, if both ratings stay where they are."""
    played = [tallies.get(version, Tally()).games for version in (first, second)]
    gap = abs(ratings.elo[first] - ratings.elo[second])
    if not all(played) or not ratings.comparable(first, second):
        return None

    def decided(more: int) -> bool:
        sds = [ratings.lead_sd[v] * (n / (n + more)) ** 0.5 for v, n in zip((first, second), played, strict=True)]
        return gap >= SURE * hypot(*sds)

    weights = [ratings.lead_sd[version] ** 2 * n for version, n in zip((first, second), played, strict=True)]
    needed = _about(gap, weights, played)
    while 0 < needed <= LONG and decided(needed - 1):
        needed -= 1
    while needed < LONG and not decided(needed):
        needed += 1
    return needed if needed < LONG else None


def _about(gap: float, weights: Sequence[float], played: Sequence[int]) -> int:
    """Return where sum of weight / (played + more) falls to (gap / SURE)**2, within a match: a quadratic equation."""
    (a, b), (m, n), c = weights, played, (gap / SURE) ** 2
    if c * LONG**2 <= a + b:  # not within LONG, nor so near to it that a match matters
        return LONG
    half = (m + n - (a + b) / c) / 2
    root = sqrt(max(0.0, half**2 - m * n + (a * n + b * m) / c)) - half
    return min(LONG, max(0, ceil(root)))
