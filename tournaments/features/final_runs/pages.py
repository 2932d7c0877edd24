"""A ladder's final run, as its page and the desk show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.features.final_runs.text import sentences_of_run
from tournaments.ledger.acts.ladder_status import Close, Reopen
from tournaments.models import Act, FinalRun, Ladder


@dataclass(frozen=True, slots=True)
class ShownRun:
    """What a page shows. `lines`: about the run and each border; `acts`: numbers of those that began and ended it."""

    running: bool
    lines: Sequence[str]
    acts: list[int]


def final_run_of(ladder: Ladder) -> ShownRun | None:
    """Return the run under way, or the one that made the table of a closed ladder final."""
    run = ladder.final_runs.select_related("act", "ended_by").order_by("-pk").first()
    if run is None or not (run.state == FinalRun.State.RUNNING or _closed_by(run, ladder)):
        return None
    acts = [act.number for act in (run.act, run.ended_by) if act]
    return ShownRun(run.state == FinalRun.State.RUNNING, sentences_of_run(run), acts)


def _closed_by(run: FinalRun, ladder: Ladder) -> bool:
    """Return whether the ladder was closed as the run ended, and has not been open since."""
    if ladder.status != Ladder.Status.CLOSED or run.ended_by is None or run.ended_by.kind != Close.kind:
        return False
    later = Act.objects.filter(number__gt=run.ended_by.number, subject=run.ended_by.subject)
    return not later.filter(kind=Reopen.kind).exists()
