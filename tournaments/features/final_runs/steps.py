"""The progress of a final run: judge by the newest fit, deal the next sets, and finally close the ladder.

All of its state is in the database, so any dispatcher can continue it. Nothing is dealt once all borders are decided;
sets under way are finished and count, and the ladder closes only if the borders are still decided then.
"""

from dataclasses import dataclass, replace

from django.db import transaction

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.features.final_runs.borders import Borders, borders_of, is_settled
from tournaments.features.final_runs.deals import Outlook, deal_next, outlook_of_run, room_of, sets_to_play
from tournaments.features.final_runs.rules import ENDS, end_final_run, store_borders
from tournaments.features.final_runs.text import sentences_of_run
from tournaments.ledger.acts.base import Effect
from tournaments.ledger.acts.ladder_status import Close
from tournaments.models import Act, FinalRun, Ladder
from workers.isolation import handle_each

State = FinalRun.State
WHY = {
    State.DECIDED: Sentence("its final run is over: every border is decided"),
    State.SPENT: Sentence("its final run is over: all the sets that it was allowed are played"),
    State.STUCK: Sentence("its final run is over: nothing more can be dealt near the borders that are open"),
}


@dataclass(frozen=True, slots=True)
class CloseAfterRun(Close):
    """Close as the run ends, and log what became of its borders."""

    run: FinalRun
    how: State

    def says(self, ladder: Ladder) -> list[str]:
        others = super(CloseAfterRun, self).says(ladder)
        return [*sentences_of_run(self.run, self.how), *(sentence for sentence in others if sentence != ENDS)]

    def carry_out(self, act: Act) -> None:
        end_final_run(self.run, self.how, act)
        super(CloseAfterRun, self).carry_out(act)

    def preview(self) -> Effect:
        effect = super(CloseAfterRun, self).preview()
        facts = {"act": self.run.act.number, "sets": self.run.sets, "judged": self.run.judged}
        return replace(effect, more={**effect.more, "final_run": facts})


def continue_runs() -> int:
    """Deal the next sets of each run, or end it. Return how many sets were dealt and runs ended."""
    runs = FinalRun.objects.filter(state=State.RUNNING).select_related("ladder").order_by("pk")
    return handle_each("final runs", runs, _continue, FAILING_ITEMS, lambda run: f"ladder {run.ladder.slug}")


@transaction.atomic
def _continue(listed: FinalRun) -> int:
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=listed.ladder_id)
    runs = FinalRun.objects.select_for_update(of=("self",)).filter(pk=listed.pk, state=State.RUNNING)
    run = runs.select_related("act").first()
    if run is None:
        return 0
    run.ladder = ladder
    room, to_play = room_of(run), sets_to_play(ladder)
    if not room and to_play:
        return 0
    borders = borders_of(ladder, run.borders)
    is_open = bool(borders.unsure or borders.lacking)
    outlook = outlook_of_run(ladder, borders) if is_open and run.sets < run.sets_at_most else None
    if outlook and not outlook.stuck:
        return _deal(run, borders, outlook, room)
    store_borders(run, borders.rows(), borders.bots())
    return 0 if to_play or not is_settled(ladder) else _close(run, _end_state(borders, outlook))


def _deal(run: FinalRun, borders: Borders, outlook: Outlook, room: int) -> int:
    dealt = 0 if outlook.waits else deal_next(run, outlook, room)
    asked = room and (outlook.pairs or outlook.wanted)
    nobody = Sentence("too few of its bots can be run by the workers that are here.") if asked and not dealt else ""
    store_borders(run, borders.rows(), borders.bots(), outlook.waits or nobody)
    return dealt


def _end_state(borders: Borders, outlook: Outlook | None) -> State:
    if not borders.unsure and not borders.lacking:
        return State.DECIDED
    return State.STUCK if outlook else State.SPENT


def _close(run: FinalRun, how: State) -> int:
    CloseAfterRun(run.ladder, run=run, how=how).do(by=PLATFORM, reason=WHY[how])
    return 1
