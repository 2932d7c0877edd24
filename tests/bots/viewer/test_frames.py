"""Moments on their way to a browser: names and shapes that the player in the page reads."""

import json

import pytest

from bots.viewer.commentary.story import Chapter, Line
from bots.viewer.film_chunks import film
from bots.viewer.frames import frame_of
from bots.viewer.language import told_in
from bots.viewer.player import Moment, Perspective, Turn
from engine.games import GAMES
from tests.bots.viewer.replays import replay_of
from tournaments.core.config.match_languages import match_language


def test_a_frame_has_all_of_a_moment_and_its_story_line_by_line() -> None:
    story = [
        Line("A\U0001f33b pays 3¥.", "minor", 0),
        None,
        Chapter("Round 2", [Line("B passes."), Line("Sold.", "key")]),
    ]
    turns = [Turn(0, 1.5), Turn(1, 2.0, "crashed")]
    moment = Moment("kaiju", 7, {"board": "<g/>"}, story, [1.0, 2.0], turns, [1], "A leads.", {"Turn": "2."})
    assert frame_of(moment) == {
        "at": 7,
        "parts": {"board": "<g/>"},
        "told": [
            {"text": "A\U0001f33b pays 3¥.", "icons": [(9, "money")], "kind": "minor", "seat": 0, "title": ""},
            {"text": "", "icons": [], "kind": "", "seat": None, "title": "Round 2"},
            {"text": "B passes.", "icons": [], "kind": "", "seat": None, "title": ""},
            {"text": "Sold.", "icons": [], "kind": "key", "seat": None, "title": ""},
        ],
        "worth": [1.0, 2.0],
        "turns": [(0, 1.5, ""), (1, 2.0, "crashed")],
        "asked": [1],
        "says": "A leads.",
        "words": {"Turn": "2."},
        "moved": [],
    }


@pytest.mark.parametrize("game", GAMES)
def test_frames_in_german_have_no_header_of_the_catalogue(game: str) -> None:
    """It stands under the empty text, such as the fault of a seat that answered without one."""
    replay = replay_of(f"{game}-2")
    with told_in(match_language("de")):
        frames = film(replay, Perspective.everything(len(replay.players)))
    assert "MIME-Version" not in json.dumps(frames)
