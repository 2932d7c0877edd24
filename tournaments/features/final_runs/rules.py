"""The state of a ladder's final run. Only this module begins and ends one."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from tournaments.features.final_runs.text import summary
from tournaments.models import Act, Bot, FinalRun, Ladder
from tournaments.notices import triggers

State = FinalRun.State
Rows = list[dict[str, Any]]  # of the borders, as `ladders.borders` has them
MOST_SETS = 10_000  # of one run


def under_way(ladder: Ladder) -> FinalRun | None:
    return FinalRun.objects.filter(state=State.RUNNING, ladder=ladder).first()


def begin(*, act: Act, **fields: object) -> None:
    """`fields`: of the run."""
    run = FinalRun.objects.create(act=act, **fields)
    triggers.final_run_began(run, _concerned(run))


def look(run: FinalRun, judged: Rows, near: Iterable[int], waits: str = "") -> None:
    """Keep how its borders stand, who is near them, and why nothing is dealt where it waits."""
    seen = judged, sorted({*run.bots, *near}), waits
    if seen != (run.judged, run.bots, run.waits):
        run.judged, run.bots, run.waits = seen
        run.save(update_fields=["judged", "bots", "waits"])


def end(run: FinalRun, state: State, act: Act) -> None:
    run.state, run.ended_by, run.ended_at, run.waits = state, act, timezone.now(), ""
    run.save(update_fields=["state", "ended_by", "ended_at", "waits"])
    triggers.final_run_ended(run, _concerned(run), summary(run))


def _concerned(run: FinalRun) -> Iterable[Bot]:
    return Bot.objects.filter(pk__in=run.bots).order_by("pk")
