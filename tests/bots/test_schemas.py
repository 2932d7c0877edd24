"""JSON Schemas: all that is said in the recorded games is as they say, and what is damaged is not."""

import json
from copy import deepcopy
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from bots.record_schema import answers_of
from bots.schemas import Schema, schemas
from engine.game import AnyGame
from engine.games import GAMES
from engine.games.kaiju import KAIJU
from engine.games.shangzhou import SHANGZHOU
from tests.games.record import RECORDINGS
from tests.games.said import FIRST, damages, said_in

# What a schema says of a record: which fields it has, and of each by itself.
OF_FIELDS = {"type", "properties", "required", "additionalProperties"}
SAID = OF_FIELDS | {"$schema", "$comment", "$defs", "title", "description"}


@cache
def schemas_of(game: str) -> dict[str, Schema]:
    return schemas(GAMES[game])


@cache
def validators(game: str) -> dict[str, Draft202012Validator]:
    return {name: Draft202012Validator(schema) for name, schema in schemas_of(game).items()}


def validator(game: str, name: str) -> Draft202012Validator:
    return validators(game)[name]


def how_many_fit(recording: str) -> int:
    game, records = recording.partition("-")[0], list(said_in(recording))
    for name, record in records:
        check_fields(game, name, frozenset(record))
        for field, value in record.items():
            check_value(game, name, field, json.dumps(value))
    return len(records)


@cache
def check_fields(game: str, name: str, fields: frozenset[str]) -> None:
    """Validate which fields a record has. Of two values together no schema says anything."""
    schema = schemas_of(game)[name]
    assert schema.keys() <= SAID
    with_any_values = schema | {"properties": dict.fromkeys(schema["properties"], True)}
    validator(game, name).evolve(schema=with_any_values).validate(dict.fromkeys(fields))


@cache
def check_value(game: str, name: str, field: str, text: str) -> None:
    """Validate what a field holds: of a view most is as it was before the last answer."""
    schema = schemas_of(game)[name]["properties"][field]
    validator(game, name).evolve(schema=schema).validate(json.loads(text))


@pytest.mark.parametrize("recording", RECORDINGS)
def test_all_that_is_said_in_a_recorded_game_is_valid(recording: str) -> None:
    assert how_many_fit(recording) > 20


@pytest.mark.parametrize("recording", FIRST)
def test_a_damaged_record_is_not(recording: str) -> None:
    game = recording.partition("-")[0]
    once = dict(said_in(recording))
    for name, record in once.items():
        for damaged in damages(name, record):
            assert not validator(game, name).is_valid(damaged), (name, damaged)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_there_is_one_for_each_and_each_is_a_schema(game: AnyGame) -> None:
    described = schemas(game)
    for schema in described.values():
        Draft202012Validator.check_schema(schema)
    kinds = {
        **{f"question-{kind.tag}": kind for kind in game.questions},
        **{f"answer-{kind.tag}": kind for kind in answers_of(game)},
        **{f"event-{kind.tag}": kind for kind in game.events},
        "view": game.view,
    }
    assert {name: schema["title"] for name, schema in described.items()} == {
        name: kind.__name__ for name, kind in kinds.items()
    }
    assert len(described) == len(game.questions) + len(answers_of(game)) + len(game.events) + 1


def test_what_the_table_says_has_every_field_and_an_answer_those_without_a_default() -> None:
    """The fields are taken as they are written, and read."""
    described = schemas(GAMES["network"])
    act = {"t": "act", "company": 0, "hex": [0, 1], "value": 1}
    validator("network", "answer-act").validate(act)
    assert described["answer-act"]["required"] == list(act)
    assert not validator("network", "answer-act").is_valid(act | {"hex": [0, 1, 2]})
    assert not validator("network", "event-turn").is_valid({"t": "turn", "seat": 0, "turn": 1, "kind": "pass"})
    assert validator("network", "event-turn").is_valid(
        {"t": "turn", "seat": 0, "turn": 1, "kind": "pass", "auto": True}
    )


def test_a_record_deep_inside_is_looked_at_too() -> None:
    name, record = next(pair for pair in said_in(FIRST[1]) if pair[0] == "view")
    damaged = deepcopy(record)
    damaged["players"][0]["bank"] = "much"
    assert validator("kaiju", name).is_valid(record)
    assert not validator("kaiju", name).is_valid(damaged)


def test_a_schema_says_what_the_class_says() -> None:
    schema = schemas(KAIJU)["view"]
    assert schema["properties"]["goes"]["description"] == "who has yet to take a card this turn, the one at it first"
    assert schema["description"].startswith("The position, but for the decks.")
    assert schema["$comment"] == "Kaiju Incorporated, rules 1"
    asked: Schema = schemas(SHANGZHOU)["question-bid"]
    assert asked["$comment"].startswith("Shangzhou-Gold, rules 1; answered by answer-")
