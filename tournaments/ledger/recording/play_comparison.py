"""Plays of one match by several workers, compared answer by answer."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

from engine.referee import Verdict
from engine.replay import Replay, read_replay
from tournaments.models import Result


@dataclass(frozen=True, slots=True)
class Play:
    """One of the plays of a match: the first, which counts, or one of those that check it."""

    match: int
    worker: str  # the name that its key proves
    replay: Replay

    @classmethod
    def of(cls, result: Result) -> "Play":
        return cls(result.match_id, result.worker.partition("/")[0], read_replay(bytes(result.replay)))


def odd_one(plays: list[Play]) -> Play | None:
    """Return the one of three plays that differs while the other two agree."""
    for number, play in enumerate(plays if len(plays) == 3 else []):
        first, second = plays[:number] + plays[number + 1 :]
        agree = first_difference(first.replay, second.replay) is None
        if agree and first_difference(play.replay, first.replay) is not None:
            return play
    return None


def first_difference(first: Replay, second: Replay) -> int | None:
    """Return the number of the first answer that differs, without times; -1 if the seats that started differ."""
    if first.absent != second.absent:
        return -1
    pairs = zip_longest(_answers(first), _answers(second))
    return next((number for number, (this, that) in enumerate(pairs) if this != that), None)


def _answers(replay: Replay) -> list[object]:
    answers = cast("list[list[object]]", replay.answers)
    return [[*answer[:2], *answer[3:]] for answer in answers]


def seat_of_answer(first: Replay, second: Replay, answer: int) -> int:
    """Return the seat of that answer, the first that differs."""
    if answer == -1:
        return next(
            int(seat) for seat in first.absent | second.absent if first.absent.get(seat) != second.absent.get(seat)
        )
    longer = max(first, second, key=lambda replay: len(replay.answers))
    return cast("list[list[int]]", longer.answers)[answer][0]


def ran_out_at(play: Play, other: Play, answer: int) -> bool:
    """Whether the first difference between them is that time ran out in the first of them."""
    if answer == -1:
        return play.replay.absent.get(str(seat_of_answer(play.replay, other.replay, answer))) == Verdict.TIMED_OUT
    answers = cast("list[list[object]]", play.replay.answers)
    return answer < len(answers) and answers[answer][3:] == [Verdict.TIMED_OUT]
