"""Recorded games drawn moment by moment, and the laws that every board keeps."""

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from bots.viewer.boards import NOBODY, board_of
from bots.viewer.commentary import names_of
from bots.viewer.svg import Picture
from engine.core import Match
from engine.dice import Dice
from engine.games import GAMES
from engine.replay import advance, playback, read_replay
from tests.games.record import RECORDED

SMALLEST = 11  # units that letters are high
SAID = 400
EVERY = 29  # one moment of so many is looked at for secrets


def moments(name: str) -> Iterator[tuple[Match[Any], list[str]]]:
    """How a recorded game stood before each answer, and at its end."""
    replay = read_replay((RECORDED / f"{name}.json").read_bytes())
    run, names = playback(replay), names_of(replay)
    yield run.match, names
    while not run.match.over:
        advance(replay, run)
        yield run.match, names


def check_drawing(name: str) -> None:
    """Check that moments have the parts of the first in their order, and that all is XML without a style in it."""
    board, before = board_of(name.partition("-")[0]), None
    checked: set[str] = set()
    for match, names in moments(name):
        picture = board.draw(match.at, names, NOBODY)
        assert before is None or layout(picture) == layout(before)
        assert 0 < len(picture.says) < SAID
        assert len(board.worth(match.at)) == len(names)
        for markup in set(picture.changes(before).values()) - checked:
            check_markup(markup)
            checked.add(markup)
        before = picture


def layout(picture: Picture) -> tuple[object, ...]:
    return list(picture.parts), picture.width, picture.height, picture.places, picture.slim


def parse(markup: str) -> Element:
    return fromstring(markup)  # noqa: S314 - it is our own


def check_markup(markup: str) -> None:
    for part in parse(f"<svg>{markup}</svg>").iter():
        assert part.tag in {"svg", "g", "defs", "path", "rect", "circle", "ellipse", "use", "text", "title"}
        assert not {key for key in part.attrib if key == "style" or key.startswith("on")}
        assert part.get("href", "#").startswith("#")


def check_secrets(name: str) -> None:
    """Check that what a seat does not know changes neither its picture nor what all see."""
    game, dice = name.partition("-")[0], Dice.of(name)
    for number, (match, names) in enumerate(moments(name)):
        for seat in range(len(names)) if number % EVERY == 0 else ():
            other: Any = GAMES[game].redraw(match.at, seat, dice)
            check_same(game, match.at, other, names, frozenset({seat}))
            check_same(game, match.at, other, names, NOBODY)


def check_same(game: str, position: Any, redrawn: Any, names: list[str], shown: frozenset[int]) -> None:
    board = board_of(game)
    assert board.draw(position, names, shown) == board.draw(redrawn, names, shown)
    assert board.worth(position) == board.worth(redrawn)


def check_names(name: str) -> None:
    """Check that names with marks of the markup are words in the picture, and long ones whole in none of its lines."""
    match, names = next(moments(name))
    wild = [f'<b onclick="x">&amp;\'{seat} {"wide " * 9}' for seat in range(len(names))]
    picture = board_of(name.partition("-")[0]).draw(match.at, wild, NOBODY)
    root = parse(f"<svg>{picture.svg()}</svg>")
    assert {part.get("aria-label") for part in root} == {picture.says}
    assert any(words(part).startswith("<b onclick") for part in root.iter())
    assert all(len(words(part)) <= 80 for part in root.iter("text"))


def words(part: Element) -> str:
    return part.text or ""


def texts(markup: str) -> list[str]:
    """The words in a part of a picture."""
    return [words(part) for part in parse(f"<svg>{markup}</svg>").iter("text") if part.text]
