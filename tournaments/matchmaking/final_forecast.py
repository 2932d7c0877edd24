"""What a final run will take: so many sets, and so long, if the ratings stay where they are."""

from collections import defaultdict
from math import ceil, inf

from tournaments.ladders.borders import Borders
from tournaments.ladders.standings import StandingsLine
from tournaments.matchmaking.forecasts import forecast
from tournaments.models import Ladder
from tournaments.ratings.borders import SURE, Line, apart

MINUTES, HOURS = 90, 48  # from so many on larger units are told


def foreseen(ladder: Ladder, known: Borders, sets_at_most: int) -> str:
    """In a sentence."""
    if not known.unsure:
        return "All of them are decided already: the ladder closes as soon as what is under way is over."
    needed = sets_needed(known, ladder.seats)
    if needed > sets_at_most:
        return (
            f"If the ratings stay where they are, the {sets_at_most} sets that are allowed do not decide all of them; "
            f"they take {_time(ladder, sets_at_most)}."
        )
    return (
        f"If the ratings stay where they are, about {ceil(needed)} sets decide all; they take {_time(ladder, needed)}."
    )


def sets_needed(known: Borders, seats: int) -> float:
    """Errors shrink with the root of the sets; those near a border fill the tables."""
    grown: defaultdict[int, float] = defaultdict(float)
    for pair in known.unsure:
        factor = _factor(*pair)
        for line in pair:
            more = max(1, line.rating.sets) * (factor - 1)
            grown[line.version_id] = max(grown[line.version_id], more)
    return sum(grown.values()) / min(seats, len(grown))


def _factor(one: StandingsLine, other: StandingsLine) -> float:
    """How many times as many sets tell the two apart."""
    now = apart(Line(one.elo, one.sd), Line(other.elo, other.sd))
    return (SURE / now) ** 2 if now > 0 else inf


def _time(ladder: Ladder, sets: float) -> str:
    known = forecast(ladder)
    if not known.workers:
        return "nobody knows how long: no worker is here"
    how = "about" if known.measured else "at most"
    return f"{how} {_spoken(60 * sets / known.sets_an_hour)} here, if the workers play nothing else"


def _spoken(minutes: float) -> str:
    if minutes < MINUTES:
        return f"{(whole := max(1, ceil(minutes)))} minute{'' if whole == 1 else 's'}"
    hours = minutes / 60
    return f"{hours:.0f} hours" if hours < HOURS else f"{hours / 24:.0f} days"
