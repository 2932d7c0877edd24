"""What a form says of places on the board is true: every choice that has one finds it there, in both layouts."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import pytest

from bots.viewer.answer_forms import form_of
from bots.viewer.answer_forms.form import Form, Way
from bots.viewer.boards import board_of
from bots.viewer.svg import Picture
from engine.games import GAMES
from tests.bots.viewer.drawn import moments
from tests.games.record import recordings_of

EVERY: Final = 7  # one moment of so many is looked at
PLACED: Final[dict[str, tuple[list[str], set[str]]]] = {  # recorded games, and the kinds of places that come up in them
    "network": (["network-3", "network-2", "network-5"], {"hex", "company"}),
    "zaibatsu": (["zaibatsu-3", "zaibatsu-4", "zaibatsu-closed"], {"pile", "card"}),
    "gigabucks": (recordings_of("gigabucks"), {"space", "bundle"}),
    "kaiju": (recordings_of("kaiju"), {"card", "heap", "player"}),
    "shangzhou": (recordings_of("shangzhou"), {"sector", "lot", "player", "template"}),
}
# Kinds of questions about nothing that is drawn: amounts, and the suit that pays.
ELSEWHERE: Final = {"gigabucks": {"bid", "cut"}, "kaiju": {"suit"}, "shangzhou": {"oversight"}}


@pytest.mark.parametrize("game", PLACED)
def test_every_choice_with_a_place_finds_it_on_the_board_as_its_seat_sees_it(game: str) -> None:
    names, kinds = PLACED[game]
    seen = {place.partition(":")[0] for name in names for place in checked(game, name)}
    assert seen == kinds


def checked(game: str, name: str) -> Iterator[str]:
    """The places that choices of a recorded game stand for, each found on the board."""
    for number, (match, names) in enumerate(moments(name)):
        for seat in match.questions if number % EVERY == 0 else ():
            asked = places_of(form_of(GAMES[game], match, seat, names))
            drawn = board_of(game).draw(match.at, names, frozenset({seat}))
            for layout in layouts(drawn):
                assert asked <= set(re.findall(r'data-place="([^"]+)"', layout)), (number, seat)
            yield from asked


def layouts(picture: Picture) -> list[str]:
    return ["<svg" + drawn for drawn in picture.svg().split("<svg")[1:]]


def places_of(form: Form) -> set[str]:
    return {place for way in form.ways for place in _places(way) if place}


def _places(way: Way) -> Iterator[str]:
    yield from (button.place for button in way.buttons)
    controls = [*way.controls, *(control for group in way.groups for control in group.controls)]
    yield from (choice.place for control in controls for choice in control.choices)


@pytest.mark.parametrize("game", ELSEWHERE)
def test_every_kind_of_question_about_what_is_drawn_has_places(game: str) -> None:
    placed = {question.tag: False for question in GAMES[game].questions}
    for match, names in chain.from_iterable(map(moments, recordings_of(game))):
        for seat in [seat for seat, question in match.questions.items() if not placed[question.tag]]:
            placed[match.questions[seat].tag] = bool(places_of(form_of(GAMES[game], match, seat, names)))
    assert {tag for tag in placed if not placed[tag]} == ELSEWHERE[game]
