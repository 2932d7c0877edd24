"""Posters: each game of ours has one that is small, safe to show anywhere, and seen on its own ground."""

import re
from xml.etree import ElementTree as ET

import pytest

from bots.viewer.emblem import contrast
from bots.viewer.posters import EASY, HARD, MEDIUM, Poster, drawing_of, pitch_of, poster_of
from engine.games import OWN

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"rect", "circle", "path", "polyline", "use", "g", "defs", "title", "svg"}
LARGEST = 4000  # bytes
HEX = re.compile(r"#[0-9a-f]{6}")


def drawn(game: str) -> ET.Element:
    path = drawing_of(game)
    assert path
    assert path.stat().st_size <= LARGEST
    return ET.fromstring(path.read_text("utf-8"))  # noqa: S314 - ours


@pytest.mark.parametrize("game", OWN)
def test_a_drawing_is_made_of_shapes_and_has_a_title_and_no_words(game: str) -> None:
    root, poster = drawn(game), poster_of(game)
    assert poster
    assert (root.get("viewBox"), root.get("role")) == ("0 0 300 184", "img")
    assert [title.text for title in root.iter(f"{SVG}title")] == [poster.drawing]
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= SHAPES


@pytest.mark.parametrize("game", OWN)
def test_a_drawing_runs_nothing_styles_nothing_and_leads_nowhere(game: str) -> None:
    for part in drawn(game).iter():
        assert not [name for name in part.attrib if name.startswith("on") or name in ("style", "class")]
        links = [value for name, value in part.items() if name.endswith("href")]
        assert all(link.startswith("#") for link in links)
        assert not [value for value in part.attrib.values() if "url(" in value or "//" in value]


@pytest.mark.parametrize("game", OWN)
def test_what_is_drawn_is_told_from_its_ground(game: str) -> None:
    root = drawn(game)
    [ground, *shapes] = [part for part in root if part.tag != f"{SVG}title"]
    values = {value for part in shapes for piece in part.iter() for value in piece.attrib.values()}
    assert ground.get("width") == "300"
    assert sum(contrast(colour, ground.get("fill", "")) >= 3 for colour in filter(HEX.fullmatch, values)) >= 3


@pytest.mark.parametrize("game", OWN)
def test_a_poster_says_how_long_and_how_hard(game: str) -> None:
    poster = poster_of(game)
    assert poster
    assert poster.rules in (EASY, MEDIUM, HARD)
    assert poster.minutes % 5 == 0
    assert 5 <= poster.minutes <= 60


def test_minutes_are_those_of_a_persons_decisions_in_steps_of_five() -> None:
    assert [Poster(EASY, decisions, EASY).minutes for decisions in (1, 31, 37, 112)] == [5, 10, 10, 35]


def test_a_game_that_is_gone_has_nothing() -> None:
    assert (poster_of("gone"), drawing_of("gone"), pitch_of("gone")) == (None, None, "")
