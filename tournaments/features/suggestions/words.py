"""Answers in words, and what is said of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.viewer.commentary import names_of, tell_events
from bots.viewer.commentary.story import Line
from bots.viewer.turning_points import answer_in_words
from engine.core import IllegalAction
from engine.replay import Playback, Replay, advance, playback
from tournaments.models import Suggestion


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its chance in percent, what it gains over the given one, and how far that may be off."""

    text: str
    chance: float
    gain: float
    margin: float

    @property
    def is_better(self) -> bool:
        """Whether all of the interval is above nothing."""
        return self.gain > self.margin


@dataclass(frozen=True, slots=True)
class Comparison:
    given: Said
    others: list[Said]

    @property
    def better(self) -> Said | None:
        """The best of those that are clearly better."""
        return next((said for said in self.others if said.is_better), None)


def question_at(replay: Replay, at: int) -> tuple[Playback, Any]:
    """Return the match at the question to which answer `at` was given, and that answer's line. Raises ReplayError."""
    run = playback(replay)
    while run.match.questions and run.step + len(run.match.questions) <= at:
        advance(replay, run)
    return run, replay.answers[at]


def compare_suggestion(row: Suggestion, replay: Replay) -> Comparison:
    """Return what was found, in words. Raises ReplayError."""
    run, _ = question_at(replay, row.at)
    texts = [_in_words(run, replay, row.seat, one["answer"]) for one in row.tried]
    first = row.tried[0]["chance"]
    percent = [(100 * one["chance"], 100 * (one["chance"] - first), 100 * one["margin"]) for one in row.tried]
    given, *others = [Said(text, *numbers) for text, numbers in zip(texts, percent, strict=True)]
    return Comparison(given, others)


def _in_words(run: Playback, replay: Replay, seat: int, answer: object) -> str:
    """Return what the log would say of the answer, had it been given."""
    ahead, names, lines = run.match.copy(), names_of(replay), replay.answers[run.step :]
    given: Sequence[Any] = lines[: len(run.match.questions)]
    ahead.at.heard = []
    try:
        answers = {line[0]: ahead.read(line[0], answer if line[0] == seat else line[1]) for line in given}
    except IllegalAction:
        return answer_in_words(answer)
    ahead.apply(answers)
    told = [part for part in tell_events(replay.game, ahead.hear(), names) if isinstance(part, Line)]
    return next((line.text for line in told if line.text.startswith(names[seat])), answer_in_words(answer))
