"""Freeze with a final run: new deals for all bots, then for those near a border until it is decided; then it closes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.final_runs.borders import Borders, borders_of
from tournaments.features.final_runs.forecast import forecast_sentence
from tournaments.features.final_runs.preview import borders_say, freezing_says, styles_say
from tournaments.features.final_runs.rules import MOST_SETS, State, begin_final_run, end_final_run, running_in
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.ledger.acts.ladder_status import pin, still_to_play
from tournaments.ledger.matchmaking.seed_chains import begin_anew
from tournaments.models import Act, Ladder, Twins
from tournaments.ratings.final_table import LEAST

Status = Ladder.Status


@dataclass(frozen=True, slots=True)
class StartFinalRun(Action):
    kind, button = "final_run", "Freeze with a final run"
    about = (
        "The ladder is frozen, and fresh deals are played: by every bot until it has a place in the final table, then "
        "by those near the borders that matter, until each is decided or so many sets are played; then it closes by "
        "itself. `borders`: places, each with a border after it, such as 3 and 10."
    )
    ladder: Ladder
    borders: list[int]
    sets_at_most: int

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        _check_status(ladder)
        borders = self._judged(ladder)
        changes = [Change("status", Status(ladder.status).label, Status.FROZEN.label)]
        more = {"borders": sorted(self.borders), "sets_at_most": self.sets_at_most, "judged": borders.rows()}
        forecast = forecast_sentence(ladder, borders, self.sets_at_most)
        counts = borders_say(borders, _sets_for_all(ladder, borders))
        says = [*freezing_says(ladder), *counts, forecast, *styles_say(ladder), *self._then()]
        return Effect(f"ladder {ladder.slug}", says, changes if ladder.status != Status.FROZEN else [], more=more)

    def carry_out(self, act: Act) -> None:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        if ladder.status != Status.FROZEN:
            pin(ladder)
            ladder.status = Status.FROZEN
            ladder.save(update_fields=["status"])
        begin_anew(ladder, reason=Sentence("a final run begins: act %(act)s of the audit log", act=act.number))
        ladder.refresh_from_db(fields=["final_after"])
        borders = borders_of(ladder, sorted(self.borders))
        terms = {"borders": sorted(self.borders), "sets_at_most": self.sets_at_most}
        begin_final_run(ladder=ladder, act=act, judged=borders.rows(), bots=borders.bots(), **terms)

    def _judged(self, ladder: Ladder) -> Borders:
        """Return the borders now. Raises Refused: too_few_bots, bad_borders, bad_sets_at_most."""
        table = borders_of(ladder, ())
        playing = sum(line.plays for line in table.lines)
        if playing < max(2, min(ladder.sizes)):
            wanted = Sentence(
                "a table takes %(sizes)s bots, and 1 plays here"
                if playing == 1
                else "a table takes %(sizes)s bots, and %(playing)s play here",
                sizes=min(ladder.sizes),
                playing=playing,
            )
            raise Refused("too_few_bots", "no set can be dealt: %(wanted)s", wanted=wanted)
        check_borders(self.borders, len(table.lines))
        if type(self.sets_at_most) is not int or not 1 <= self.sets_at_most <= MOST_SETS:
            sentence = Sentence(
                "sets_at_most is %(sets_at_most)s; a run may have 1 to %(most_sets)s sets",
                sets_at_most=self.sets_at_most,
                most_sets=f"{MOST_SETS:,}",
            )
            raise Refused("bad_sets_at_most", sentence)
        if self.sets_at_most < (least := _sets_for_all(ladder, table)):
            raise Refused(
                "bad_sets_at_most",
                "sets_at_most is %(sets_at_most)s; %(least)s are needed until every bot has %(each)s, and a place",
                sets_at_most=self.sets_at_most,
                least=least,
                each=LEAST,
            )
        return borders_of(ladder, sorted(self.borders))

    def _then(self) -> list[str]:
        return [
            Sentence("The deals come from a chain of seeds that is made now: nobody can have prepared for them."),
            Sentence(
                "When every border is decided, or %(sets_at_most)s sets are played, or nothing more can be dealt, the "
                "ladder closes by itself: whoever is first in the final table is its winner, and borders that stay "
                "open are named on its page.",
                sets_at_most=self.sets_at_most,
            ),
        ]


def _sets_for_all(ladder: Ladder, borders: Borders) -> int:
    """Return how many sets it takes, at least, until every bot that plays has a place."""
    return ceil(sum(line.lacks for line in borders.lacking) / max(ladder.sizes))


def check_borders(borders: Sequence[int], bots: int) -> None:
    """Raise Refused(bad_borders) unless each lies between two bots of the table, and none is named twice."""
    wrong = next((place for place in borders if type(place) is not int or not 1 <= place < bots), None)
    if not borders:
        raise Refused("bad_borders", "borders is empty; name the places after which a border matters, such as 3 and 10")
    if wrong is not None:
        sentence = Sentence(
            "there is no border after place %(wrong)s: with %(bots)s bots in the table, it is 1 to %(bots2)s",
            wrong=wrong,
            bots=bots,
            bots2=bots - 1,
        )
        raise Refused("bad_borders", sentence)
    if twice := next((place for place in borders if borders.count(place) > 1), None):
        raise Refused("bad_borders", "borders has %(twice)s twice; name each place once", twice=twice)


def _check_status(ladder: Ladder) -> None:
    if running_in(ladder):
        raise Refused("final_run_under_way", "%(ladder)s is in a final run already; end that first", ladder=ladder)
    if ladder.status == Status.CLOSED:
        raise Refused("wrong_status", "%(ladder)s is closed; open it again, and then begin a final run", ladder=ladder)
    if Twins.objects.filter(ladder=ladder, revealed_at=None).exists():  # who lose their ranks then
        raise Refused("twins_hidden", "reveal the placebo twins of %(ladder)s before its final run", ladder=ladder)


@dataclass(frozen=True, slots=True)
class CancelFinalRun(Action):
    kind, button = "cancel_final_run", "End the final run"
    about = "The final run ends, and the ladder stays frozen: everybody is paired again. What was played counts."
    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        run = running_in(self.ladder)
        if run is None:
            raise Refused("no_final_run", "no final run is under way in %(ladder)s", ladder=self.ladder)
        says = [
            Sentence(
                "1 set of it was dealt, and counts. %(under_way_said)s"
                if run.sets == 1
                else "%(sets)s sets of it were dealt, and count. %(under_way_said)s",
                sets=run.sets,
                under_way_said=still_to_play(self.ladder),
            ),
            Sentence("The ladder stays frozen, and all its bots are paired again; its borders stay as they are."),
        ]
        return Effect(f"ladder {self.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:
        if run := running_in(self.ladder):
            end_final_run(run, State.CANCELLED, act)
