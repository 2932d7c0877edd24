"""What every board keeps to, over every recorded game."""

import re
from xml.etree import ElementTree as ET

import pytest

from bots.viewer import commentary
from bots.viewer.boards import NOBODY, board_of
from bots.viewer.plain import PlainBoard
from bots.viewer.player import Projector
from bots.viewer.svg import Picture, badge, clip, element, text
from engine.dice import Dice
from engine.games import GAMES
from tests.bots.viewer.replays import NAMES, perspectives, positions, replay_of

EVERY = 61  # positions: prime, so that all kinds of moments come up
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {
    "g",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "path",
    "text",
    "tspan",
    "title",
    "svg",
    "defs",
    "use",
}


def parsed(picture: Picture) -> ET.Element:
    """Return both layouts of it."""
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{picture.svg()}</svg>')  # noqa: S314 - our own


def test_every_game_on_the_shelf_has_a_board() -> None:
    boards = [board_of(game) for game in GAMES]
    assert all(board.UNIT for board in boards)
    assert not any(isinstance(board, PlainBoard) for board in boards)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_shows_nothing_but_what_the_seats_shown_know(name: str) -> None:
    """Secrets drawn afresh change neither the picture nor how the seats stand."""
    replay = replay_of(name)
    game, board, names = GAMES[replay.game], board_of(replay.game), commentary.names_of(replay)
    for number, position in enumerate(positions(replay, EVERY)):
        for seat in range(len(names)):
            other = game.redraw(position, seat, Dice.of(f"{name} {number} {seat}"))
            assert board.draw(position, names, frozenset({seat})) == board.draw(other, names, frozenset({seat}))
            assert board.draw(position, names, NOBODY) == board.draw(other, names, NOBODY)
            assert board.worth(position) == board.worth(other)


@pytest.mark.parametrize("name", NAMES)
def test_everybody_can_watch_and_hear_every_match(name: str) -> None:
    replay = replay_of(name)
    for perspective in perspectives(replay):
        show = Projector(replay, perspective)
        show.begin()
        while show.can_go_on:
            texts, turns = show.step()
        last = show.show(texts, turns)
        assert (last.at, last.to_answer, len(last.worth)) == (len(replay.answers), [], len(replay.players))


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_sound_and_have_the_same_parts_all_match_long(name: str) -> None:
    """Nothing in them is styled in place or runs, whatever a bot is called."""
    replay = replay_of(name)
    names = ['<script>alert("1")</script> & Co.', *commentary.names_of(replay)[1:]]
    layouts = set()
    for position in positions(replay, EVERY):
        for shown in (NOBODY, frozenset(range(len(names)))):
            picture = board_of(replay.game).draw(position, names, shown)
            layouts.add(str((*picture.parts, picture.width, picture.height, picture.places, picture.slim)))
            check(parsed(picture))
            assert picture.says
    assert len(layouts) == 1


def check(drawn: ET.Element) -> None:
    for node in drawn.iter():
        assert node.tag.removeprefix(SVG) in DRAWN
        assert not [name for name in node.attrib if name.lower().startswith("on") or name == "style"]
        assert node.get("href", "#").startswith("#")


@pytest.mark.parametrize("name", ["zaibatsu-closed", "zaibatsu-carry-closed"])
def test_a_face_down_card_is_told_to_who_laid_it_and_to_nobody_else(name: str) -> None:
    replay = replay_of(name)
    board, names = board_of("zaibatsu"), commentary.names_of(replay)
    down = next(position for position in positions(replay, 1) if position.piles[0].hidden)  # type: ignore[attr-defined]
    card = down.piles[0].hidden[0]  # type: ignore[attr-defined]
    open_, shut = (board.draw(down, names, frozenset(seats)).parts["pile-1"] for seats in ({card.seat}, ()))
    assert open_.count("on-res") > 0
    assert shut.count("on-res") == 0


def test_words_are_escaped_and_attributes_too() -> None:
    assert text("<b>&", 1, 2) == '<text x="1" y="2">&lt;b&gt;&amp;</text>'
    assert element("g", class_='a"b') == '<g class="a&quot;b"/>'
    assert re.fullmatch(r"<circle .*><text .*>3</text>", badge(3, 0, 0)) or badge(3, 0, 0).count("seat-3") == 1


def test_a_long_name_is_cut_with_an_ellipsis() -> None:
    assert clip("Sendai Semiconductors", 10) == "Sendai Se…"
