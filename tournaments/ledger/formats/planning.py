"""The plan of an event, with performance ratings by the fit of `tournaments.ratings`."""

from collections.abc import Iterable, Mapping

from bots.formats import planning
from bots.formats.model import Entrant, Outcome, Plan, SetResult
from bots.formats.runner import EventRun, Stage
from bots.formats.settings import Spec
from tournaments.ratings.performances import performance_ratings


def plan_event(spec: Spec, entrants: Iterable[Entrant], results: Mapping[str, SetResult], *, event: str) -> Plan:
    """Return where the event stands."""
    return planning.plan(spec, entrants, results, event=event, performances=performance_ratings)


def begin_event_run(spec: Spec, entrants: Iterable[Entrant], outcome: Outcome, event: str) -> tuple[Stage, EventRun]:
    """The stage and the event of these entrants, before the first round."""
    return planning.begin_event(spec, entrants, outcome, event, performance_ratings)
