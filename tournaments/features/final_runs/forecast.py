"""How many sets and how long a final run will take.

It depends on how close two bots are, and the ratings may be wrong by their errors. So true ratings are drawn from both,
and the number of sets is computed for each draw.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt
from random import Random
from statistics import median

from engine.sentences import Sentence
from tournaments.features.final_runs.borders import Borders
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.ledger.matchmaking.forecasts import forecast_ladder
from tournaments.models import Ladder
from tournaments.ratings.surely_ahead import error_that_tells

DRAWS = 200
MINUTES, HOURS = 90, 48  # from so many on larger units are told


@dataclass(frozen=True, slots=True)
class FinalForecast:
    """Over all draws: the median of the sets that decide every border, and the share decided by `sets_at_most`."""

    usual: float
    decided: float


def forecast_sentence(ladder: Ladder, borders: Borders, sets_at_most: int) -> Sentence:
    """Say in how many cases the sets decide all borders, and how long they take."""
    if not borders.unsure:
        return Sentence("All of them are decided already: the ladder closes as soon as what is under way is over.")
    expected = final_forecast(borders, ladder.seats, sets_at_most)
    is_short = expected.usual > sets_at_most
    return Sentence(
        "The %(sets)s sets that are allowed decide all in about %(cases)s of 10 cases, by %(draws)s draws from the "
        "ratings and their errors; they take %(time_said)s."
        if is_short
        else "The %(sets)s sets that are allowed decide all in about %(cases)s of 10 cases, by %(draws)s draws from "
        "the ratings and their errors; half of the cases take no more than %(half)s sets, %(time_said)s.",
        sets=sets_at_most,
        cases=round(10 * expected.decided),
        draws=DRAWS,
        half=max(1, ceil(expected.usual)) if not is_short else "",
        time_said=_time(ladder, sets_at_most if is_short else expected.usual),
    )


def final_forecast(borders: Borders, seats: int, sets_at_most: int) -> FinalForecast:
    draws = Random(0)  # the same preview twice is the same
    sets = [_sets_needed(borders, seats, draws) for _ in range(DRAWS)]
    return FinalForecast(median(sets), sum(number <= sets_at_most for number in sets) / DRAWS)


def _sets_needed(borders: Borders, seats: int, draws: Random) -> float:
    """Return the sets of one draw. Errors shrink with the root of the sets; those who need more fill the tables."""
    more: defaultdict[int, float] = defaultdict(float)
    for border in borders.of:
        near = borders.near(border)
        above = len({pair.above for pair in border.unsure})
        for line, times in _times(near, above, [draws.gauss(line.elo, line.sd) for line in near]):
            more[line.version_id] = max(more[line.version_id], max(1, line.rating.sets) * (times - 1))
    return sum(more.values()) / min(seats, max(2, len(more)))


def _times(near: Sequence[StandingsLine], above: int, true: Sequence[float]) -> Iterator[tuple[StandingsLine, float]]:
    """Yield who needs more sets to be told apart from the other side, and how many times as many."""
    order = sorted(range(len(near)), key=lambda place: -true[place])
    for rank, place in enumerate(order):
        other = order[above] if rank < above else order[above - 1]
        wanted = error_that_tells(true[place] - true[other]) / sqrt(2)  # of the error of each
        times = (near[place].sd / wanted) ** 2 if wanted else inf
        if times > 1:
            yield near[place], times


def _time(ladder: Ladder, sets: float) -> Sentence:
    pace = forecast_ladder(ladder)
    if not pace.workers:
        return Sentence("how long is unknown: no worker is online")
    return Sentence(
        "about %(time_said)s here, if the workers play nothing else"
        if pace.measured
        else "at most %(time_said)s here, if the workers play nothing else",
        time_said=_spoken(60 * sets / pace.sets_an_hour),
    )


def _spoken(minutes: float) -> Sentence:
    if minutes < MINUTES:
        whole = max(1, ceil(minutes))
        return Sentence("1 minute") if whole == 1 else Sentence("%(minutes)s minutes", minutes=whole)
    hours = minutes / 60
    if hours < HOURS:
        return Sentence("%(hours)s hours", hours=f"{hours:.0f}")
    return Sentence("%(days)s days", days=f"{hours / 24:.0f}")
