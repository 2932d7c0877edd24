"""What the fields of records look like to a language with types: few shapes, made of the classes' annotations."""

import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, Union

from bots.record_schema import answers_of, distinct, is_record, is_union, nested, parts, unique
from engine.game import AnyGame
from engine.reading import hints

What = Literal["int", "float", "bool", "text", "json", "record", "list", "pair", "map", "optional", "choice"]
SIMPLE: Final[Mapping[Any, What]] = {int: "int", float: "float", bool: "bool", str: "text", bytes: "text"}
OF_ALL = ("Question", "Answer", "Event")  # the choices that every game has, whose names no record takes


@dataclass(frozen=True, slots=True)
class Shape:
    """`of` is what a list, a pair, a map or an optional value holds; `kinds` are the records it may be."""

    what: What
    of: "Shape | None" = None
    kinds: tuple[Any, ...] = ()

    @property
    def inner(self) -> "Shape":
        assert self.of
        return self.of

    @property
    def kind(self) -> Any:
        return self.kinds[0]


def shape(hint: Any) -> Shape:
    """Return the shape of a field. What no type of most languages can say (a number or a certain word) is any JSON."""
    if hint in SIMPLE:
        return Shape(SIMPLE[hint])
    if is_record(hint):
        return Shape("record", kinds=(hint,))
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return literal(inside)
    if is_union(hint):
        return union(inside)
    if origin is dict:
        return Shape("map", shape(inside[1]))
    if origin is tuple and inside[1] is not ...:
        return Shape("pair", shape(inside[0])) if inside[0] is inside[1] and len(inside) == 2 else Shape("json")
    return Shape("list", shape(inside[0])) if inside else Shape("json")


def literal(values: Iterable[Any]) -> Shape:
    """Words are texts and numbers numbers: which ones, the comment says."""
    kinds = {type(value) for value in values}
    return Shape(SIMPLE[kinds.pop()]) if len(kinds) == 1 else Shape("json")


def union(inside: tuple[Any, ...]) -> Shape:
    present = tuple(hint for hint in inside if hint is not types.NoneType)
    if len(present) < len(inside):
        return Shape("optional", shape(Union[present]))  # noqa: UP007 - of a tuple
    if all(map(is_record, present)):
        return Shape("choice", kinds=present)
    shapes = {shape(hint) for hint in present}
    return shapes.pop() if len(shapes) == 1 else Shape("json")


def words(hint: Any) -> list[Any]:
    """Return all values that a field may have, if its annotation names them; else those that it names of what is
    in it."""
    if typing.get_origin(hint) is Literal:
        return list(typing.get_args(hint))
    return [word for inner in typing.get_args(hint) for word in words(inner)]


@dataclass(frozen=True)
class Types:
    """All that a game's file declares."""

    game: AnyGame

    @cached_property
    def records(self) -> list[Any]:
        """Return the records, each once: what is asked, answered, seen and heard, and what is in these."""
        kinds = [*self.game.questions, *answers_of(self.game), self.game.view, *self.game.events]
        return unique([*kinds, *nested(kinds)])

    @cached_property
    def names(self) -> Mapping[Any, str]:
        return distinct(self.records, lambda kind: kind.__name__, taken=OF_ALL)

    @cached_property
    def choices(self) -> dict[str, tuple[Any, ...]]:
        """Return by name the records that a value may be, which differ by their tags."""
        game = self.game
        named = zip(OF_ALL, (game.questions, answers_of(game), game.events), strict=True)
        inside = [choice for kind in self.records for _, hint in hints(kind) for choice in choices_in(shape(hint))]
        return {
            **{name: tuple(kinds) for name, kinds in named},
            **{self.choice(inner.kinds): inner.kinds for inner in inside},
        }

    def choice(self, kinds: tuple[Any, ...]) -> str:
        return "Or".join(self.names[kind] for kind in kinds)

    def answers(self) -> dict[Any, list[Any]]:
        """Return by question what answers it."""
        return {question: parts(question.answers) for question in self.game.questions}


def choices_in(given: Shape) -> Iterator[Shape]:
    if given.what == "choice":
        yield given
    elif given.of:
        yield from choices_in(given.of)
