"""An examination: matches of one bot until it was asked enough. A site examines as `boardroom check` does at home."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bots.doctor.session import Sitting
from bots.doctor.tables import tables
from engine.game import AnyGame
from engine.records import Record, to_plain

SEED = "home"  # by default: everybody's bots come to the same positions
MOST_GONE = 3  # processes that end before their match: then it has been seen often enough


@dataclass(frozen=True, slots=True)
class Budget(Record):
    """How much is asked: `questions`, unless they take more than so many seconds of CPU time, or in all."""

    questions: int = 2000
    cpu_s: float = 120.0
    wall_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Repetition(Record):
    """The same was told twice: how many questions there were, how many were asked again, and how many answers differ,
    the first of them to question `first`, from 1."""

    questions: int
    again: int
    others: int
    first: int = 0


def planned(game: AnyGame, seed: str, first: int = 0) -> Iterator[Sitting]:
    """Return the matches of an examination from that one on, not played yet; without end."""
    for options, deal, seat, manner in islice(tables(game, seed), first, None):
        yield Sitting(to_plain(options), deal, seat, manner)


def asked_in(sittings: Sequence[Sitting]) -> int:
    return sum(len(sitting.asked) for sitting in sittings)


def gone_in(sittings: Sequence[Sitting]) -> int:
    return sum(sitting.is_gone for sitting in sittings)


def cpu_s_of(sittings: Sequence[Sitting]) -> float:
    return sum(sitting.cpu_s for sitting in sittings)


def examination_is_over(sittings: Sequence[Sitting], budget: Budget, seconds: float) -> bool:
    """Return whether it is over after so many seconds in all."""
    late = seconds >= budget.wall_s or cpu_s_of(sittings) >= budget.cpu_s
    return late or asked_in(sittings) >= budget.questions or gone_in(sittings) >= MOST_GONE


def is_whole(sitting: Sitting) -> bool:
    """Whether the bot has played it to the end: then it can be told the same again."""
    return bool(sitting.asked) and not sitting.is_gone and not sitting.is_cut


def compared(first: Sitting, second: Sitting) -> Repetition:
    pairs = list(zip(first.asked, second.asked, strict=False))
    other = [
        number
        for number, (first_asked, second_asked) in enumerate(pairs, 1)
        if first_asked.action != second_asked.action
    ]
    if len(second.asked) < len(first.asked) and not second.is_cut:
        other = other or [len(second.asked) + 1]
    return Repetition(len(first.asked), len(pairs), len(other), other[0] if other else 0)
