"""How often a final run errs, and what it takes.

    python3 -m tests.tournaments.features.final_runs.errors [--worlds N] [--seed S]

Ladders of `tests.tournaments.ratings.ladders` play 40 games of each bot, paired by waves. Then the same ladder goes on
in three ways: by a final run, which stops where it may; by a run with all of its budget, looked at once; and by as many
sets as the run took, spread by waves over everybody. A border that is said to be decided is wrong if somebody below it
is in truth better than somebody above.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from statistics import fmean, quantiles

from engine.dice import Dice
from tests.tournaments.ratings.ladders import Kind, Ladder
from tournaments.features.final_runs.border_decisions import Border, Line, Pair, border_of
from tournaments.features.final_runs.tables import choose_table
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.ratings.fit import fit_ratings

KINDS = (
    Kind("four at a table"),
    Kind("two at a table", seats=2),
    Kind("four, nearly alike: sd 50", sd=50.0),
    Kind("two, rock, paper, scissors", seats=2, clash=100.0),
    Kind("two, rock, paper, scissors, by_lot 50", seats=2, clash=100.0, by_lot=50),
)
BOTS, GAMES, AHEAD = 20, 40, 4  # in a ladder; of each before; sets under way at once
BORDERS = (3, 10)


@dataclass(frozen=True, slots=True)
class Ended:
    """How one ladder stood in the end: of each border whether it was decided, and by how many Elo it is wrong."""

    sets: int
    decided: tuple[bool, ...]
    wrong: tuple[float, ...]


def judged(ladder: Ladder) -> tuple[list[int], list[Border]]:
    """The bots, best first, and the borders."""
    ratings = ladder.ratings
    order = sorted(ladder.elos, key=lambda bot: -ratings.elo[bot])
    lines = [Line(ratings.elo[bot], ratings.sd[bot]) for bot in order]
    return order, [border_of(lines, after) for after in BORDERS]


def run(ladder: Ladder, budget: int, *, stop: bool) -> Ended:
    """Deal to those near a border, `AHEAD` sets at once, until all are decided or the budget is spent."""
    began = len(ladder.sets)
    while len(ladder.sets) - began < budget:
        order, borders = judged(ladder)
        unsure = [pair for border in borders for pair in border.unsure]
        if stop and not unsure:
            break
        pairs = unsure or [border.least for border in borders if border.least]
        _deal(ladder, order, pairs)
    return ended(ladder, len(ladder.sets) - began)


def _deal(ladder: Ladder, order: Sequence[int], pairs: Sequence[Pair]) -> None:
    waiting = dict.fromkeys(order, 0)
    seats, versions = ladder.kind.seats, [(order[pair.above - 1], order[pair.below - 1]) for pair in pairs]
    tables: list[list[int]] = []
    for _ in range(AHEAD):
        dice = Dice.of(f"final {ladder.seed} {len(ladder.sets)} {len(tables)}")
        crowd = [
            Candidate(
                bot, bot, ladder.ratings.elo[bot], ladder.ratings.chance_sd[bot] / math.sqrt(1 + waiting[bot]), 0, 0
            )
            for bot in order
        ]
        tables.append(choose_table(crowd, versions, seats, dice, most=1, by_lot=ladder.kind.by_lot))
        for bot in tables[-1]:
            waiting[bot] += 1
    for each in tables:
        ladder._add(each)
    _refit(ladder)


def _refit(ladder: Ladder) -> None:
    ladder.ratings = fit_ratings(
        ladder.pairs, dict.fromkeys(ladder.elos), prior_sd=ladder.kind.prior_sd, start=ladder.ratings
    )


def spread(ladder: Ladder, sets: int) -> Ended:
    """So many sets more, in waves over everybody."""
    began = len(ladder.sets)
    while len(ladder.sets) - began < sets:
        for each in ladder._wave()[: sets - len(ladder.sets) + began]:
            ladder._add(each)
        _refit(ladder)
    return ended(ladder, sets)


def ended(ladder: Ladder, sets: int) -> Ended:
    order, borders = judged(ladder)
    wrong = [_wrong(ladder, order, border.after) for border in borders]
    return Ended(sets, tuple(border.decided for border in borders), tuple(wrong))


def _wrong(ladder: Ladder, order: Sequence[int], after: int) -> float:
    """By how much the best below is better than the worst above; 0 if it is not."""
    above, below = ([ladder.truth[bot] for bot in part] for part in (order[:after], order[after:]))
    return max(0.0, max(below) - min(above))


def cell(kind: Kind, worlds: int, budget: int, seed: int = 0) -> Iterator[list[Ended]]:
    """Of the run, of one looked at once, and of sets that are spread."""
    began = [_played(kind, seed + number) for number in range(worlds)]
    stopped = [run(deepcopy(one), budget, stop=True) for one in began]
    yield stopped
    yield [run(deepcopy(one), budget, stop=False) for one in began]
    yield [spread(deepcopy(one), each.sets) for one, each in zip(began, stopped, strict=True)]


def _played(kind: Kind, seed: int) -> Ladder:
    *_, ladder = Ladder(kind, seed, BOTS).play(GAMES)
    return ladder


def decided_of(found: Sequence[Ended]) -> float:
    return fmean(decided for each in found for decided in each.decided)


def wrong_of(found: Sequence[Ended]) -> list[float]:
    """Of borders that were said to be decided: the Elo by which each is wrong."""
    return [wrong for each in found for decided, wrong in zip(each.decided, each.wrong, strict=True) if decided]


def shown(found: Sequence[Ended]) -> str:
    wrong = wrong_of(found)
    share = fmean(each > 0 for each in wrong) if wrong else 0.0
    error = math.sqrt(share * (1 - share) / max(1, len(wrong)))
    worst = max(wrong, default=0.0)
    return f"{decided_of(found):.2f}, {share:.3f} ±{error:.3f} [{worst:.0f}]"


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.tournaments.features.final_runs.errors", description=__doc__
    )
    parser.add_argument("--worlds", type=int, default=40, help="of each kind (default 40)")
    parser.add_argument("--budget", type=int, default=300, help="sets of a run (default 300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", type=int, nargs="*", help="numbers of kinds, from 0 (default all)")
    options = parser.parse_args()
    say("| ladder | sets of the run | the run | looked at once, all sets | as many sets, spread |\n" + "|---" * 5 + "|")
    for kind in [KINDS[number] for number in options.kind] if options.kind else KINDS:
        runs = list(cell(kind, options.worlds, options.budget, options.seed))
        sets = [each.sets for each in runs[0]]
        taken = f"{fmean(sets):.0f} [{quantiles(sets, n=20)[-1]:.0f}]"
        say(f"| {kind.name} | {taken} | {' | '.join(map(shown, runs))} |")


if __name__ == "__main__":
    main()
