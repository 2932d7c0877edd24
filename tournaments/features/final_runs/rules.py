"""The state of a ladder's final run. Only this module begins, judges and ends one."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.features.final_runs.text import summary_of_run
from tournaments.models import Act, Bot, FinalRun, Ladder

State = FinalRun.State
Rows = list[dict[str, Any]]  # of the borders, as `Borders.rows` returns them
MOST_SETS = 10_000  # of one run
ENDS = Sentence("Its final run ends, and its borders stay as they are.")


def running_in(ladder: Ladder) -> FinalRun | None:
    """Return the run that is under way."""
    return FinalRun.objects.filter(state=State.RUNNING, ladder=ladder).first()


def begin_final_run(*, act: Act, **fields: object) -> None:
    """Create a run with these fields, and tell the owners near its borders."""
    run = FinalRun.objects.create(act=act, **fields)
    triggers.notify_of_final_run(run, _concerned(run))


def store_borders(run: FinalRun, judged: Rows, near: Iterable[int], waits: str = "") -> None:
    """Store how the borders stand, which bots are near them, and why nothing is dealt if the run waits."""
    state = judged, sorted({*run.bots, *near}), waits
    if state != (run.judged, run.bots, run.waits):
        run.judged, run.bots, run.waits = state
        run.save(update_fields=["judged", "bots", "waits"])


def end_final_run(run: FinalRun, state: State, act: Act) -> None:
    """End a run, and tell the owners who were near its borders."""
    run.state, run.ended_by, run.ended_at, run.waits = state, act, timezone.now(), ""
    run.save(update_fields=["state", "ended_by", "ended_at", "waits"])
    triggers.notify_of_final_run_end(run, _concerned(run), summary_of_run(run))


def check_opening(ladder: Ladder) -> None:
    """Raise Refused(final_run_under_way) while a run keeps the ladder frozen."""
    if running_in(ladder):
        raise Refused(
            "final_run_under_way", "%(ladder)s is in a final run; end that first, and then thaw it", ladder=ladder
        )


def closing_says_run_ends(ladder: Ladder) -> list[str]:
    return [ENDS] if running_in(ladder) else []


def cancel_run(ladder: Ladder, act: Act) -> None:
    """End the run of a ladder that was closed before its borders were decided."""
    if run := running_in(ladder):
        end_final_run(run, State.CANCELLED, act)


def _concerned(run: FinalRun) -> Iterable[Bot]:
    """Return the bots that were near a border at some time."""
    return Bot.objects.filter(pk__in=run.bots).order_by("pk")
