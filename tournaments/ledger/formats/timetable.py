"""The rounds of an unannounced event: how many sets each has, and when it would begin and end."""

from collections.abc import Sequence
from dataclasses import dataclass

from bots.formats.model import Entrant, Pairing, SetResult
from bots.formats.round_robin import sizes_by_round
from bots.formats.settings import RoundRobin, Spec
from bots.formats.validation import check_playable
from engine.dice import Dice
from tournaments.ledger.formats.planning import begin_event_run
from tournaments.ledger.formats.simulation import duration, simulated_set

NAME = "timetable"  # of the dice by which it is played


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round. Times are in minutes after the start; extra sets of undecided tables are included."""

    round: int
    sets: int
    matches: int
    begins: float
    ends: float


def timetable(spec: Spec, entrants: Sequence[Entrant], *, minutes: float, workers: int) -> list[PlannedRound]:
    """Return the timetable of an event, played by today's ratings and luck. `minutes` a match, `workers` sets at once.

    The rounds of a round robin do not depend on results, so nothing is played for its timetable.
    """
    batches = _planned(spec, entrants) if isinstance(spec, RoundRobin) else _played(spec, entrants)
    legs: dict[int, PlannedRound] = {}
    now = 0.0
    for batch in filter(None, batches):
        before = legs.get(batch[0].round, PlannedRound(batch[0].round, 0, 0, now, now))
        now += duration(batch, workers, minutes)
        sets, matches = before.sets + len(batch), before.matches + sum(pairing.matches for pairing in batch)
        legs[before.round] = PlannedRound(before.round, sets, matches, before.begins, now)
    return list(legs.values())


def _planned(spec: RoundRobin, entrants: Sequence[Entrant]) -> list[list[Pairing]]:
    """Tables of the right sizes; who sits there makes no difference to the time."""
    check_playable(spec, entrants)
    rounds = enumerate(sizes_by_round(spec, len(entrants)), 1)
    reps = range(1, spec.sets + 1)
    return [
        [Pairing(spec.tag, number, 1, rep, tuple(range(size))) for size in sizes for rep in reps]
        for number, sizes in rounds
    ]


def _played(spec: Spec, entrants: Sequence[Entrant]) -> list[list[Pairing]]:
    truth = {entrant.id: entrant.rating for entrant in entrants}

    def play(pairing: Pairing) -> SetResult:
        return simulated_set(truth, Dice.of(f"{NAME}/{pairing.key}"), 0.5, pairing.entrants)

    stage, event = begin_event_run(spec, entrants, play, NAME)
    event.walk(stage.draws())
    return event.batches
