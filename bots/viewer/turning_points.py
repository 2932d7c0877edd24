"""Where a seat lost ground: its decisions, and how it stood before each, right after it and before its next one.

A seat stands by its chance of winning, in percent; in a game that has none, by what the game would count if it ended
now (`Board.worth`), against the best of the others. What it lost from a decision to its next is told in two parts: what
came with the answer itself, and what chance and the others made of it after that.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bots.viewer.film_chunks import Outline
from bots.viewer.language import say
from engine.core import Seat
from engine.records import canonical
from engine.referee import STANDS_IN
from engine.replay import Replay

CAME: Final = 3  # sentences about what came of a decision
LONGEST: Final = 160  # characters of an answer for which there is no sentence


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A decision. `at`: the answers given before it, so that the match may go on from there with another one."""

    at: int
    answer: object
    did: list[str]
    came: list[str]
    before: float  # how it stood
    done: float  # right after it
    after: float  # and before its next decision, or at the end
    fault: str = ""  # for which the default was taken in its place

    @property
    def cost(self) -> float:
        return round(self.before - self.after, 1)

    @property
    def own(self) -> float:
        """Return the change that came with the answer itself."""
        return round(self.done - self.before, 1)

    @property
    def others(self) -> float:
        """Return the change that came after the answer, by chance and by what others did."""
        return round(self.after - self.done, 1)


def decisions(replay: Replay, outline: Outline, names: Sequence[str], seat: Seat) -> list[TurningPoint]:
    """Return all that a seat decided, in the order of the match, until it forfeits."""
    answers: Sequence[Any] = replay.answers
    mine = [number for number, line in enumerate(answers) if line[0] == seat and line[3:] != [STANDS_IN]]
    ends = [*mine[1:], len(answers)]
    stood = standing_by_moment(outline, seat)
    return [
        _decision(answers[index], outline, names[seat], stood, index, end)
        for index, end in zip(mine, ends, strict=True)
    ]


def costly(points: Sequence[TurningPoint], most: int) -> list[TurningPoint]:
    """Return the decisions that cost most, and the faults: at most `most`, in the order of the match."""
    ranked = sorted((point for point in points if point.fault or point.cost > 0), key=_weight, reverse=True)
    return sorted(ranked[:most], key=lambda point: point.at)


def led_last(outline: Outline, seat: Seat) -> int | None:
    """The last moment at which nobody stood better; None if there was none, or if nobody does at the end."""
    margins = [margin(worth, seat) for worth in outline.chances or outline.worth]
    level = [step for step, ahead in zip(outline.ats, margins, strict=True) if ahead >= 0]
    return level[-1] if level and margins[-1] < 0 else None


def standing_by_moment(outline: Outline, seat: Seat) -> list[float]:
    """Return how the seat stands at each moment: percent of winning, or how far it is ahead."""
    if outline.chances:
        return [round(100 * chance[seat], 1) for chance in outline.chances]
    return [margin(worth, seat) for worth in outline.worth]


def unit_of(outline: Outline, unit: str) -> str:
    """Return the unit in which a seat's standing is counted. `unit`: of what the game counts."""
    return say("% of winning") if outline.chances else unit


def margin(worth: Sequence[float], seat: Seat) -> float:
    """Over the best of the others."""
    return worth[seat] - max(points for other, points in enumerate(worth) if other != seat)


def says_something(outline: Outline) -> bool:
    """Whether the game tells how seats stand: one without a board of its own does not."""
    return bool(outline.chances) or any(any(worth) for worth in outline.worth)


def _weight(point: TurningPoint) -> tuple[bool, float]:
    return bool(point.fault), point.cost


def _decision(
    line: Sequence[Any], outline: Outline, name: str, stood: Sequence[float], step: int, end: int
) -> TurningPoint:
    answer, fault = line[1], line[3:]
    moment = bisect_right(outline.ats, step)
    done = outline.ats[moment] if moment < len(outline.ats) else end
    lines = [event for scene in outline.scenes for event in scene.lines if done <= event.at <= max(done, end)]
    did = [event.text for event in lines if event.at == done and event.text.startswith(name)]
    came = [event.text for event in lines if event.kind in ("key", "bad") and event.text not in did]
    before, then, after = (stood[bisect_right(outline.ats, moment) - 1] for moment in (step, done, end))
    return TurningPoint(step, answer, did or [answer_in_words(answer)], came[:CAME], before, then, after, *fault)


def answer_in_words(answer: object) -> str:
    text = canonical(answer)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
