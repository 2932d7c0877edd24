"""Sentences about a final run and its borders: for its page, the log and notices."""

from collections.abc import Collection, Mapping
from typing import Any

from engine.sentences import Sentence
from tournaments.features.final_runs.border_decisions import MOST
from tournaments.models import FinalRun

State = FinalRun.State
UNDEALT = "The final run found the %(places_said)s decided before a set was dealt."
SUMMARIES = {
    State.RUNNING: "A final run is under way for the %(places_said)s: %(sets)s of at most %(sets_at_most)s sets of "
    "fresh deals have been dealt, to every bot until it has a place, then to those near. When all is decided, the "
    "ladder is closed.",
    State.DECIDED: "The final run decided the %(places_said)s, with %(dealt_said)s of fresh deals.",
    State.SPENT: "The final run for the %(places_said)s played all %(dealt_said)s that it was allowed.",
    State.STUCK: "The final run for the %(places_said)s ended after %(dealt_said)s: nothing more could be dealt.",
    State.CANCELLED: "The final run for the %(places_said)s was ended by an organiser after %(dealt_said)s.",
}


def sentences_of_run(run: FinalRun, state: State | None = None) -> list[Sentence]:
    """Return what is said of the run, or of the run in that state, and of each of its borders."""
    waiting = [Sentence("It waits: %(why_said)s", why_said=run.waits)] if run.waits else []
    return [summary_of_run(run, state), *waiting, *map(border_sentence, run.judged)]


def summary_of_run(run: FinalRun, state: State | None = None) -> Sentence:
    """Return how the run ended, or what it has done so far; `state`: as if it were in that state."""
    state = state or State(run.state)
    template = UNDEALT if state == State.DECIDED and not run.sets else SUMMARIES[state]
    dealt = Sentence("1 set") if run.sets == 1 else Sentence("%(number)s sets", number=run.sets)
    return Sentence(
        template, places_said=_places(run.borders), dealt_said=dealt, sets=run.sets, sets_at_most=run.sets_at_most
    )


def _places(borders: Collection[int]) -> Sentence:
    *most, last = map(str, borders)
    if most:
        return Sentence("borders after places %(most)s and %(last)s", most=", ".join(most), last=last)
    return Sentence("border after place %(last)s", last=last)


def border_sentence(row: Mapping[str, Any]) -> Sentence:
    """Say whether a border is decided, and by which pair."""
    template = _decided(row) if row["decided"] else _open(row)
    likely = "" if row["likely"] is None else percent(row["likely"])
    more = "%(pairs)s pairs or more" if row["pairs"] >= MOST else "%(pairs)s pairs"
    return Sentence(template, **{**row, "likely": likely, "pairs_said": Sentence(more, pairs=row["pairs"])})


def _decided(row: Mapping[str, Any]) -> str:
    if row["above"] is None:
        return "The border after place %(after)s is decided: nobody is below."
    return (
        "The border after place %(after)s is decided: the least sure of its pairs is told apart, places %(above)s and "
        "%(below)s, with %(likely)s by one look."
    )


def _open(row: Mapping[str, Any]) -> str:
    many = row["pairs"] > 1
    if row["likely"] is None:
        return (
            "Places %(above)s and %(below)s cannot be compared: no games connect them. %(pairs_said)s among places "
            "%(first)s to %(last)s are open."
            if many
            else "Places %(above)s and %(below)s cannot be compared: no games connect them."
        )
    return (
        "Places %(above)s and %(below)s are not surely told apart: %(likely)s by one look. %(pairs_said)s among places "
        "%(first)s to %(last)s are open."
        if many
        else "Places %(above)s and %(below)s are not surely told apart: %(likely)s by one look."
    )


def percent(share: float) -> str:
    """Return a percentage, rounded down."""
    return f"{int(100 * share + 1e-9)} %"
