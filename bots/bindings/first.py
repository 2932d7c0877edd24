"""The first answers of a bot (`starters/first_answers.py`) as trees of typed values, for each language to write out."""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

from bots.bindings.shapes import Shape, shape
from bots.record_schema import parts
from engine.reading import hints

REFERENCE = re.compile(r'(")?([$#][a-z_.0-9]+)(")?')
What = Literal["value", "reference", "numbers", "record", "list", "map"]


@dataclass(frozen=True, slots=True)
class Made:
    """A value: as it stands, out of the question by its path, the numbers of a list there, or made of others."""

    what: What
    shape: Shape
    value: Any = None
    path: tuple[str | int, ...] = ()
    fields: "dict[str, Made]" = field(default_factory=dict)
    items: "tuple[Made, ...]" = ()
    entries: "tuple[tuple[Made, Made], ...]" = ()


def first_answer(question: Any, answer: str) -> Made:
    """`answer` is JSON with references, `question` the class that it answers."""
    plain = json.loads(REFERENCE.sub(r'"\2"', answer))
    kinds = parts(question.answers)
    tag = plain.get("t") if isinstance(plain, dict) else None
    return made_value(next((kind for kind in kinds if kind.tag == tag), kinds[0]), plain)


def made_value(hint: Any, plain: Any) -> Made:
    return made_of(shape(hint), plain)


def made_of(kind: Shape, plain: Any) -> Made:
    if isinstance(plain, str) and plain[:1] in ("$", "#"):
        return referred(kind, plain)
    if kind.what == "optional" and plain is not None:
        return made_of(kind.inner, plain)
    if kind.what == "record":
        given = {name: made_value(hint, plain[name]) for name, hint in hints(kind.kind) if name in plain}
        return Made("record", kind, fields=given)
    if isinstance(plain, list):
        return Made("list", kind, items=tuple(made_of(kind.inner, item) for item in plain))
    if isinstance(plain, dict):
        return Made(
            "map",
            kind,
            entries=tuple((made_of(Shape("text"), key), made_of(kind.inner, value)) for key, value in plain.items()),
        )
    return Made("value", kind, plain)


def referred(kind: Shape, text: str) -> Made:
    path = tuple(int(part) if part.isdecimal() else part for part in text[1:].split("."))
    return Made("reference" if text[0] == "$" else "numbers", kind, path=path)
