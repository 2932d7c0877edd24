"""How often a final run errs, and what it takes.

    python3 -m tests.tournaments.features.final_runs [--worlds N] [--seed S]

Ladders of `tests.tournaments.ratings.ladders` play 40 games of each bot, paired by waves. Then the same ladder goes on
in three ways, of which only the new sets count: by a final run, which stops where it may; by a run with all of its
budget, looked at once; and by as many sets as the run took, spread by waves over everybody. A border that is said to be
decided is wrong if somebody below it is in truth better than somebody above.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from statistics import fmean, quantiles, stdev

from engine.dice import Dice
from tests.tournaments.ratings.ladders import Kind, Ladder
from tournaments.features.final_runs.border_decisions import Border, Line, Pair, border_of
from tournaments.features.final_runs.tables import choose_new_table, choose_table
from tournaments.ledger.matchmaking.ladder_sets import CLASHING, HALF_BY_LOT
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.ratings.final_table import LEAST
from tournaments.ratings.fit import Fit, fit_ratings
from tournaments.ratings.intervals import CI95

KINDS = (
    Kind("four at a table", by_lot=25),
    Kind("two at a table", seats=2, by_lot=25),
    Kind("four, nearly alike: sd 50", sd=50.0, by_lot=25),
    Kind("two, rock, paper, scissors", seats=2, clash=100.0, by_lot=25),
    Kind("the same, by_lot 0", seats=2, clash=100.0),
)
BOTS, GAMES, AHEAD = 20, 40, 4  # in a ladder; of each before; sets under way at once
BORDERS = (3, 10)


@dataclass(frozen=True, slots=True)
class Ended:
    """How one ladder stood in the end: of each border whether it was decided, and by how many Elo it is wrong."""

    sets: int
    decided: tuple[bool, ...]
    wrong: tuple[float, ...]
    lost: float  # Elo by which the winner is worse than the best


@dataclass
class Final:
    """A ladder whose sets from now on make the final table."""

    ladder: Ladder
    began: int = field(init=False)
    ratings: Fit = field(default_factory=Fit)
    sets: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.began, self.sets = len(self.ladder.sets), dict.fromkeys(self.ladder.elos, 0)
        self.refit()

    @property
    def dealt(self) -> int:
        return len(self.ladder.sets) - self.began

    @property
    def lacking(self) -> dict[int, int]:
        return {bot: LEAST - sets for bot, sets in self.sets.items() if sets < LEAST}

    def add(self, table: Sequence[int]) -> None:
        self.ladder._add(table)
        for bot in table:
            self.sets[bot] += 1

    def refit(self) -> None:
        ladder, since = self.ladder, self.ladder.pairs.since(self.began)
        bots, prior_sd = dict.fromkeys(ladder.elos), ladder.kind.prior_sd
        self.ratings = fit_ratings(since, bots, prior_sd=prior_sd, start=self.ratings if self.ratings.elo else None)
        ladder.ratings = fit_ratings(ladder.pairs, bots, prior_sd=prior_sd, start=ladder.ratings)


def judged(final: Final) -> tuple[list[int], list[Border]]:
    """The bots, best first, and the borders."""
    ladder, ratings = final.ladder, final.ratings
    order = sorted(ladder.elos, key=lambda bot: -ratings.elo[bot])
    lines = [Line(ratings.elo[bot], ratings.sd[bot]) for bot in order]
    return order, [border_of(lines, after) for after in BORDERS]


def run(ladder: Ladder, budget: int, *, stop: bool) -> Ended:
    """Deal to all, then to those near a border, `AHEAD` sets at once, until all are decided or the budget is spent."""
    final = Final(ladder)
    while final.dealt < budget:
        order, borders = judged(final)
        unsure = [pair for border in borders for pair in border.unsure]
        if stop and not unsure and not final.lacking:
            break
        pairs = unsure or [border.least for border in borders if border.least]
        _deal(final, order, pairs)
    return ended(final)


def _deal(final: Final, order: Sequence[int], pairs: Sequence[Pair]) -> None:
    ladder, kind = final.ladder, final.ladder.kind
    by_lot = max(kind.by_lot, HALF_BY_LOT) if kind.by_lot and ladder.ratings.clash > CLASHING else kind.by_lot
    waiting, lacking = dict.fromkeys(order, 0), final.lacking
    versions = [(order[pair.above - 1], order[pair.below - 1]) for pair in pairs]
    tables: list[list[int]] = []
    for _ in range(AHEAD):
        dice = Dice.of(f"final {ladder.seed} {len(ladder.sets)} {len(tables)}")
        crowd = [
            Candidate(bot, bot, final.ratings.elo[bot], final.ratings.sd[bot] / math.sqrt(1 + waiting[bot]), 0, 0)
            for bot in order
        ]
        missing = {bot: more for bot, sets in lacking.items() if (more := sets - waiting[bot]) > 0}
        tables.append(
            choose_new_table(crowd, missing, kind.seats, dice, most=1)
            if missing
            else choose_table(crowd, versions, kind.seats, dice, most=1, by_lot=by_lot)
        )
        for bot in tables[-1]:
            waiting[bot] += 1
    for table in tables:
        final.add(table)
    final.refit()


def spread(ladder: Ladder, sets: int) -> Ended:
    """The end of a run that deals so many sets more, in waves over everybody."""
    final = Final(ladder)
    while final.dealt < sets:
        for table in ladder._wave()[: sets - final.dealt]:
            final.add(table)
        final.refit()
    return ended(final)


def ended(final: Final) -> Ended:
    ladder, (order, borders) = final.ladder, judged(final)
    wrong = [_wrong(ladder, order, border.after) for border in borders]
    lost = max(ladder.truth.values()) - ladder.truth[order[0]]
    return Ended(final.dealt, tuple(border.decided for border in borders), tuple(wrong), lost)


def _wrong(ladder: Ladder, order: Sequence[int], after: int) -> float:
    """The Elo by which the best below is better than the worst above; 0 if it is not."""
    above, below = ([ladder.truth[bot] for bot in part] for part in (order[:after], order[after:]))
    return max(0.0, max(below) - min(above))


def cell(kind: Kind, worlds: int, budget: int, seed: int = 0) -> Iterator[list[Ended]]:
    """Yield the ends of runs, of runs looked at once, and of runs whose sets are spread."""
    began = [_played(kind, seed + number) for number in range(worlds)]
    stopped = [run(deepcopy(final), budget, stop=True) for final in began]
    yield stopped
    yield [run(deepcopy(final), budget, stop=False) for final in began]
    yield [spread(deepcopy(final), end.sets) for final, end in zip(began, stopped, strict=True)]


def _played(kind: Kind, seed: int) -> Ladder:
    *_, ladder = Ladder(kind, seed, BOTS).play(GAMES)
    return ladder


def decided_of(ends: Sequence[Ended]) -> float:
    return fmean(decided for end in ends for decided in end.decided)


def wrong_of(ends: Sequence[Ended]) -> list[float]:
    """The Elo by which each border that was said to be decided is wrong."""
    return [wrong for end in ends for decided, wrong in zip(end.decided, end.wrong, strict=True) if decided]


def shown(ends: Sequence[Ended]) -> str:
    wrong = wrong_of(ends)
    share = fmean(elo > 0 for elo in wrong) if wrong else 0.0
    error = math.sqrt(share * (1 - share) / max(1, len(wrong)))
    worst = max(wrong, default=0.0)
    lost = fmean(end.lost for end in ends)
    return f"{decided_of(ends):.2f}, {share:.3f} ±{error:.3f} [{worst:.0f}], {lost:.0f}"


def winners_differ(found: Sequence[Ended], others: Sequence[Ended]) -> str:
    """Return by how many Elo more its winners are worse than the best, from the same worlds, ± 95 %."""
    more = [one.lost - other.lost for one, other in zip(found, others, strict=True)]
    return f"{fmean(more):+.1f} ±{CI95 * stdev(more) / math.sqrt(len(more)):.1f}"


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.tournaments.features.final_runs", description=__doc__)
    parser.add_argument("--worlds", type=int, default=40, help="of each kind (default 40)")
    parser.add_argument("--budget", type=int, default=300, help="sets of a run (default 300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", type=int, nargs="*", help="numbers of kinds, from 0 (default all)")
    options = parser.parse_args()
    heads = (
        "ladder",
        "sets of the run",
        "the run",
        "looked at once, all sets",
        "as many sets, spread",
        "run less spread",
    )
    say(f"| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|")
    for kind in [KINDS[number] for number in options.kind] if options.kind else KINDS:
        runs = list(cell(kind, options.worlds, options.budget, options.seed))
        sets = [end.sets for end in runs[0]]
        taken = f"{fmean(sets):.0f} [{quantiles(sets, n=20)[-1]:.0f}]"
        say(f"| {kind.name} | {taken} | {' | '.join(map(shown, runs))} | {winners_differ(runs[0], runs[2])} |")
