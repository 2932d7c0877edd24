"""The one door: settings, entrants and the results so far, to what is to be played and how things stand."""

from collections.abc import Iterable, Mapping, Sequence

from tournaments.formats.checking import check
from tournaments.formats.event import Event, Stage
from tournaments.formats.knockout import KnockoutStage
from tournaments.formats.model import Entrant, Outcome, Performance, Plan, SetResult, Table
from tournaments.formats.robin import RoundRobinStage
from tournaments.formats.rows import honest_first
from tournaments.formats.spec import Knockout, RoundRobin, Spec, Swiss
from tournaments.formats.swiss import SwissStage


def plan(
    spec: Spec,
    entrants: Iterable[Entrant],
    results: Mapping[str, SetResult],
    *,
    event: str,
    performance: Performance | None = None,
) -> Plan:
    """Where the event stands: pure, the same for the same input in whatever order, and what it issued it never takes
    back, whatever results come in and whoever leaves after the last round. `event` names it, and seeds every lot.
    Results of pairings that were not issued are ignored. Refuses settings or entrants that cannot be played.
    """
    stage, walk = begin(spec, entrants, lambda pairing: results.get(pairing.key), event, performance)
    return finish(stage, walk, done=walk.walk(stage.draws()))


def begin(
    spec: Spec, entrants: Iterable[Entrant], outcome: Outcome, event: str, performance: Performance | None = None
) -> tuple[Stage, Event]:
    field = sorted(entrants, key=lambda entrant: entrant.id)
    check(spec, field)
    walk = Event(event, {entrant.id: entrant for entrant in field}, outcome, performance)
    return stage_of(walk, spec, walk.seeded(walk.entrants)), walk


def stage_of(event: Event, spec: Spec, field: Sequence[int]) -> Stage:
    match spec:
        case RoundRobin():
            return RoundRobinStage(event, spec, "robin", field)
        case Swiss():
            return SwissStage(event, spec, "swiss", field)
        case Knockout():
            return KnockoutStage(event, spec, "knockout", field)


def finish(stage: Stage, event: Event, *, done: bool) -> Plan:
    ranking = honest_first(event, stage.ranking())
    tables: list[Table] = stage.tables()
    return Plan(
        pairings=tuple(event.pairings),
        now=tuple(event.now),
        byes=tuple(event.byes),
        round=event.round,
        done=done,
        table=tables[0].rows,
        stages=tuple(tables),
        winners=tuple(entrant for entrant in ranking[:1] if done and not event.entrants[entrant].disqualified),
    )
