"""Whether a ladder's public ledger looks as a fair one would: each check finds faults of one kind, and no other.

A check `waits` while it has too little to go by, is `skipped` where a ladder is too large for it, `absent` where there
is nothing to look at, and `found` something where luck alone would do as much once in 1,000 looks at a fair ladder, or
where there is no luck in it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, groupby, pairwise, zip_longest
from math import exp, fsum, hypot, pi, sqrt
from operator import mul
from random import Random
from statistics import NormalDist, correlation, fmean
from typing import Any

from bots.sequential_test import NAMED, SequentialTest, judged, share_of
from tournaments.ratings.fit import Fit
from tournaments.ratings.intervals import CI95
from tournaments.ratings.ledger import Ledger, RatedSet
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.scale import Q
from tournaments.ratings.table import fit_of

OK, FOUND, WAITS, SKIPPED, ABSENT = "ok", "found", "waits", "skipped", "absent"
RARE = 0.001  # chance of as much by luck, below which something is found
SURE = NormalDist().inv_cdf(1 - RARE / 2)
BLOCKS = 10  # each is foretold by a fit of those before it
KNOWN = 5  # sets of a version before it is foretold
FORETOLD = 200  # sets that calibration needs
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9)  # of the favourite's chance, from here on
NEAR = 0.1  # by which what happens may differ from the forecast's scale: no game is exactly like the model
HALF = 8  # sets of a version in each half, and of each twin
COMPARED = 5  # versions that halves need
TRIALS = 400  # of the gate against itself
POOL = 200  # sets that they need
EQUALS = 0.055  # of equals that the gate accepts, at most
FitOf = Callable[[Ledger], Fit]


@dataclass(frozen=True, slots=True)
class Check:
    """`has`: how many sets, or versions, it goes by; it `needs` so many. `values` are numbers for the page."""

    name: str
    state: str
    has: int
    needs: int = 1
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What became of the ladder's numbered sets. `missing`: numbers that no set has; `links`: of the seed chains, used
    before others, of which nothing was dealt."""

    dealt: int
    rated: int
    open: int
    removed: int  # of somebody disqualified
    void: Sequence[int]
    missing: Sequence[int]
    links: int


def deals_check(dealt: Dealt) -> Check:
    """Return whether each deal is there, from the first number to the last, and each link of the seed chains."""
    values = {name: value for name, value in asdict(dealt).items() if name != "dealt"}
    return Check("deals", FOUND if dealt.missing or dealt.links else OK, dealt.dealt, values=values)


def seats_check(ledger: Ledger) -> Check:
    """Return whether each version sat equally often in every seat, at tables of each size."""
    counts = defaultdict[tuple[int, int], Counter[int]](Counter)
    for rated_set in ledger.sets:
        for game in rated_set.games:
            for seat, version in enumerate(game.versions):
                counts[version, len(game.versions)][seat] += 1
    uneven = sum(len({seats[seat] for seat in range(size)}) > 1 for (_, size), seats in counts.items())
    values = {"versions": len({version for version, _ in counts}), "uneven": uneven}
    return Check("seats", FOUND if uneven else OK, len(ledger.sets), values=values)


def foretold_check(ledger: Ledger, fitted: FitOf = fit_of) -> Check:
    """Return how what happened in sets compares with what all earlier sets foretold."""
    sets = [list(forecasts) for _, forecasts in groupby(_forecasts(ledger, fitted), lambda pair: pair.number)]
    pulls = [fsum(pair.weight * pair.surprise * pair.lead for pair in of_set) for of_set in sets]
    information = fsum(
        pair.weight * pair.chance * (1 - pair.chance) * pair.lead**2 for of_set in sets for pair in of_set
    )
    if len(sets) < FORETOLD or not information:
        return Check("foretold", WAITS, len(sets), FORETOLD)
    slope, within = 1 + fsum(pulls) / information, SURE * sqrt(fsum(pull**2 for pull in pulls)) / information
    values = {"slope": round(slope, 3), "within": round(within, 3), "bands": _bands(sets)}
    return Check("foretold", FOUND if abs(slope - 1) - within > NEAR else OK, len(sets), FORETOLD, values)


@dataclass(frozen=True, slots=True)
class _Forecast:
    """Of a pair in one set: the favourite's chance and what it took, of `weight` games; `lead` in natural units."""

    number: int
    chance: float
    happened: float
    weight: float
    lead: float

    @property
    def surprise(self) -> float:
        return self.happened - self.chance


def _forecasts(ledger: Ledger, fitted: FitOf) -> Iterator[_Forecast]:
    sets = sorted(ledger.sets, key=lambda rated_set: rated_set.number)
    cuts = [len(sets) * block // BLOCKS for block in range(1, BLOCKS + 1)]
    for first, last in pairwise(cuts):
        fit = fitted(replace(ledger, sets=sets[:first]))
        played = _sets_of(sets[:first])
        for rated_set in sets[first:last]:
            yield from _of_set(rated_set, fit, played)


def _sets_of(sets: Iterable[RatedSet]) -> Counter[int]:
    """Return how many of the sets each version played."""
    return Counter(version for rated_set in sets for version in rated_set.games[0].versions)


def _of_set(rated_set: RatedSet, fit: Fit, played: Mapping[int, int]) -> Iterator[_Forecast]:
    """Yield forecasts of who finishes ahead, whatever else a ladder counts."""
    table = [version for version in rated_set.games[0].versions if played[version] >= KNOWN]
    pairs = Pairs([rated_set])
    for first, second in combinations(table, 2):
        better, worse = (first, second) if fit.elo[first] >= fit.elo[second] else (second, first)
        if not fit.comparable(better, worse):
            continue
        unsure = Q * hypot(fit.sd[better], fit.sd[worse])
        lead = Q * (fit.elo[better] - fit.elo[worse]) / sqrt(1 + pi / 8 * unsure**2)
        happened = pairs.taken[better][worse] / pairs.weight(better, worse)
        yield _Forecast(rated_set.number, 1 / (1 + exp(-lead)), happened, 1 / (len(table) - 1), lead)


def _bands(sets: Iterable[Iterable[_Forecast]]) -> list[list[float]]:
    """Return, by where a band of chances begins, what was foretold, what happened, half of its 95 % interval with the
    set as unit, and the sets."""
    bands = defaultdict[float, list[list[_Forecast]]](list)
    for of_set in sets:
        for low, pairs in groupby(sorted(of_set, key=_low), _low):
            bands[low].append(list(pairs))
    return [[low, *_band(parts)] for low, parts in sorted(bands.items())]


def _low(pair: _Forecast) -> float:
    return max(low for low in BANDS if pair.chance >= low)


def _band(sets: Sequence[Sequence[_Forecast]]) -> list[float]:
    pairs = [pair for of_set in sets for pair in of_set]
    weight = fsum(pair.weight for pair in pairs)
    foretold = fsum(pair.weight * pair.chance for pair in pairs) / weight
    surprises = [fsum(pair.weight * pair.surprise for pair in of_set) for of_set in sets]
    half = CI95 * sqrt(fsum(surprise**2 for surprise in surprises)) / weight
    return [round(foretold, 3), round(foretold + fsum(surprises) / weight, 3), round(half, 3), len(sets)]


def halves_check(ledger: Ledger, fitted: FitOf = fit_of) -> Check:
    """Return how sets of even numbers compare with those of odd ones."""
    parts: list[list[RatedSet]] = [[], []]
    for rated_set in ledger.sets:
        parts[rated_set.number % 2].append(rated_set)
    return _compared("halves", ledger, parts, fitted)


def times_check(ledger: Ledger, fitted: FitOf = fit_of) -> Check:
    """Return how the later half of all sets compares with the earlier one."""
    sets = sorted(ledger.sets, key=lambda rated_set: rated_set.number)
    middle = len(sets) // 2
    return _compared("times", ledger, [sets[:middle], sets[middle:]], fitted)


def _compared(name: str, ledger: Ledger, parts: Sequence[Sequence[RatedSet]], fitted: FitOf) -> Check:
    """Return whether the ratings of both parts differ by more than their errors: a chi-square of the differences."""
    played = [_sets_of(part) for part in parts]
    both = [version for version in played[0] if min(count[version] for count in played) >= HALF]
    if len(both) < COMPARED:
        return Check(name, WAITS, len(both), COMPARED)
    first, second = (fitted(replace(ledger, sets=part)) for part in parts)
    gaps = [first.elo[version] - second.elo[version] for version in both]
    precisions = [1 / (first.chance_sd[version] ** 2 + second.chance_sd[version] ** 2) for version in both]
    mean = fsum(map(mul, precisions, gaps)) / fsum(precisions)
    square = fsum(precision * (gap - mean) ** 2 for precision, gap in zip(precisions, gaps, strict=True))
    chance = chance_of_square(square, len(both) - 1)
    values = {
        "correlation": round(correlation(*([fit.elo[version] for version in both] for fit in (first, second))), 3),
        "apart": round(sqrt(fmean((gap - mean) ** 2 for gap in gaps)), 1),
        "expected": round(sqrt(fmean(1 / precision for precision in precisions)), 1),
        "chance": float(f"{chance:.2g}"),
    }
    return Check(name, FOUND if chance < RARE else OK, len(both), COMPARED, values)


def chance_of_square(square: float, free: int) -> float:
    """Return the chance of a chi-square at least as large, by Wilson and Hilferty."""
    spread = 2 / (9 * free)
    return 1 - NormalDist().cdf(((square / free) ** (1 / 3) - 1 + spread) / sqrt(spread))


def gate_check(ledger: Ledger, fit: Fit, test: SequentialTest = NAMED["gain"]) -> Check:
    """Return how often the gate accepts one of two equals: the two nearest of each table, their names drawn by lot."""
    pool = [_nearest(rated_set, fit) for rated_set in ledger.sets]
    if len(pool) < POOL:
        return Check("gate", WAITS, len(pool), POOL)
    draw = Random(f"the gate of {ledger.ladder} after {len(pool)} sets")
    seats = max(2, round(fmean(len(rated_set.games) for rated_set in ledger.sets)))
    accepted = sum(judged(_shares(pool, draw), min(8, seats), test).accepted is True for _ in range(TRIALS))
    most = TRIALS * EQUALS + SURE * sqrt(TRIALS * EQUALS * (1 - EQUALS))
    values = {"trials": TRIALS, "accepted": accepted, "most": int(most)}
    return Check("gate", FOUND if accepted > most else OK, len(pool), POOL, values)


def _nearest(rated_set: RatedSet, fit: Fit) -> float:
    """Return what one of the two nearest in rating took from the other, as a share of the set."""
    pairs = combinations(rated_set.games[0].versions, 2)
    first, second = min(pairs, key=lambda pair: (abs(fit.elo[pair[0]] - fit.elo[pair[1]]), pair))
    return fmean(
        share_of([game.places[game.versions.index(first)]], [game.places[game.versions.index(second)]])
        for game in rated_set.games
    )


def _shares(pool: Sequence[float], draw: Random) -> Iterator[float]:
    while True:
        share = draw.choice(pool)
        yield share if draw.random() < 0.5 else 1 - share


def twins_check(ledger: Ledger, fit: Fit, twins: Sequence[int]) -> Check:
    """Return whether two versions that are one program are rated alike; none if there are no such two."""
    played = _sets_of(ledger.sets)
    has = min((played[version] for version in twins), default=0)
    if has < HALF:
        return Check("twins", WAITS if twins else ABSENT, has, HALF)
    apart = abs(fit.elo[twins[0]] - fit.elo[twins[1]])
    error = hypot(*(fit.chance_sd[version] for version in twins))
    values = {"apart": round(apart, 1), "error": round(error, 1), "most": round(SURE * error, 1)}
    return Check("twins", FOUND if apart > SURE * error else OK, has, HALF, values)


def statistical_checks(
    ledger: Ledger, fitted: FitOf = fit_of, test: SequentialTest = NAMED["gain"], twins: Sequence[int] = ()
) -> list[Check]:
    """Return the checks that the ledger alone is enough for, and who the twins are."""
    fit = fitted(ledger)
    return [
        seats_check(ledger),
        foretold_check(ledger, fitted),
        halves_check(ledger, fitted),
        times_check(ledger, fitted),
        gate_check(ledger, fit, test),
        twins_check(ledger, fit, twins),
    ]


def refit_check(sets: int, published: Sequence[str], computed: Iterable[str]) -> Check:
    """Return whether the independent script's table is the published one, to the last digit."""
    wrong = sum(line != again for line, again in zip_longest(published, computed))
    return Check("refit", FOUND if wrong else OK, sets, values={"lines": len(published), "wrong": wrong})
