"""The characters of games: one for each rung, with a name that a visitor can say and a style that is true."""

import re
from types import SimpleNamespace

import pytest

from bots import characters
from bots.characters import Character, characters_of
from bots.field import rungs_of
from engine.games import GAMES, OWN
from engine.sentences import Sentence


@pytest.mark.parametrize("game", OWN)
def test_each_rung_of_a_game_has_a_character_of_its_own_the_weakest_first(game: str) -> None:
    people = characters_of(game)
    assert list(people) == list(rungs_of(game))
    assert len({character.name.lower() for character in people.values()}) == len(people)
    assert all(re.fullmatch(r"[A-Z][a-z]+( [a-z]+)?( [A-Z][a-z]+)?", character.name) for character in people.values())


@pytest.mark.parametrize("game", OWN)
def test_how_often_a_character_guesses_is_the_noise_of_its_rung(game: str) -> None:
    rungs = rungs_of(game)
    for name, character in characters_of(game).items():
        noise = rungs[name].numbers.get("noise", 0.0)
        assert int(character.style.filled.get("guesses", 0)) == round(100 * noise - 1e-9) or noise * 100 % 1 == 0.5


def test_a_game_from_outside_offers_characters_in_the_same_way_and_has_none_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = {"above": Character("Aunt Above", Sentence("Bids above all others."))}
    monkeypatch.setattr(characters, "PACKAGES", {"tender": "tender"})
    monkeypatch.setattr(characters, "module_of", lambda *_: SimpleNamespace(CHARACTERS=people))
    assert characters_of.__wrapped__("tender") == people
    monkeypatch.setattr(characters, "module_of", lambda *_: None)
    assert characters_of.__wrapped__("tender") == {}
    assert characters_of("gone") == {}
    assert set(OWN) <= set(GAMES)
