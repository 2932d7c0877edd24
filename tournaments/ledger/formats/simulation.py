"""A format simulated before it is announced: many events with the present ratings.

In every event each entrant has a true strength, drawn from its rating and its uncertainty. A game is ordered by
strength plus Gumbel luck, which is the Plackett-Luce model: 400 Elo are 10:1 to finish ahead. A share of the luck's
variance belongs to the deal and the seat, and all games of a set have it in common. (The split is exact: if S is
positive stable with exponent a, then a * (log S + Gumbel) is Gumbel again; Kanter's formula draws S.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, cos, log, pi, sin, sqrt
from statistics import fmean

from bots.formats.model import Entrant, Pairing, Plan, SetResult
from bots.formats.planning import finish_plan
from bots.formats.settings import Spec
from engine.dice import Dice
from tournaments.ledger.formats.planning import begin_event_run

Q = log(10) / 400
FINE = 1 << 40


@dataclass(frozen=True, slots=True)
class Expectation:
    """What to expect of one event: means over the simulated ones."""

    events: int
    rounds: float
    sets: float
    matches: float
    hours: float  # from the first match to the last, if a round's sets are spread over all workers
    machine_hours: float
    best_wins: float  # the chance that the truly best wins
    best_wins_pm: float  # half of its 95 % interval, from the number of simulated events
    elo_lost: float  # by which the winner is weaker than the best
    tau: float  # Kendall's, of the final table against the truth


@dataclass(frozen=True, slots=True)
class _Run:
    rounds: int
    sets: int
    matches: int
    hours: float
    best_won: bool
    elo_lost: float
    tau: float


def simulate(
    spec: Spec,
    entrants: Sequence[Entrant],
    *,
    minutes: float = 1.0,
    workers: int = 2,
    deal: float = 0.5,
    events: int = 200,
    seed: str = "rehearsal",
) -> Expectation:
    """`minutes` a match; `workers` sets at once; `deal` is the share of luck that the deal has in common."""
    runs = [_run(spec, entrants, f"{seed}/{number}", minutes, workers, deal) for number in range(events)]
    chance = fmean(run.best_won for run in runs)
    matches = fmean(run.matches for run in runs)
    return Expectation(
        events=events,
        rounds=fmean(run.rounds for run in runs),
        sets=fmean(run.sets for run in runs),
        matches=matches,
        hours=fmean(run.hours for run in runs),
        machine_hours=matches * minutes / 60,
        best_wins=chance,
        best_wins_pm=1.96 * sqrt(chance * (1 - chance) / events),
        elo_lost=fmean(run.elo_lost for run in runs),
        tau=fmean(run.tau for run in runs),
    )


def side_by_side(rehearsals: Mapping[str, Expectation]) -> str:
    """Several formats as one table, in Markdown."""
    lines = [
        "| format | matches | hours | machine hours | best wins | Elo lost | tau |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, r in rehearsals.items():
        chance = f"{100 * r.best_wins:.0f} ± {100 * r.best_wins_pm:.0f} %"
        numbers = f"{r.matches:.0f} | {r.hours:.1f} | {r.machine_hours:.1f} | {chance} | {r.elo_lost:.0f} | {r.tau:.3f}"
        lines.append(f"| {name} | {numbers} |")
    return "\n".join(lines)


def _run(spec: Spec, entrants: Sequence[Entrant], name: str, minutes: float, workers: int, deal: float) -> _Run:
    truth = {e.id: e.rating + e.sd * _normal(Dice.of(f"{name}/truth/{e.id}")) for e in entrants}

    def play(pairing: Pairing) -> SetResult:
        return simulated_set(truth, Dice.of(f"{name}/{pairing.key}"), deal, pairing.entrants)

    stage, event = begin_event_run(spec, entrants, play, name)
    plan = finish_plan(stage, event, done=event.walk(stage.draws()))
    best, won = max(truth.values()), truth[plan.winners[0]]
    minutes_in_all = sum(duration(batch, workers, minutes) for batch in event.batches)
    matches = sum(pairing.matches for pairing in plan.pairings)
    return _Run(
        plan.round, len(plan.pairings), matches, minutes_in_all / 60, won == best, best - won, _tau(plan, truth)
    )


def duration(batch: Sequence[Pairing], workers: int, minutes: float) -> float:
    """A worker plays the matches of a set one after another."""
    return ceil(len(batch) / workers) * minutes * max((pairing.matches for pairing in batch), default=0)


def _tau(plan: Plan, truth: Mapping[int, float]) -> float:
    order = [truth[row.entrant] for row in plan.table]
    pairs = len(order) * (len(order) - 1) // 2
    return 2 * sum(upper > lower for upper, lower in combinations(order, 2)) / max(1, pairs) - 1


def simulated_set(truth: Mapping[int, float], dice: Dice, deal: float, entrants: Sequence[int]) -> SetResult:
    """A set: one deal, and a game for each rotation of the seats."""
    seats, own = len(entrants), sqrt(1 - deal)
    dealt = [stable(dice, own) for _ in range(seats)]
    games = []
    for turn in range(seats):
        luck = [own * (dealt[(seat + turn) % seats] + gumbel(dice)) for seat in range(seats)]
        games.append(_places([Q * truth[entrant] + chance for entrant, chance in zip(entrants, luck, strict=True)]))
    return SetResult(tuple(entrants), tuple(games))


def _places(scores: Sequence[float]) -> tuple[int, ...]:
    best = sorted(scores, reverse=True)
    return tuple(1 + best.index(score) for score in scores)


def _share(dice: Dice) -> float:
    """Return a share between 0 and 1, and neither of them."""
    return (1 + dice.below(FINE)) / (FINE + 2)


def gumbel(dice: Dice) -> float:
    return -log(-log(_share(dice)))


def _normal(dice: Dice) -> float:
    return sqrt(-2 * log(_share(dice))) * cos(2 * pi * _share(dice))


def stable(dice: Dice, a: float) -> float:
    """The logarithm of a positive stable number with exponent a; 0 where a is 1."""
    if a == 1:
        return 0.0
    angle, waiting = pi * _share(dice), -log(_share(dice))
    return log(sin(a * angle)) - log(sin(angle)) / a + (1 - a) / a * (log(sin((1 - a) * angle)) - log(waiting))
