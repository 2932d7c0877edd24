"""Names in any script on boards, in logs and on the picture that links show."""

from dataclasses import replace

import pytest

from bots.viewer.commentary import isolated, names_of
from bots.viewer.svg import clip, shorten
from engine.replay import Player, Replay
from tests.games.record import replay_of
from tournaments.ledger.viewer.preview_image import legible

NAMES = ("Ольга", "日本ボット", "عمرو", "عمرو")


@pytest.fixture
def replay() -> Replay:
    return replace(replay_of("zaibatsu-4"), players=[Player(name) for name in NAMES])


def test_a_name_from_right_to_left_turns_nothing_beside_it(replay: Replay) -> None:
    names = names_of(replay)
    assert names[:2] == list(NAMES[:2])
    assert names[2] == "\u2068عمرو\u2069 (seat 2)"
    assert shorten(names, 2, 10) == isolated("عمرو")


@pytest.mark.parametrize(
    ("words", "short"),
    [
        ("Marginal", "Marginal"),
        ("Marginals", "Margina…"),
        ("日本語機", "日本語機"),
        ("日本ボット", "日本ボ…"),
        ("", ""),
    ],
)
def test_a_wide_letter_takes_the_place_of_two(words: str, short: str) -> None:
    assert clip(words, 8) == short


def test_the_picture_has_a_number_for_what_its_font_has_no_letters_for(replay: Replay) -> None:
    assert [player.name for player in legible(replay).players] == ["Ольга", "seat 1", "seat 2", "seat 3"]
