"""The progress of a final run: judge by the newest fit, deal the next sets, and finally close the ladder.

All of its state is in the database, so any dispatcher can continue it. Nothing is dealt once all borders are decided;
sets under way are finished and count, and the ladder closes only if the borders are still decided then.
"""

from dataclasses import dataclass, replace

from django.db import transaction

from engine.sentences import Sentence
from tournaments.acts.base import Effect
from tournaments.acts.ladder_status import Close
from tournaments.audit.log import PLATFORM
from tournaments.broker.failing_items import FAILING_ITEMS
from tournaments.features.final_runs.borders import Borders, borders_of, is_settled
from tournaments.features.final_runs.deals import Outlook, deal_next, outlook, room_of, sets_to_play
from tournaments.features.final_runs.rules import look
from tournaments.features.final_runs.text import sentences
from tournaments.models import FinalRun, Ladder
from workers.isolation import each

State = FinalRun.State
WHY = {
    State.DECIDED: Sentence("its final run is over: every border is decided"),
    State.SPENT: Sentence("its final run is over: all the sets that it was allowed are played"),
    State.STUCK: Sentence("its final run is over: nothing more can be dealt near the borders that are open"),
}


@dataclass(frozen=True, slots=True)
class CloseAfterRun(Close):
    """Close, with what became of the run and its borders."""

    run: FinalRun
    how: State

    def ends_run(self) -> State:
        return self.how

    def of_run(self, ladder: Ladder) -> list[str]:  # noqa: ARG002  the run is known
        return [*sentences(self.run, self.how)]

    def preview(self) -> Effect:
        effect = super(CloseAfterRun, self).preview()
        told = {"act": self.run.act.number, "sets": self.run.sets, "judged": self.run.judged}
        return replace(effect, more={**effect.more, "final_run": told})


def go_on() -> int:
    """Deal the next sets of each run, or end it. Returns how many sets were dealt and runs ended."""
    ours = FinalRun.objects.filter(state=State.RUNNING)
    running = ours.select_related("ladder").order_by("pk")
    return each("final runs", running, _go_on, FAILING_ITEMS, lambda run: f"ladder {run.ladder.slug}")


@transaction.atomic
def _go_on(found: FinalRun) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=found.ladder_id)
    runs = FinalRun.objects.select_for_update(of=("self",)).filter(pk=found.pk, state=State.RUNNING)
    run = runs.select_related("act").first()
    if run is None:
        return 0
    run.ladder = ladder
    room, to_play = room_of(run), sets_to_play(ladder)
    if not room and to_play:
        return 0
    known = borders_of(ladder, run.borders)
    ahead = outlook(ladder, known) if known.unsure and run.sets < run.sets_at_most else None
    if ahead and not ahead.stuck:
        return _deal(run, known, ahead, room)
    look(run, known.rows(), known.bots())
    return 0 if to_play or not is_settled(ladder) else _close(run, _how(known, ahead))


def _deal(run: FinalRun, known: Borders, ahead: Outlook, room: int) -> int:
    dealt = 0 if ahead.waits else deal_next(run, ahead, room)
    nobody = Sentence("too few of its bots can be run by the workers that are here.") if room and not dealt else ""
    look(run, known.rows(), known.bots(), ahead.waits or nobody)
    return dealt


def _how(known: Borders, ahead: Outlook | None) -> State:
    if not known.unsure:
        return State.DECIDED
    return State.STUCK if ahead else State.SPENT


def _close(run: FinalRun, how: State) -> int:
    CloseAfterRun(run.ladder, run=run, how=how).do(by=PLATFORM, reason=WHY[how])
    return 1
