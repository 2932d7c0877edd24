"""Guided first games: each choice that is offered is legal, and brings what its text says, by today's rules."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from bots.viewer.first_games import (
    Decision,
    Lesson,
    first_game_of,
    lessons,
    match_at,
    outcome,
    recording_of,
    scene_of,
    texts_of,
    told,
)
from bots.viewer.language import told_in
from engine.core import IllegalAction
from engine.games import GAMES, OWN
from engine.replay import ReplayError, verify
from tournaments.core.config.match_languages import match_language

GAMES_TAUGHT = [lesson.game for lesson in lessons()]
LANGUAGES = ("en", "de")


def lesson_about(game: str) -> Lesson:
    lesson = first_game_of(game)
    assert lesson
    return lesson


def faults(lesson: Lesson) -> Iterator[str]:
    """Yield what is not so, or not any more."""
    if not 6 <= len(lesson.decisions) <= 10:
        yield f"{len(lesson.decisions)} decisions"
    for decision in lesson.decisions:
        try:
            yield from faults_of_decision(lesson, decision)
        except IllegalAction as error:
            yield f"{decision.title}: {error}"


def faults_of_decision(lesson: Lesson, decision: Decision) -> Iterator[str]:
    if lesson.seat not in match_at(lesson.game, decision.at).questions:
        yield f"{decision.title}: nobody is asked there"
        return
    if sum(choice.answer is None for choice in decision.choices) != 1 or not 2 <= len(decision.choices) <= 3:
        yield f"{decision.title}: one of two or three choices is recorded"
    best = outcome(lesson, decision, decision.lesson).gain
    for choice in decision.choices:
        gain = outcome(lesson, decision, choice).gain
        if gain != pytest.approx(choice.gain):
            yield f"{decision.title}, {choice.label}: brings {gain}, not {choice.gain}"
        if choice is not decision.lesson and gain >= best:
            yield f"{decision.title}, {choice.label}: is no worse than {decision.lesson.label}"


def test_each_game_of_ours_is_taught() -> None:
    assert set(GAMES_TAUGHT) == set(OWN)


@pytest.mark.parametrize("game", GAMES_TAUGHT)
def test_every_choice_is_legal_and_brings_what_its_text_says(game: str) -> None:
    assert list(faults(lesson_about(game))) == []


@pytest.mark.parametrize("game", GAMES_TAUGHT)
def test_the_recording_is_a_whole_game_by_these_rules_that_the_reader_wins(game: str) -> None:
    replay = recording_of(game)
    verify(replay)
    assert replay.result.places[lesson_about(game).seat] == 1
    lines: list[Any] = replay.answers
    assert {len(line) for line in lines} == {3}  # a fault would be a fourth


@pytest.mark.parametrize("game", GAMES_TAUGHT)
def test_a_bid_is_called_by_its_amount(game: str) -> None:
    """Wherever a label names an amount, the answer has it; that of the recording too."""
    lesson, lines = lesson_about(game), cast("list[Any]", recording_of(game).answers)
    for decision in lesson.decisions:
        recorded = next(answer for seat, answer, _ in lines[decision.at :] if seat == lesson.seat)
        for choice in decision.choices:
            if choice.label.startswith("Bid"):
                assert re.findall(r"\d+", choice.label)[0] == str((choice.answer or recorded)["amount"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES_TAUGHT)
def test_every_step_can_be_read_in_both_languages(game: str, language: str) -> None:
    lesson, gettext = lesson_about(game), match_language(language).gettext
    with told_in(match_language(language)):
        for number, decision in enumerate(lesson.decisions):
            step, scene = told(game, number), scene_of(game, 0, decision.at)
            words = [step.title, step.matters, *(text for choice in step.choices for text in choice)]
            assert all(words)
            assert not any("%" in text or "{" in text for text in words)
            assert step.title == gettext(decision.title)
            assert scene.words
            assert scene.picture.startswith("<svg")
    untranslated = [text for text in texts_of(lesson) if len(text.split()) > 3 and gettext(text) == text]
    assert language == "en" or untranslated == []


def test_what_came_of_a_choice_is_computed() -> None:
    step = told("zaibatsu", 1)
    assert step.choices[step.right][1].endswith("You gained +11.")
    assert "worth 12 to you" in step.matters
    assert "T¥ 6" in step.matters


def test_nothing_is_told_twice_and_secrets_of_others_are_not_shown() -> None:
    first, second = (decision.at for decision in lesson_about("zaibatsu").decisions[:2])
    news = [line.text for line in scene_of("zaibatsu", first, second).news]
    assert news[0] == "Robin places Toyama Reagents on pile 3."
    dealt = [line.text for line in scene_of("zaibatsu", 0, first).news if "is dealt" in line.text]
    assert [text.split()[0] for text in dealt] == ["Robin"]


def test_a_change_of_rules_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "zaibatsu", replace(GAMES["zaibatsu"], version=99))
    with pytest.raises(ReplayError):
        list(faults(lesson_about("zaibatsu")))


def test_a_choice_that_is_illegal_no_worse_or_brings_something_else_is_found() -> None:
    lesson = lesson_about("zaibatsu")
    decision = lesson.decisions[1]
    better_choices = [replace(choice, gain=choice.gain + 1) for choice in decision.choices]
    assert len(list(faults_of_decision(lesson, replace(decision, choices=better_choices)))) == len(better_choices)
    choices = [decision.lesson, replace(decision.lesson, answer={"t": "bid", "amount": 1})]
    (fault,) = faults_of_decision(lesson, replace(decision, choices=choices))
    assert fault.endswith("is no worse than Bid 1")
    choices[1] = replace(choices[1], answer={"t": "bid", "amount": 99})
    with pytest.raises(IllegalAction):
        list(faults_of_decision(lesson, replace(decision, choices=choices)))
    (fault,) = faults_of_decision(lesson, replace(decision, at=0))
    assert fault.endswith("nobody is asked there")
