"""A preview of an event with a given number of entrants: its rounds, their duration, and the first pairings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bots.formats.model import Entrant
from bots.formats.schedule_length import most_sets
from bots.formats.settings import Gauntlet, Groups, League, Spec
from tournaments.features.events.event_format import format_of
from tournaments.features.events.seeding import by_hand, seeds_of
from tournaments.ledger.formats.planning import plan_event
from tournaments.ledger.formats.simulation import Expectation, simulate
from tournaments.ledger.formats.timetable import PlannedRound, timetable
from tournaments.ledger.ladders.standings import active_versions
from tournaments.ledger.matchmaking.forecasts import longest, match_seconds, workers_in_space
from tournaments.models import Entry, Event, Ladder
from tournaments.web.pages.desk.durations import duration_text
from tournaments.web.pages.sentences import figure, say

MOST_SETS, SIMULATED = 2000, 1500  # of an event that is rehearsed here, and of all its rehearsals together
MOST_EVENTS = 30


@dataclass(frozen=True, slots=True)
class Stop:
    """A round on the timetable."""

    leg: PlannedRound
    at: datetime | None
    after: str  # the start, where that is not known


@dataclass(frozen=True, slots=True)
class Outlook:
    entrants: int
    most_sets: int
    minutes: float  # a match
    measured: bool  # or else by the clock, at most
    workers: int
    rehearsal: Expectation | None  # none of what is too large for it
    stops: Sequence[Stop]
    tables: Sequence[tuple[int, Sequence[str]]]  # of the first round: their numbers, and who sits there
    byes: Sequence[str]


def outlook_of_event(event: Event, entrants: Sequence[Entrant], names: dict[int, str]) -> Outlook:
    """Return the preview. Raises Refused, as the format does, for what cannot be played."""
    spec, ladder, workers = format_of(event), event.ladder, max(1, workers_in_space(event.ladder.space))
    first, most = plan_event(spec, entrants, {}, event="preview"), most_sets(spec, len(entrants))
    lately = match_seconds(ladder.game, seats_needed(spec))
    minutes = (sum(lately) / len(lately) if lately else longest(ladder)) / 60
    small = most <= MOST_SETS
    legs = timetable(spec, entrants, minutes=minutes, workers=workers) if small else []
    times = max(1, min(MOST_EVENTS, SIMULATED // max(1, most)))
    return Outlook(
        entrants=len(entrants),
        most_sets=most,
        minutes=minutes,
        measured=bool(lately),
        workers=workers,
        rehearsal=simulate(spec, entrants, minutes=minutes, workers=workers, events=times) if small else None,
        stops=[Stop(leg, _begin_of(event, leg), time_after_start(leg)) for leg in legs],
        tables=[(pairing.table, [names[bot] for bot in pairing.entrants]) for pairing in first.now if pairing.rep == 1],
        byes=[names[bye.entrant] for bye in first.byes],
    )


def _begin_of(event: Event, leg: PlannedRound) -> datetime | None:
    return event.starts_at + timedelta(minutes=leg.begins) if event.starts_at else None


def time_after_start(leg: PlannedRound) -> str:
    return f"{duration_text(60 * leg.begins)} after the start" if leg.begins else "at the start"


def seats_needed(spec: Spec) -> int:
    match spec:
        case Groups():
            return max(spec.first.seats, spec.then.seats)
        case League():
            return spec.season.seats
        case _:
            return spec.seats


def likely(ladder: Ladder, count: int, spec: Spec) -> tuple[list[Entrant], dict[int, str]]:
    """Return `count` entrants, with their names: a gauntlet's panel, the best of the ladder now, and strangers."""
    playing = set(ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True))
    versions = {version.bot_id: version for version in active_versions(ladder) if version.bot_id in playing}
    seeds = seeds_of(ladder, versions.values())
    panel = [bot for bot in (spec.panel if isinstance(spec, Gauntlet) else ()) if bot not in seeds]
    best = sorted(seeds, key=lambda bot: -seeds[bot][0])
    strangers = [-number for number in range(1, count + 1)]
    field = [*panel, *best, *strangers][: max(count, len(panel))]
    names = {bot: str(versions[bot].bot) if bot in versions else _stranger(bot) for bot in field}
    return [Entrant(bot, *seeds.get(bot, (1500.0, 350.0))) for bot in field], names


def _stranger(bot: int) -> str:
    return f"newcomer {-bot}" if bot < 0 else f"bot {bot}"


def registered(event: Event) -> tuple[list[Entrant], dict[int, str]]:
    """Return those who take part, as they would be seeded now, with their names."""
    versions = {version.bot_id: version for version in active_versions(event.ladder)}
    playing = list(event.entrants.filter(status="playing").select_related("bot"))
    bots = {entrant.bot_id: str(entrant.bot) for entrant in playing}
    seeds = seeds_of(event.ladder, [versions[bot] for bot in bots if bot in versions])
    strengths = {bot: seeds.get(bot, (1500.0, 350.0)) for bot in bots}
    order = {entrant.bot_id: entrant.hand_seed for entrant in playing if entrant.hand_seed}
    ratings = by_hand({bot: elo for bot, (elo, _) in strengths.items()}, order)
    return [Entrant(bot, ratings[bot], strengths[bot][1]) for bot in bots], bots


def outlook_facts(outlook: Outlook) -> list[tuple[str, str]]:
    """Return how long the event takes, and how often the best wins, each with its title."""
    clock = "%(time)s, at most, by the clock: none was played here recently."
    by = "%(time)s, by the last ones at such tables." if outlook.measured else clock
    match = (say("A match"), say(by, time=duration_text(60 * outlook.minutes)))
    if outlook.rehearsal is None:
        most = "%(sets)s sets at most. That is too much to simulate here; `manage.py rehearse` can."
        return [match, (say("In all"), say(most, sets=figure(f"{outlook.most_sets:,}")))]
    expected = outlook.rehearsal
    best, pm = f"{100 * expected.best_wins:.0f}", f"{100 * expected.best_wins_pm:.0f}"
    return [
        match,
        (say("In all"), _in_all(expected)),
        (say("It takes"), _takes(duration_text(3600 * expected.hours), outlook.workers)),
        (say("The best wins"), say("%(best)s %% of the time, ± %(pm)s.", best=best, pm=pm)),
    ]


def _in_all(expected: Expectation) -> str:
    return say(
        "Rounds: %(rounds)s, sets: %(sets)s, matches: %(matches)s; rehearsed %(times)s.",
        rounds=_about(expected.rounds),
        sets=_about(expected.sets),
        matches=_about(expected.matches),
        times=say("once") if expected.events == 1 else say("%(number)s times", number=expected.events),
    )


def _takes(time: str, workers: int) -> str:
    one, more = (
        "%(time)s with one worker and nothing else to play.",
        "%(time)s with %(workers)s workers and nothing else to play.",
    )
    return say(one if workers == 1 else more, time=time, workers=workers)


def _about(number: float) -> str:
    whole = figure(f"{number:,.0f}")
    return whole if abs(number - round(number)) < 0.05 else say("about %(number)s", number=whole)
