"""A final run and its borders in words: for its page, the log and notices."""

from collections.abc import Collection, Mapping
from typing import Any

from tournaments.models import FinalRun
from tournaments.ratings.borders import MOST

State = FinalRun.State


def sentences(run: FinalRun, state: State | None = None) -> list[str]:
    """Of the run, or as it would be in that state, and of each of its borders."""
    waiting = [f"It waits: {run.waits}"] if run.waits else []
    return [summary(run, state), *waiting, *map(sentence, run.judged)]


def summary(run: FinalRun, state: State | None = None) -> str:
    """How it ended, or where it stands; or if it were in that state: a sentence."""
    dealt, places = _sets(run.sets), _places(run.borders)
    return {
        State.RUNNING: f"A final run is under way for the {places}: {run.sets} of at most {run.sets_at_most} sets of "
        "fresh deals have been dealt to the bots near them. When all is decided, the ladder is closed.",
        State.DECIDED: f"The final run decided the {places}, with {dealt} of fresh deals."
        if run.sets
        else f"The final run found the {places} decided before a set was dealt.",
        State.SPENT: f"The final run for the {places} played all {dealt} that it was allowed.",
        State.STUCK: f"The final run for the {places} ended after {dealt}: nothing more could be dealt.",
        State.CANCELLED: f"The final run for the {places} was ended by an organiser after {dealt}.",
    }[state or State(run.state)]


def _sets(number: int) -> str:
    return f"{number} set{'' if number == 1 else 's'}"


def _places(borders: Collection[int]) -> str:
    *most, last = map(str, borders)
    return f"borders after places {', '.join(most)} and {last}" if most else f"border after place {last}"


def sentence(row: Mapping[str, Any]) -> str:
    """Of one border, in words."""
    return _decided(row) if row["decided"] else _open(row)


def _decided(row: Mapping[str, Any]) -> str:
    if row["above"] is None:
        return f"The border after place {row['after']} is decided: nobody is below."
    least = f"places {row['above']} and {row['below']} with {percent(row['likely'])}"
    return f"The border after place {row['after']} is decided: the least sure of its pairs is told apart, {least}."


def _open(row: Mapping[str, Any]) -> str:
    pair = f"Places {row['above']} and {row['below']}"
    pairs = f"{row['pairs']} pairs" + (" or more" if row["pairs"] >= MOST else "")
    many = f" {pairs} among places {row['first']} to {row['last']} are open." if row["pairs"] > 1 else ""
    if row["likely"] is None:
        return f"{pair} cannot be compared: no games connect them.{many}"
    return f"{pair} are not told apart: {percent(row['likely'])}.{many}"


def percent(share: float) -> str:
    """Rounded down, so that nothing under 95 % reads as 95 %."""
    return f"{int(100 * share + 1e-9)} %"
