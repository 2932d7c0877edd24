"""How long matches and sets may take, before any is played: by the clock, recent measurements, and the workers
online."""

from dataclasses import dataclass
from statistics import median

from django.db.models import Max
from redis import RedisError

from tournaments.core.broker.available_workers import Players
from tournaments.core.config.space_limits import ANSWERS
from tournaments.ledger.dispatch import wait_bound
from tournaments.ledger.dispatch.match_durations import sites_results
from tournaments.ledger.matchmaking.wait_inputs import lines_and_workers, workers_for
from tournaments.models import Ladder, Result, Space

LATELY = 200  # results that are measured
RECENT = 20_000  # matches of the site that they are looked for in
FIELD = 10  # bots that a new ladder is thought to have, for the wait


@dataclass(frozen=True, slots=True)
class Forecast:
    """Of one ladder. Times are in seconds."""

    seats: int
    measured: int  # matches of that game and size that speak for `usual`
    usual: float  # of a match
    most: float  # of a match, if every bot uses all its time
    workers: int
    wait: float  # for a match, of one that enters a field of FIELD

    @property
    def set_usual(self) -> float:
        return self.usual * self.seats

    @property
    def sets_an_hour(self) -> float:
        return 3600 * self.workers / self.set_usual


def forecast_ladder(ladder: Ladder) -> Forecast:
    """Return how long matches and waits will take in a ladder, which need not be saved yet."""
    seats, most, lately = max(ladder.sizes), longest(ladder), match_seconds(ladder.game, max(ladder.sizes))
    usual, players = median(lately) if lately else most, players_here(ladder.space)
    lines, workers = lines_and_workers(ladder, players, new=1)
    figures = wait_bound.LadderFigures(
        seats=min(ladder.sizes),
        pace=ladder.pace_seconds,
        due=ladder.sets_wanted * FIELD / seats,
        waiting=0,
        lines=lines,
        workers=workers,
        set_seconds=usual * seats,
        longest=max(lately, default=most),
    )
    return Forecast(
        seats, len(lately), usual, most, sum(players), wait_bound.max_wait(figures, wait_bound.BotFigures(ahead=FIELD))
    )


def longest(ladder: Ladder) -> float:
    """The longest match: every bot uses up its clock and answers as often as it can be asked."""
    clock = ladder.clock
    return max(ladder.sizes) * (clock.start_ms + clock.bank_ms + clock.increment_ms * ANSWERS) / 1000


def match_seconds(game: str, seats: int) -> list[float]:
    """Return seconds of the game's latest matches at tables of that size, none if there were none lately.

    Checks of uploads do not count: there a bot sits alone.
    """
    newest = Result.objects.aggregate(last=Max("match"))["last"] or 0
    recent = sites_results().filter(match__gt=newest - RECENT, match__set__game=game, match__set__checks=None)
    sized = recent.filter(match__set__options__players=seats)
    return list(sized.order_by("-match").values_list("seconds", flat=True)[:LATELY])


def workers_in_space(space: Space | None = None) -> int:
    """Online workers that play Python for the site, or for a space. 0 while the broker is away."""
    return sum(players_here(space))


def players_here(space: Space | None) -> Players:
    try:
        return workers_for("python", space)
    except RedisError:
        return Players(0)
