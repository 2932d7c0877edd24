"""The table people look at, as a pure function of the ledger: the same lines to the last digit wherever it is
computed.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from statistics import NormalDist

from engine.dice import Dice
from tournaments.ratings.elo import Tally, fold
from tournaments.ratings.fit import Fit, fit
from tournaments.ratings.ledger import Ledger, Version
from tournaments.ratings.pairs import Pairs

CI95 = NormalDist().inv_cdf(0.975)
SURE = NormalDist().inv_cdf(0.95)
WIDE = 100.0  # Elo: a half interval that makes a rating provisional
DRAWS, FEWEST_DRAWS, DRAWN = 1000, 200, 2_000_000  # tables drawn; the fewest; ratings in all of them, about
LONG = 1_000_000  # matches: too many to wait for
BITS = 12  # of chance in one normal draw
NORMALS = [NormalDist().inv_cdf((step + 0.5) / (1 << BITS)) for step in range(1 << BITS)]


@dataclass(frozen=True, slots=True)
class Row:
    """One version's line, ranked by rating; 95 of 100 tables drawn from the errors put it at `rank_lo` to `rank_hi`."""

    version: int
    bot: str
    number: int  # the version's, of its bot
    rank: int
    rank_lo: int
    rank_hi: int
    elo: float
    ci95: float  # elo - ci95 to elo + ci95 holds the truth in 95 of 100
    los_next: float | None  # the probability of being better than the next line; None where nothing connects the two
    provisional: bool  # ci95 is more than 100
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
    rows: Sequence[Row]


def table_of(ledger: Ledger) -> Table:
    """All that is public of a ladder's ratings, from its ledger alone."""
    ratings = fit(Pairs(ledger.sets, margin=ledger.margin), forerunners(ledger.versions), anchors(ledger.versions))
    tallies = dict[int, Tally]()
    in_order = (one.games for one in sorted(ledger.sets, key=lambda one: one.number))
    for _ in fold(in_order, tallies, lineages(ledger.versions)):
        pass
    rows = rows_of(ratings, tallies, ledger.versions)
    return Table(ledger.ladder, ledger.game, len(ledger.sets), round(ratings.phi, 3), rows)


def forerunners(versions: Mapping[int, Version]) -> dict[int, int | None]:
    return {key: version.forerunner for key, version in versions.items()}


def anchors(versions: Mapping[int, Version]) -> dict[int, float]:
    return {key: version.anchor for key, version in versions.items() if version.anchor is not None}


def lineages(versions: Mapping[int, Version]) -> dict[int, list[int]]:
    """Of each version those before it, the newest first."""
    return {key: list(_older(versions, key)) for key in versions}


def _older(versions: Mapping[int, Version], key: int) -> Iterator[int]:
    while (older := versions[key].forerunner) is not None:
        yield (key := older)


def rows_of(ratings: Fit, tallies: Mapping[int, Tally], versions: Mapping[int, Version]) -> list[Row]:
    """A line for every listed version, the best first. `tallies`: what the classic fold counted of those who played."""
    ranks = ranks_of(ratings, versions)
    order = list(ranks)
    intervals = rank_intervals([ratings.elo[key] for key in order], [ratings.sd[key] for key in order])
    return [
        _row(
            ratings,
            tallies,
            versions[key],
            key,
            ranks[key],
            intervals[line],
            _beside(order, line),
        )
        for line, key in enumerate(order)
    ]


def ranks_of(ratings: Fit, versions: Mapping[int, Version]) -> dict[int, int]:
    """Of every listed version, the best first. Those shown alike share a rank."""
    listed = [key for key, version in versions.items() if version.listed]
    order = sorted(listed, key=lambda key: (-ratings.elo[key], ratings.sd[key], key))
    first = dict[float, int]()
    for line, key in enumerate(order, 1):
        first.setdefault(round(ratings.elo[key], 1), line)
    return {key: first[round(ratings.elo[key], 1)] for key in order}


def _beside(order: Sequence[int], line: int) -> tuple[int | None, int | None]:
    return order[line - 1] if line else None, order[line + 1] if line + 1 < len(order) else None


def _row(
    ratings: Fit,
    tallies: Mapping[int, Tally],
    version: Version,
    key: int,
    rank: int,
    interval: tuple[int, int],
    beside: tuple[int | None, int | None],
) -> Row:
    tally = tallies.get(key, Tally())
    games = max(1, tally.games)
    ci95 = CI95 * ratings.sd[key]
    after = beside[1]
    return Row(
        version=key,
        bot=version.bot,
        number=version.number,
        rank=rank,
        rank_lo=min(rank, interval[0]),
        rank_hi=max(rank, interval[1]),
        elo=round(ratings.elo[key], 1),
        ci95=round(ci95, 1),
        los_next=None if after is None or not ratings.comparable(key, after) else round(ratings.better(key, after), 3),
        provisional=ci95 > WIDE,
        comparable=ratings.group[key] == 0,
        matches_to_decide=_longest(
            [matches_to_decide(ratings, tallies, key, one) for one in beside if one is not None]
        ),
        sets=tally.sets,
        games=tally.games,
        win_pct=round(100 * tally.wins / games, 1),
        place_mean=round(tally.places / games, 2) if tally.games else None,
        crash_pct=round(100 * tally.forfeits / games, 1),
        elo_classic=round(tally.milli_elo / 1000, 1),
        delta=round(tally.delta / 1000, 1),
    )


def _longest(matches: Sequence[int | None]) -> int | None:
    known = [number for number in matches if number is not None]
    return max(known, default=0) if len(known) == len(matches) else None


def rank_intervals(elo: Sequence[float], sd: Sequence[float]) -> list[tuple[int, int]]:
    """The 2.5th and 97.5th percentile of each one's rank in tables drawn from the errors, the same at every call."""
    chance = _normals(Dice.of("rank intervals"))
    ranks = [array("L") for _ in elo]
    draws = min(DRAWS, max(FEWEST_DRAWS, DRAWN // max(1, len(elo))))  # long tables are drawn less often
    for _ in range(draws):
        drawn = [mean + spread * next(chance) for mean, spread in zip(elo, sd, strict=True)]
        for rank, line in enumerate(sorted(range(len(drawn)), key=drawn.__getitem__, reverse=True), 1):
            ranks[line].append(rank)
    cut = draws // 40
    return [(ordered[cut], ordered[-1 - cut]) for ordered in map(sorted, ranks)]


def _normals(dice: Dice) -> Iterator[float]:
    while True:
        drawn = dice.below(1 << 5 * BITS)
        for shift in range(0, 5 * BITS, BITS):
            yield NORMALS[drawn >> shift & (1 << BITS) - 1]


def matches_to_decide(ratings: Fit, tallies: Mapping[int, Tally], one: int, other: int) -> int | None:
    """How many more each must play until it is 95 % sure who is better, if both ratings stay where they are."""
    played = [tallies.get(version, Tally()).games for version in (one, other)]
    apart = abs(ratings.elo[one] - ratings.elo[other])
    if not all(played) or not ratings.comparable(one, other):
        return None

    def decided(more: int) -> bool:
        sds = [ratings.sd[v] * (n / (n + more)) ** 0.5 for v, n in zip((one, other), played, strict=True)]
        return apart >= SURE * hypot(*sds)

    needed = bisect_left(range(LONG), 1, key=decided)
    return needed if needed < LONG else None
