"""What is kept of a match played at home: enough to tally, to test and to continue later, but no position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bots.contest import Match
from bots.results_table import Tally
from engine.records import Record


@dataclass(slots=True)
class Slip(Record):
    """The first fault of a seat, and how many faults it had."""

    seat: int
    verdict: str
    detail: str
    faults: int


@dataclass(slots=True)
class Outcome(Record):
    """One match. `seats` are the bots' numbers by seat; `answers` and `ms` (of CPU time, all together) are by seat."""

    number: int
    seats: list[int]
    seed: str
    places: list[int]
    scores: list[int]
    answers: list[int]
    ms: list[float]
    slips: list[Slip] = field(default_factory=list)
    forfeits: list[int] = field(default_factory=list)  # the seats that did


def outcome_of(number: int, match: Match) -> Outcome:
    played, seats = match.played, range(len(match.seats))
    given = [[entry.ms for entry in played.answers if entry.seat == seat and not entry.fault] for seat in seats]
    charged = [[fault for fault in played.faults if fault.seat == seat] for seat in seats]
    slips = [
        Slip(seat, faults[0].verdict, faults[0].detail, len(faults)) for seat, faults in enumerate(charged) if faults
    ]
    ms = [round(sum(entry), 3) for entry in given]
    result = played.result
    gone = [seat for seat in seats if result.forfeits[seat]]
    counts = list(map(len, given))
    return Outcome(number, match.seats, match.seed, result.places, result.scores, counts, ms, slips, gone)


def tallied(names: Sequence[str], outcomes: Iterable[Outcome]) -> list[Tally]:
    tallies = [Tally(name, [0] * len(names)) for name in names]
    for outcome in outcomes:
        for seat, bot in enumerate(outcome.seats):
            count_outcome(tallies[bot], outcome, seat)
    return tallies


def count_outcome(tally: Tally, outcome: Outcome, seat: int) -> None:
    tally.end(outcome.places, outcome.scores, seat)
    for slip in outcome.slips:
        if slip.seat == seat:
            tally.faults[slip.verdict] = tally.faults.get(slip.verdict, 0) + slip.faults
    if answers := outcome.answers[seat]:
        tally.answers += answers
        tally.ms_per_answer += (outcome.ms[seat] - tally.ms_per_answer * answers) / tally.answers
