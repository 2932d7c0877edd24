"""TypeScript declarations of a game's questions, answers, view and events, for editors of JavaScript and TypeScript."""

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    unique,
)
from engine.game import AnyGame
from engine.reading import hints

SIMPLE: Final[Mapping[Any, str]] = {
    Any: "unknown",
    object: "unknown",
    int: "number",
    str: "string",
    bool: "boolean",
    float: "number",
    bytes: "string",
    types.NoneType: "null",
}
OF_ALL = ("Question", "Answer", "Event", "AnswersTo")  # the unions, whose names no record takes


def file_name(game: AnyGame) -> str:
    return f"boardroom-{game.name}.d.ts"


def declarations(game: AnyGame) -> str:
    """An interface for each record; unions of the questions, answers and events; and which answers which."""
    answers, shown = answers_of(game), [*game.questions, game.view, *game.events]
    written = unique([*shown, *nested(shown)])
    all_of_it = unique([*written, *answers, *nested(answers)])
    writer = _Declared(distinct(all_of_it, lambda kind: kind.__name__, taken=OF_ALL), frozenset(written))
    head = f"// {game.title}, rules {game.version}: what the table asks, shows and tells, and what may be answered."
    answered = [f"  {json.dumps(kind.tag)}: {writer.either(parts(kind.answers))};" for kind in game.questions]
    return "\n".join(
        [
            *(head, "", f"export type Question = {writer.either(game.questions)};"),
            *(f"export type Answer = {writer.either(answers)};", f"export type Event = {writer.either(game.events)};"),
            *("", '/** By the "t" of a question, what answers it. */', "export interface AnswersTo {", *answered, "}"),
            *(line for kind in all_of_it for line in writer.interface(kind)),
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Declared:
    """The names of all records of a game, and those that the table writes: of these no field is missing."""

    names: Mapping[Any, str]
    written: frozenset[Any]

    def interface(self, kind: Any) -> Iterator[str]:
        fields, texts = {field.name: field for field in dataclasses.fields(kind)}, comments(kind)
        yield ""
        yield from comment_lines(about_record(kind))
        yield f"export interface {self.names[kind]} {{"
        if kind.tag:
            yield f"  t: {json.dumps(kind.tag)};"
        for name, hint in hints(kind):
            yield from comment_lines(texts.get(name, ""), "  ")
            yield f"  {name}{'' if kind in self.written or is_required(fields[name]) else '?'}: {self.spelled(hint)};"
        yield "}"

    def either(self, kinds: Iterable[Any]) -> str:
        return " | ".join(map(self.spelled, kinds))

    def spelled(self, hint: Any) -> str:
        if hint in SIMPLE:
            return SIMPLE[hint]
        if is_record(hint):
            return self.names[hint]
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin is Literal:
            return " | ".join(map(json.dumps, inside))
        if is_union(hint):
            return self.either(inside)
        if origin is dict:
            return f"Record<string, {self.spelled(inside[1])}>"
        return self.several(inside)

    def several(self, inside: Sequence[Any]) -> str:
        """A list, or a tuple of so many."""
        if inside[1:] and inside[1] is not ...:
            return f"[{', '.join(map(self.spelled, inside))}]"
        return f"Array<{self.spelled(inside[0])}>"


def comment_lines(text: str, margin: str = "") -> list[str]:
    return [f"{margin}/** {text.replace('*/', '* /')} */"] if text else []
