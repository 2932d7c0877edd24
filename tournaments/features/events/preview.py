"""A preview of an event with a given number of entrants: its rounds, their duration, and the first pairings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bots.formats.model import Entrant
from bots.formats.schedule_length import most_sets
from bots.formats.settings import Gauntlet, Groups, League, Spec
from tournaments.features.events.event_format import format_of
from tournaments.features.events.seeding import by_hand, seeds_of
from tournaments.formats.planning import plan
from tournaments.formats.simulation import Expectation, simulate
from tournaments.formats.timetable import PlannedRound, timetable
from tournaments.ladders.standings import active_versions
from tournaments.matchmaking.forecasts import longest, match_seconds, workers_here
from tournaments.models import Entry, Event, Ladder
from tournaments.pages.desk.durations import span

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


def outlook(event: Event, entrants: Sequence[Entrant], names: dict[int, str]) -> Outlook:
    """The preview. Raises Refused, as the format does, for what cannot be played."""
    spec, ladder, workers = format_of(event), event.ladder, max(1, workers_here(event.ladder.space))
    first, most = plan(spec, entrants, {}, event="preview"), most_sets(spec, len(entrants))
    lately = match_seconds(ladder.game, seats_of(spec))
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
        stops=[Stop(leg, _at(event, leg), after(leg)) for leg in legs],
        tables=[(it.table, [names[one] for one in it.entrants]) for it in first.now if it.rep == 1],
        byes=[names[bye.entrant] for bye in first.byes],
    )


def _at(event: Event, leg: PlannedRound) -> datetime | None:
    return event.starts_at + timedelta(minutes=leg.begins) if event.starts_at else None


def after(leg: PlannedRound) -> str:
    return f"{span(60 * leg.begins)} after the start" if leg.begins else "at the start"


def seats_of(spec: Spec) -> int:
    match spec:
        case Groups():
            return max(spec.first.seats, spec.then.seats)
        case League():
            return spec.season.seats
        case _:
            return spec.seats


def likely(ladder: Ladder, count: int, spec: Spec) -> tuple[list[Entrant], dict[int, str]]:
    """So many entrants: a gauntlet's panel, the best that play in the ladder now, and strangers. With their names."""
    playing = set(ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True))
    versions = {version.bot_id: version for version in active_versions(ladder) if version.bot_id in playing}
    seeds = seeds_of(ladder, versions.values())
    panel = [bot for bot in (spec.panel if isinstance(spec, Gauntlet) else ()) if bot not in seeds]
    known = sorted(seeds, key=lambda bot: -seeds[bot][0])
    strangers = [-number for number in range(1, count + 1)]
    field = [*panel, *known, *strangers][: max(count, len(panel))]
    names = {bot: str(versions[bot].bot) if bot in versions else _stranger(bot) for bot in field}
    return [Entrant(bot, *seeds.get(bot, (1500.0, 350.0))) for bot in field], names


def _stranger(bot: int) -> str:
    return f"newcomer {-bot}" if bot < 0 else f"bot {bot}"


def registered(event: Event) -> tuple[list[Entrant], dict[int, str]]:
    """Those who take part, as they would be seeded now."""
    versions = {version.bot_id: version for version in active_versions(event.ladder)}
    playing = list(event.entrants.filter(status="playing").select_related("bot"))
    bots = {each.bot_id: str(each.bot) for each in playing}
    seeds = seeds_of(event.ladder, [versions[bot] for bot in bots if bot in versions])
    known = {bot: seeds.get(bot, (1500.0, 350.0)) for bot in bots}
    order = {each.bot_id: each.hand_seed for each in playing if each.hand_seed}
    ratings = by_hand({bot: elo for bot, (elo, _) in known.items()}, order)
    return [Entrant(bot, ratings[bot], known[bot][1]) for bot in bots], bots
