"""A guided first game: a recorded game in which the reader takes the decisions of one seat, each with its reason.

A game offers one as `LESSON` in its module `first_game`. Beside it are the recording, `first_game.json`, a replay that
is played to its end, and `first_game.toml`: what is taught. What that says in numbers, the engine computes from the
positions before and after a choice.
"""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from bots.games import FOLDERS, module_of
from bots.viewer.boards import board_of
from bots.viewer.commentary import Part
from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.film_chunks import LogLine
from bots.viewer.language import cached_by_language, decimal, passed_on, say
from bots.viewer.player import Perspective, Projector
from engine.core import IllegalAction, Match, Position, Seat
from engine.games import GAMES
from engine.records import Record
from engine.replay import Replay, advance, playback, read_replay
from engine.sentences import Sentence

LINES: Final = 40  # of what happened since the last decision, at most
KEPT: Final = 64  # of the steps of all games in two languages, those drawn last
Answer = Mapping[str, object]
Facts = Mapping[str, object]
TellFacts = Callable[[Any, Any, Seat], Facts]
Measure = Callable[[Any], float]  # of a position
Until = Callable[[Any, Any], bool]  # of the position before a choice and now: whether its effect shows


def at_once(_before: object, _now: object) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An answer that is offered: that of the recording, or another one as plain data.

    `replies` are other seats' answers to it, where they are not those of the recording. `gain` is what the text says
    that it brings: a test compares it with what it does bring.
    """

    label: str
    says: str
    gain: float
    answer: Answer | None = None
    replies: Sequence[tuple[Seat, Answer]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of the reader after `at` answers. `choices` has the recorded one and others that bring less, by
    `measure` (else the seat's worth) once the effect shows."""

    at: int
    title: str
    matters: str
    choices: Sequence[Choice]
    until: Until = at_once
    measure: Measure | None = None

    @property
    def lesson(self) -> Choice:
        """Return the choice that the game goes on with."""
        return next(choice for choice in self.choices if choice.answer is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """`facts` are what texts fill in: of the position before, the one after, and the reader's seat."""

    game: str
    opening: str
    closing: str
    decisions: Sequence[Decision]
    facts: TellFacts
    seat: Seat = 0
    minutes: int = 5


@dataclass(frozen=True, slots=True)
class Standing:
    seat: Seat
    name: str
    worth: float


@dataclass(frozen=True, slots=True)
class Scene:
    """The board at one step, and what happened since the one before it."""

    picture: str
    words: Mapping[str, str]
    unit: str
    standings: Sequence[Standing]
    news: Sequence[LogLine]


def read_lesson(game: str, facts: TellFacts, until: Mapping[str, Until], measures: Mapping[str, Measure]) -> Lesson:
    """Return what the game's file teaches; it calls `until` and `measures` by these names."""
    data = tomllib.loads((FOLDERS[game] / "first_game.toml").read_text("utf-8"))
    decisions = [_decision(part, until, measures) for part in data.pop("decisions")]
    return Lesson(game=game, facts=facts, decisions=decisions, **data)


def _decision(data: dict[str, Any], until: Mapping[str, Until], measures: Mapping[str, Measure]) -> Decision:
    until_name, measure_name = data.pop("until", ""), data.pop("measure", "")
    return Decision(
        choices=[Choice(**part) for part in data.pop("choices")],
        until=until[until_name] if until_name else at_once,
        measure=measures[measure_name] if measure_name else None,
        **data,
    )


def first_game_of(game: str) -> Lesson | None:
    module = module_of(game, "first_game") if game in GAMES else None
    lesson: Lesson | None = module.LESSON if module else None
    return lesson


def lessons() -> list[Lesson]:
    return [lesson for game in GAMES if (lesson := first_game_of(game))]


@cache
def recording_of(game: str) -> Replay:
    return read_replay((FOLDERS[game] / "first_game.json").read_bytes())


@cached_by_language(KEPT)
def scene_of(game: str, since: int, at: int) -> Scene:
    """Return what the reader's seat sees after `at` answers; what happened before `since` is not told again."""
    lesson, replay = first_game_of(game), recording_of(game)
    assert lesson
    show = Projector(replay, Perspective.of(lesson.seat))
    parts = show.begin() if not since else []
    while show.run.step < at:
        told, _ = show.step()
        parts += told if show.run.step > since else []
    picture = show.draw()
    worth = replay.result.scores if show.run.match.over else show.worth
    return Scene(
        picture.svg(),
        picture.words,
        say(show.board.UNIT),
        [Standing(seat, show.names[seat], points) for seat, points in enumerate(worth)],
        [line for part in parts for line in lines_of_part(part)][-LINES:],
    )


def lines_of_part(part: Part) -> list[LogLine]:
    inner = part.lines if isinstance(part, Chapter) else [part] if isinstance(part, Line) else []
    title = [LogLine(0, part.title, "key")] if isinstance(part, Chapter) else []
    return [*title, *(LogLine(0, line.text, line.kind, line.seat) for line in inner)]


# --- what a choice brings ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    before: Any
    after: Any
    gain: float


def outcome(lesson: Lesson, decision: Decision, choice: Choice) -> Outcome:
    """Play the choice until its effect shows. Raises IllegalAction where it is not legal."""
    match = match_at(lesson.game, decision.at)
    before = match.at.copy()
    script = _script(lesson, decision, choice)
    match.read(lesson.seat, script[lesson.seat][0])
    while True:
        match.apply({seat: _next_answer(match, seat, script[seat]) for seat in sorted(match.questions)})
        if match.over or decision.until(before, match.at):
            break
    measure = decision.measure or (lambda position: board_of(lesson.game).worth(position)[lesson.seat])
    return Outcome(before, match.at, measure(match.at) - measure(before))


def match_at(game: str, step: int) -> Match[Position]:
    replay = recording_of(game)
    run = playback(replay, listen=False)
    while run.step < step:
        advance(replay, run)
    return run.match


def _script(lesson: Lesson, decision: Decision, choice: Choice) -> dict[Seat, list[object]]:
    """Return what each seat answers from the decision on, in order."""
    script: dict[Seat, list[object]] = defaultdict(list)
    if choice.answer is not None:
        script[lesson.seat].append(choice.answer)
    for seat, answer in choice.replies:
        script[seat].append(answer)
    lines: Sequence[Any] = recording_of(lesson.game).answers[decision.at :]
    for seat, answer, *_ in lines:
        script[seat].append(answer)
    if choice.answer is not None:  # in the place of the reader's own
        own = [seat for seat, _ in choice.replies].count(lesson.seat)
        del script[lesson.seat][1 + own]
    return script


def _next_answer(match: Match[Position], seat: Seat, answers: list[object]) -> Record:
    """Return the next answer of the script, or the default where it is not legal any more."""
    try:
        return match.read(seat, answers.pop(0)) if answers else match.questions[seat].default()
    except IllegalAction:
        return match.questions[seat].default()


def texts_of(lesson: Lesson) -> list[str]:
    """Return all that it says, to be translated."""
    texts = [lesson.opening, lesson.closing]
    for decision in lesson.decisions:
        texts += [decision.title, decision.matters]
        texts += [text for choice in decision.choices for text in (choice.label, choice.says)]
    return texts


# --- in words ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """A decision in words: `choices` are labels and what comes of each; the recorded one is number `right`."""

    title: str
    matters: str
    choices: Sequence[tuple[str, str]]
    right: int


@cached_by_language()
def told(game: str, number: int) -> Told:
    """Return the game's decision of that number, counted from 0, in words."""
    lesson = first_game_of(game)
    assert lesson
    decision = lesson.decisions[number]
    best = outcome(lesson, decision, decision.lesson)
    seen = {**lesson.facts(best.before, best.after, lesson.seat), "gain": with_sign(best.gain)}
    choices = []
    for choice in decision.choices:
        came = outcome(lesson, decision, choice)
        facts = {**lesson.facts(came.before, came.after, lesson.seat), "gain": with_sign(came.gain)}
        facts |= {"best": with_sign(best.gain), "less": decimal(best.gain - came.gain)}
        choices.append((fill_text(choice.label, seen), fill_text(choice.says, facts)))
    right = decision.choices.index(decision.lesson)
    return Told(fill_text(decision.title, seen), fill_text(decision.matters, seen), choices, right)


def fill_text(text: str, facts: Facts) -> str:
    return passed_on(Sentence(text, **facts))


def with_sign(number: float) -> str:
    return decimal(f"{number:+g}") if number else "0"
