"""The entry point of all formats: from settings, entrants and results to the pairings and the standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from bots.formats.fixed_bracket import FixedBracketStage
from bots.formats.gauntlet import GauntletStage
from bots.formats.king_of_the_hill import HillStage
from bots.formats.knockout import KnockoutStage
from bots.formats.model import Entrant, Outcome, Performances, Plan, Row, SetResult
from bots.formats.points import PointsStage
from bots.formats.round_robin import RoundRobinStage
from bots.formats.runner import EventRun, Stage
from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss
from bots.formats.stages import GroupsStage, LeagueStage
from bots.formats.swiss import SwissStage
from bots.formats.table_rows import no_shows, placed
from bots.formats.validation import check_playable
from engine.sentences import Sentence


def plan(
    spec: Spec,
    entrants: Iterable[Entrant],
    results: Mapping[str, SetResult],
    *,
    event: str,
    performances: Performances,
) -> Plan:
    """Return where the event stands. Pure: the same for the same input in any order. What it issued stays issued, with
    any results and any departures after the last round. `event` names it, and seeds every lot. Results of pairings
    that were not issued are ignored. Refuses settings or entrants that cannot be played."""
    stage, walk = begin_event(spec, entrants, lambda pairing: results.get(pairing.key), event, performances)
    return finish_plan(stage, walk, done=walk.walk(stage.draws()))


def begin_event(
    spec: Spec, entrants: Iterable[Entrant], outcome: Outcome, event: str, performances: Performances
) -> tuple[Stage, EventRun]:
    """The stage and the event of these entrants, before the first round."""
    field = sorted(entrants, key=lambda entrant: entrant.id)
    check_playable(spec, field)
    walk = EventRun(event, {entrant.id: entrant for entrant in field}, outcome, performances)
    return stage_of(walk, spec, walk.seeded(walk.entrants)), walk


def stage_of(event: EventRun, spec: Spec, field: Sequence[int], name: str = "") -> Stage:
    match spec:
        case RoundRobin() | Swiss():
            stage = points_stage(event, spec, name or spec.tag, field)
            stage.title = Sentence("Final" if name else "Standings")
            return stage
        case Knockout():
            kind = FixedBracketStage if spec.bracket == "fixed" else KnockoutStage
            return kind(event, spec, name or spec.tag, field)
        case Gauntlet():
            return GauntletStage(event, spec, spec.tag, field)
        case KingOfTheHill():
            return HillStage(event, spec, spec.tag, field)
        case Groups():
            return GroupsStage(event, spec, field, points_stage, partial(_final, event, spec))
        case League():
            return LeagueStage(event, spec, field, points_stage)


def _final(event: EventRun, spec: Groups, qualified: Sequence[int]) -> Stage:
    return stage_of(event, spec.then, qualified, "final")


def points_stage(event: EventRun, spec: RoundRobin | Swiss, name: str, field: Sequence[int]) -> PointsStage:
    kind = RoundRobinStage if isinstance(spec, RoundRobin) else SwissStage
    return kind(event, spec, name, field)  # type: ignore[arg-type]  # the kind is chosen by the settings


def finish_plan(stage: Stage, event: EventRun, *, done: bool) -> Plan:
    """The plan of the rounds that were walked."""
    tables = stage.tables()
    ranking = placed(event, stage.ranking(), *event.tables.values())
    gone = no_shows(event, ranking, *event.tables.values())
    rows = {row.entrant: row for table in reversed(tables) for row in table.rows}  # of the stage that it is in now
    return Plan(
        pairings=tuple(event.pairings),
        now=tuple(event.now),
        byes=tuple(event.byes),
        round=event.round,
        done=done,
        table=tuple(_placed(rows.get(entrant), rank, entrant) for rank, entrant in enumerate(ranking, 1)),
        stages=tuple(tables),
        winners=tuple(entrant for entrant in ranking[:1] if done and event.may_win(entrant) and entrant not in gone),
        bracket=tuple(event.bracket),
        parts=event.parts,
    )


def _placed(row: Row | None, rank: int, entrant: int) -> Row:
    return replace(row, rank=rank) if row else Row(rank, entrant, 0.0, 0)  # it left before its first set
