"""JSON Schemas (2020-12) of a game's questions, answers, view and events, made of the classes themselves.

What the table writes has every field. In an answer a field with a default may be left out, as when it is read.
"""

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from bots.record_schema import (
    about_record,
    answers_of,
    comments,
    distinct,
    is_record,
    is_required,
    is_union,
    nested,
    parts,
)
from engine.game import AnyGame
from engine.reading import BIGGEST, hints

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]
SIMPLE: Final[Mapping[Any, Schema]] = {
    Any: {},
    object: {},
    int: {"type": "integer", "minimum": -BIGGEST, "maximum": BIGGEST},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    float: {"type": "number", "minimum": -BIGGEST, "maximum": BIGGEST},
    bytes: {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
    types.NoneType: {"type": "null"},
}


def schemas(game: AnyGame) -> dict[str, Schema]:
    """Return the schemas by name: `question-TAG`, `answer-TAG`, `view` and `event-TAG`. Each stands for itself."""
    asked, answered = named("question", game.questions), named("answer", answers_of(game))
    shown = {"view": game.view, **named("event", game.events)}
    names = {kind: name for name, kind in answered.items()}
    rules = f"{game.title}, rules {game.version}"
    return {
        **{name: document(kind, f"{rules}; answered by {_either(kind, names)}") for name, kind in asked.items()},
        **{name: document(kind, rules, complete=False) for name, kind in answered.items()},
        **{name: document(kind, rules) for name, kind in shown.items()},
    }


def _either(question: Any, names: Mapping[Any, str]) -> str:
    return " or ".join(names[kind] for kind in parts(question.answers))


def named(what: str, kinds: Iterable[Any]) -> dict[str, Any]:
    """Return the kinds by tag; where that is no name, by class."""
    return {f"{what}-{name}": kind for kind, name in distinct(kinds, lambda kind: kind.tag or kind.__name__).items()}


def document(kind: Any, comment: str, *, complete: bool = True) -> Schema:
    """Return the schema of a record. `complete`: no field may be missing."""
    inside = Inside(distinct(nested([kind]), lambda kind: kind.__name__), complete)
    head = {"$schema": DIALECT, "$comment": comment, "title": kind.__name__}
    within = {name: inside.record(record) for record, name in inside.names.items()}
    return {**head, **inside.record(kind), **({"$defs": within} if within else {})}


@dataclass(frozen=True, slots=True)
class Inside:
    """Of one document: the records that are defined in it, by name, and whether no field may be missing."""

    names: Mapping[Any, str]
    complete: bool

    def record(self, kind: Any) -> Schema:
        fields = {field.name: field for field in dataclasses.fields(kind)}
        texts, tag = comments(kind), {"t": {"const": kind.tag}} if kind.tag else {}
        return {
            **with_description(about_record(kind)),
            "type": "object",
            "properties": tag | {n: self.value(hint) | with_description(texts.get(n, "")) for n, hint in hints(kind)},
            "required": [*tag, *(name for name, _ in hints(kind) if self.complete or is_required(fields[name]))],
            "additionalProperties": False,
        }

    def value(self, hint: Any) -> Schema:
        """Return the schema of a field, or of what is in it."""
        if hint in SIMPLE:
            return dict(SIMPLE[hint])
        if is_record(hint):
            return {"$ref": f"#/$defs/{self.names[hint]}"}
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin is Literal:
            return {"enum": list(inside)}
        if is_union(hint):
            return {"anyOf": [self.value(inner) for inner in inside]}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.value(inside[1])}
        return self.several(inside)

    def several(self, inside: Sequence[Any]) -> Schema:
        """A list, or a tuple of so many."""
        if inside[1:] and inside[1] is not ...:
            parts = [self.value(inner) for inner in inside]
            return {"type": "array", "prefixItems": parts, "minItems": len(parts), "items": False}
        return {"type": "array", "items": self.value(inside[0])}


def with_description(text: str) -> Schema:
    return {"description": text} if text else {}
