"""TypeScript declarations: what is said in the recorded games is of the types that they declare, and what is damaged
is not.

They are read here by themselves, as far as they go: interfaces, unions, literals, arrays, tuples and records of texts.
"""

import json
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from bots.declarations import declarations, file_name
from bots.record_schema import answers_of, parts
from engine.game import AnyGame
from engine.games import GAMES
from tests.games.said import FIRST, damages, said_in

Fits = Callable[[Any], bool]
INTERFACE = re.compile(r"^export interface (\w+) \{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
ALIAS = re.compile(r"^export type (\w+) = (.*);$", re.MULTILINE)
FIELD = re.compile(r'^  "?(\w+)"?(\??): (.*);$', re.MULTILINE)
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\w+|[<>\[\],|]')
SIMPLE: dict[str, Fits] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "unknown": lambda _: True,
}


class Declared:
    """The types of one file."""

    def __init__(self, text: str) -> None:
        self.types: dict[str, Fits] = dict(SIMPLE)
        for name, spelled in ALIAS.findall(text):
            self.types[name] = self.union(TOKEN.findall(spelled))
        for name, body in INTERFACE.findall(text):
            fields = FIELD.findall(body)
            types = {field: (bool(may), self.union(TOKEN.findall(spelled))) for field, may, spelled in fields}
            self.types[name] = partial(is_interface, types)

    def union(self, tokens: list[str]) -> Fits:
        """Takes the tokens that belong to it."""
        either = [self.one(tokens)]
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            either.append(self.one(tokens))
        return lambda value: any(fits(value) for fits in either)

    def one(self, tokens: list[str]) -> Fits:
        token = tokens.pop(0)
        if token == "[":
            return is_tuple(self.inside(tokens))
        if token == "Array":
            return is_array(*self.inside(tokens, opened=True))
        if token == "Record":
            return is_record(*self.inside(tokens, opened=True))
        if token.startswith('"') or token.isdigit():
            return partial(lambda literal, value: bool(value == literal), json.loads(token))
        return partial(self.named, token)

    def named(self, name: str, value: Any) -> bool:
        """Looked up when a value comes: a type may stand before those that it is made of."""
        return self.types[name](value)

    def inside(self, tokens: list[str], *, opened: bool = False) -> list[Fits]:
        """The types between brackets."""
        if opened:
            tokens.pop(0)
        types = [self.union(tokens)]
        while tokens.pop(0) == ",":
            types.append(self.union(tokens))
        return types


def is_interface(fields: dict[str, tuple[bool, Fits]], value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        return False
    return all(fits(value[name]) if name in value else may for name, (may, fits) in fields.items())


def is_tuple(parts: list[Fits]) -> Fits:
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(parts)
        and all(fits(part) for fits, part in zip(parts, value, strict=True))
    )


def is_array(item: Fits) -> Fits:
    return lambda value: isinstance(value, list) and all(map(item, value))


def is_record(_: Fits, item: Fits) -> Fits:
    return lambda value: isinstance(value, dict) and all(map(item, value.values()))


@cache
def declared(game: str) -> Declared:
    return Declared(declarations(GAMES[game]))


def type_of(game: str, name: str) -> Fits:
    """Return the type of a record: of `question-bid` it is Question."""
    kind = GAMES[game].view.__name__ if name == "view" else name.partition("-")[0].capitalize()
    return declared(game).types[kind]


@pytest.mark.parametrize("recording", FIRST)
def test_all_that_is_said_in_a_recorded_game_is_of_the_declared_types(recording: str) -> None:
    game = recording.partition("-")[0]
    assert not [(name, record) for name, record in said_in(recording) if not type_of(game, name)(record)]


@pytest.mark.parametrize("recording", FIRST)
def test_a_damaged_record_is_not(recording: str) -> None:
    game = recording.partition("-")[0]
    for name, record in dict(said_in(recording)).items():
        for damaged in damages(name, record):
            assert not type_of(game, name)(damaged), (name, damaged)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_record_is_declared_and_every_question_says_its_answers(game: AnyGame) -> None:
    text = declarations(game)
    for kind in (*game.questions, *answers_of(game), game.view, *game.events):
        assert f"export interface {kind.__name__} {{" in text
    for kind in game.questions:
        assert f'  "{kind.tag}": {" | ".join(answer.__name__ for answer in parts(kind.answers))};' in text
    assert file_name(game) == f"boardroom-{game.name}.d.ts"


def test_a_field_that_an_answer_may_leave_out_is_one_that_may_be_missing() -> None:
    assert declared("network").types["Act"]({"t": "act", "company": 0, "hex": [0, 1], "value": 1})
    assert not declared("network").types["Act"]({"t": "act", "company": 0, "hex": [0], "value": 1})
    assert not declared("network").types["TurnTaken"]({"t": "turn", "seat": 0, "turn": 1, "kind": "pass"})
