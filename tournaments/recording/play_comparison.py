"""Plays of one match by several workers, compared answer by answer."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import cast

from engine.referee import Verdict
from engine.replay import Replay, read
from tournaments.models import Result


@dataclass(frozen=True, slots=True)
class Play:
    """One of the plays of a match: the first, which counts, or one of those that check it."""

    match: int
    worker: str  # the name that its key proves
    replay: Replay

    @classmethod
    def of(cls, result: Result) -> "Play":
        return cls(result.match_id, result.worker.partition("/")[0], read(bytes(result.replay)))


def odd_one(plays: list[Play]) -> Play | None:
    """Of three plays the one that differs while the other two agree."""
    for number, play in enumerate(plays if len(plays) == 3 else []):
        one, other = plays[:number] + plays[number + 1 :]
        agree = first_difference(one.replay, other.replay) is None
        if agree and first_difference(play.replay, one.replay) is not None:
            return play
    return None


def first_difference(one: Replay, other: Replay) -> int | None:
    """The number of the first answer that differs, without times; -1 if the seats that started differ."""
    if one.absent != other.absent:
        return -1
    pairs = zip_longest(_answers(one), _answers(other))
    return next((number for number, (this, that) in enumerate(pairs) if this != that), None)


def _answers(replay: Replay) -> list[object]:
    answers = cast("list[list[object]]", replay.answers)
    return [[*answer[:2], *answer[3:]] for answer in answers]


def seat_of(one: Replay, other: Replay, at: int) -> int:
    """The seat of the first answer that differs."""
    if at == -1:
        return next(int(seat) for seat in one.absent | other.absent if one.absent.get(seat) != other.absent.get(seat))
    longer = max(one, other, key=lambda replay: len(replay.answers))
    return cast("list[list[int]]", longer.answers)[at][0]


def ran_out_at(play: Play, other: Play, at: int) -> bool:
    """Whether the first difference between them is that time ran out in the first of them."""
    if at == -1:
        return play.replay.absent.get(str(seat_of(play.replay, other.replay, at))) == Verdict.TIMED_OUT
    answers = cast("list[list[object]]", play.replay.answers)
    return at < len(answers) and answers[at][3:] == [Verdict.TIMED_OUT]
