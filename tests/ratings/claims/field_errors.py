"""Errors that hold in every field: a prior as wide as the field, leads without its pull, tables by lot, margins to
scale.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from random import Random
from statistics import fmean, pstdev

from tests.ratings.claims import Row
from tests.tournaments.ratings.ladders import BASE, CLASHING, Kind, Ladder, error, held
from tournaments.ratings.constants import Constants, constants_of
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95, WIDE
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.ranks import EACH, ranges_of

WORLDS = 24


class Spread(Ladder):
    """A field whose bots lie evenly over ten of its kind's deviations; for 2,000 Elo the deviation is 200."""

    def _strength(self) -> float:
        return self.draw.uniform(-5, 5)


@dataclass
class Measured:
    """Figures of many worlds, by name: one number of each world."""

    by_name: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, ladder: Ladder, fit: Fit) -> None:
        """Note how many truths the intervals hold, the error, and between which ranks the bots lie."""
        half = {bot: CI95 * sd for bot, sd in fit.sd.items()}
        order = sorted(ladder.truth, key=lambda bot: -ladder.truth[bot])
        ranges = ranges_of(fit, order, EACH)
        inside = [ranges[bot][0] <= rank <= ranges[bot][1] for rank, bot in enumerate(order, 1)]
        self.by_name[f"{name}: cover"].append(fmean(held(ladder, fit.elo, half)))
        self.by_name[f"{name}: error"].append(error(ladder, fit.elo))
        self.by_name[f"{name}: ranks held"].append(fmean(inside))
        self.by_name[f"{name}: places"].append(fmean(high - low for low, high in ranges.values()))
        self.by_name[f"{name}: provisional"].append(fmean(CI95 * sd > WIDE for sd in fit.lead_sd.values()))

    def row(self, name: str, claimed: float, slack: float, stated: float | str) -> Row:
        """Return a figure beside what is claimed, from which it may differ by two standard errors and the slack.

        `stated`: the least, or the most of an error; or why nothing is.
        """
        values = self.by_name[name]
        mean, wide = fmean(values), 2 * pstdev(values) / sqrt(len(values) - 1)
        digits = 3 if claimed < 1 else 1
        said = f"{mean:.{digits}f} ±{wide:.{digits}f}"
        agrees = abs(mean - claimed) <= wide + slack
        if isinstance(stated, str):
            return Row(name, f"{claimed:.{digits}f}", said, agrees=agrees, stated=stated)
        is_least = name.endswith((": cover", ": ranks held"))
        holds = mean + wide >= stated if is_least else mean - wide <= stated
        limit = f"{stated:g} or {'more' if is_least else 'less'}"
        return Row(name, f"{claimed:.{digits}f}", said, holds, agrees, limit)


def grown(ladder: Ladder, games: float) -> Constants:
    """Play a ladder as a site does, and return the constants that its field had at 20 games."""
    found = None
    for _ in ladder.play(games):
        if found is None and ladder.games >= 20:
            found = constants_of(ladder.sets, ladder.pairs, dict.fromkeys(ladder.elos), 350)
            ladder.kind = replace(ladder.kind, prior_sd=found.prior_sd)
    return found or Constants(350)


def fits(ladder: Ladder, constants: Constants) -> Iterator[tuple[str, Fit]]:
    """Yield the fit by the rules before, and the one by the rules now."""
    bots = dict.fromkeys(ladder.elos)
    yield "before", fit_ratings(ladder.pairs, bots, rules=2)
    yield "now", fit_ratings(ladder.pairs, bots, prior_sd=constants.prior_sd)


def of_priors(seed: int, worlds: int) -> Measured:
    """Fields of 2,000 Elo and fields of nearly equal bots, at 40 games of each bot."""
    found = Measured()
    kinds: Sequence[tuple[str, Callable[..., Ladder], Kind]] = (
        ("2,000 Elo", Spread, Kind("2,000 Elo")),
        ("2,000 Elo, duels", Spread, Kind("2,000 Elo, duels", seats=2)),
        ("nearly equal", Ladder, Kind("nearly equal", sd=50.0)),
    )
    for name, make, kind in kinds:
        for number in range(worlds):
            ladder = make(kind, 1000 * seed + number)
            for rules, fit in fits(ladder, grown(ladder, 40)):
                found.add(f"{name}, {rules}", ladder, fit)
    return found


def of_lots(seed: int, worlds: int) -> Measured:
    """Pairing without and with a quarter of the tables by lot, at 80 games of each bot."""
    found = Measured()
    kinds = (CLASHING, replace(CLASHING, name="rock, paper, scissors, duels", seats=2), Kind("nearly equal", sd=50.0))
    for kind in kinds:
        for by_lot in (0, 25):
            for number in range(worlds):
                ladder = Ladder(replace(kind, by_lot=by_lot), 1000 * seed + number)
                constants = grown(ladder, 80)
                fit = fit_ratings(ladder.pairs, dict.fromkeys(ladder.elos), prior_sd=constants.prior_sd)
                found.add(f"{kind.name}, {by_lot} of 100 by lot", ladder, fit)
    return found


def of_margins(seed: int, worlds: int) -> Measured:
    """Ratings by margins without and with their scale, which was fitted at 20 games, at 80 games of each bot."""
    found = Measured()
    for number in range(worlds):
        ladder = Ladder(replace(BASE, by_lot=25), 1000 * seed + number)
        bots, constants = dict.fromkeys(ladder.elos), grown(ladder, 80)
        early = next(n for n in range(len(ladder.sets)) if n * 16 / ladder.bots >= 20)
        found.add("places", ladder, fit_ratings(ladder.pairs, bots, prior_sd=constants.prior_sd))
        deviation = lead_deviation(ladder, Random(number))
        for full in (1.1, 2.2):
            margin, sets = round(full * deviation), ladder.sets[:early]
            scaled = constants_of(sets, Pairs(sets, margin=margin), bots, 350)
            for name, scale in (("before", 1000), ("now", scaled.scale)):
                pairs = Pairs(ladder.sets, margin=margin, scale=scale)
                fit = fit_ratings(pairs, bots, prior_sd=scaled.prior_sd if scale != 1000 else 350)
                found.add(f"margins, full at {full}, {name}", ladder, fit)
    return found


def lead_deviation(ladder: Ladder, draw: Random) -> float:
    """Return the deviation of the lead of one seat over another."""
    games = [game for one in draw.sample(ladder.sets, 50) for game in one.games]
    return sqrt(fmean([(game.scores[0] - game.scores[1]) ** 2 for game in games]))


OLD, UNUSED = "rules 2", "not the default"
CLAIMS: Mapping[Callable[[int, int], Measured], Sequence[tuple[str, float, float, float | str]]] = {
    of_priors: (
        ("2,000 Elo, before: cover", 0.895, 0.03, OLD),
        ("2,000 Elo, now: cover", 0.975, 0.03, 0.92),
        ("2,000 Elo, duels, before: cover", 0.782, 0.05, OLD),
        ("2,000 Elo, duels, now: cover", 0.927, 0.03, 0.92),
        ("2,000 Elo, duels, before: error", 190.0, 20.0, OLD),
        ("2,000 Elo, duels, now: error", 96.0, 15.0, 140),
        ("nearly equal, before: cover", 0.907, 0.02, OLD),
        ("nearly equal, now: cover", 0.943, 0.02, 0.92),
        ("2,000 Elo, before: provisional", 0.95, 0.1, OLD),
        ("2,000 Elo, now: provisional", 0.05, 0.1, 0.1),
        ("2,000 Elo, before: places", 6.9, 1.0, OLD),
        ("2,000 Elo, now: places", 3.0, 1.0, 5),
        ("2,000 Elo, now: ranks held", 0.94, 0.06, 0.94),
    ),
    of_lots: (
        ("rock, paper, scissors, 0 of 100 by lot: cover", 0.905, 0.02, UNUSED),
        ("rock, paper, scissors, 25 of 100 by lot: cover", 0.933, 0.02, 0.92),
        ("rock, paper, scissors, 0 of 100 by lot: error", 39.0, 3.0, UNUSED),
        ("rock, paper, scissors, 25 of 100 by lot: error", 36.0, 3.0, 40),
        ("rock, paper, scissors, duels, 0 of 100 by lot: cover", 0.96, 0.02, UNUSED),
        ("rock, paper, scissors, duels, 25 of 100 by lot: cover", 0.964, 0.02, 0.92),
        ("rock, paper, scissors, duels, 0 of 100 by lot: error", 57.0, 4.0, UNUSED),
        ("rock, paper, scissors, duels, 25 of 100 by lot: error", 52.0, 4.0, 57),
        ("nearly equal, 0 of 100 by lot: cover", 0.94, 0.02, UNUSED),
        ("nearly equal, 25 of 100 by lot: cover", 0.954, 0.02, 0.92),
    ),
    of_margins: (
        ("places: error", 26.0, 2.0, 30),
        ("margins, full at 1.1, before: cover", 0.83, 0.05, OLD),
        ("margins, full at 2.2, before: cover", 0.48, 0.08, OLD),
        ("margins, full at 1.1, now: cover", 0.953, 0.02, 0.92),
        ("margins, full at 2.2, now: cover", 0.953, 0.02, 0.92),
        ("margins, full at 1.1, now: error", 24.0, 2.0, 30),
        ("margins, full at 2.2, now: error", 24.0, 2.0, 30),
    ),
}


def claim(seed: int) -> list[Row]:
    """Return what was claimed of each remedy beside what these worlds show."""
    rows = []
    for measure, claimed in CLAIMS.items():
        found = measure(seed, WORLDS)
        rows += [found.row(*one) for one in claimed]
    return rows
