"""How many sets and how long a final run will take.

It depends on how close two bots are, and the ratings may be wrong by their errors. So true ratings are drawn from both,
and the number of sets is computed for each draw: all new ones, as only those count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, sqrt
from random import Random
from statistics import median

from engine.sentences import Sentence
from tournaments.features.final_runs.borders import Borders
from tournaments.ledger.ladders.standings_lines import StandingsLine
from tournaments.ledger.matchmaking.forecasts import forecast_ladder
from tournaments.models import Ladder
from tournaments.ratings.final_table import LEAST
from tournaments.ratings.surely_ahead import error_that_tells, lead_needed

DRAWS, LINES = 200, 20_000  # of a small ladder; of all draws together
MINUTES, HOURS = 90, 48  # from so many on larger units are told


@dataclass(frozen=True, slots=True)
class FinalForecast:
    """Over all draws: the median of the sets that decide every border, and the share decided by `sets_at_most`."""

    usual: float
    decided: float
    draws: int


def forecast_sentence(ladder: Ladder, borders: Borders, sets_at_most: int) -> Sentence:
    """Say in how many cases the sets decide all borders, and how long they take."""
    if not borders.unsure and not borders.lacking:
        return Sentence("All of them are decided already: the ladder closes as soon as what is under way is over.")
    lines = [line.who for line in borders.lines]
    expected = final_forecast(lines, [border.after for border in borders.of], ladder.seats, sets_at_most)
    is_short = expected.usual > sets_at_most
    return Sentence(
        "The %(sets)s sets that are allowed decide all in about %(cases)s of 10 cases, by %(draws)s draws from the "
        "ratings and their errors; they take %(time_said)s."
        if is_short
        else "The %(sets)s sets that are allowed decide all in about %(cases)s of 10 cases, by %(draws)s draws from "
        "the ratings and their errors; half of the cases take no more than %(half)s sets, %(time_said)s.",
        sets=sets_at_most,
        cases=round(10 * expected.decided),
        draws=expected.draws,
        half=max(1, ceil(expected.usual)) if not is_short else "",
        time_said=_time(ladder, sets_at_most if is_short else expected.usual),
    )


def final_forecast(
    lines: Sequence[StandingsLine], places: Sequence[int], seats: int, sets_at_most: int
) -> FinalForecast:
    """Return how the borders after these places go, by the ratings so far, in any order."""
    random, count = Random(0), max(10, min(DRAWS, LINES // len(lines)))  # the same preview twice is the same
    sets = [_sets_needed(lines, places, seats, random) for _ in range(count)]
    return FinalForecast(median(sets), sum(number <= sets_at_most for number in sets) / count, count)


def _sets_needed(lines: Sequence[StandingsLine], places: Sequence[int], seats: int, draws: Random) -> float:
    """Return the sets of one draw. Errors shrink with the root of the sets, of which each bot has LEAST at least."""
    true = sorted(((draws.gauss(line.elo, line.sd), line) for line in lines), key=lambda drawn: -drawn[0])
    needed = [float(LEAST)] * len(lines)
    for after in places:
        for position, (elo, line) in enumerate(true):
            other = true[after if position < after else after - 1][0]
            alone = line.lead_sd * sqrt(2 * max(1, line.rating.sets))  # of a lead, after one set
            if lead_needed(alone / sqrt(needed[position])) > abs(elo - other):
                wanted = error_that_tells(elo - other)
                needed[position] = (alone / wanted) ** 2 if wanted else inf
    return sum(needed) / seats


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
