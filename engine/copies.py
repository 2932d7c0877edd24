"""Copies of records, and records made out of others: the fields of the dataclass are the only list of fields.

What copies a type is one expression such as `Position(v.options, v.dice.copy(), v.cash.copy(), ...)`, written from the
types of the fields and compiled on first use: it is as fast as the same line written by hand.

A list or a dict is copied, and with it every item that has a method `copy`. All else is shared: a
number, a text, a frozen record. A field marked `SHARED` is shared though it holds a list, for it is only ever replaced.
"""

import dataclasses
import functools
import itertools
import types
import typing
from collections.abc import Callable, Collection
from typing import Any, Final, Self, TypeVar, Union

from engine.records import Record

R = TypeVar("R", bound=Record)
SHARED: Final = {"shared": True}  # metadata of a field


class Copied(Record):
    """Base of records whose copies have nothing in common with them that can change.

    Fields outside the plain form begin afresh in a copy, unless they are marked `SHARED`.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        cls.copy = _first_copy  # type: ignore[method-assign, assignment]

    def copy(self) -> Self:
        raise NotImplementedError  # every subclass has one of its own


def _first_copy(record: R) -> R:
    """Stands in until the first copy of a type: its fields are not known while the class is being made."""
    kind: Any = type(record)
    kind.copy = _copier(kind)
    return kind.copy(record)  # type: ignore[no-any-return]


def carrier(source: type[Record], kind: type[R], but: Collection[str] = ()) -> Callable[..., R]:
    """Return the function that makes a `kind` of a `source`, with a copy of what both have by the same name and type.

    All other fields, and those named in `but`, are its keyword arguments. Those outside the plain form keep their
    defaults.
    """
    shared = [(field.name, hint) for field, hint in _fields(source)]
    values = {
        field.name: _copy_of(field, hint) if (field.name, hint) in shared and field.name not in but else field.name
        for field, hint in _fields(kind)
        if _is_plain(field)
    }
    return _compiled(kind, [name for name, value in values.items() if name == value], values)


@functools.cache
def _copier(kind: type[Any]) -> Callable[[Any], Any]:
    kept = [(field, hint) for field, hint in _fields(kind) if _is_plain(field) or _is_shared(field)]
    return _compiled(kind, [], {field.name: _copy_of(field, hint) for field, hint in kept})


def _fields(kind: type[Any]) -> list[tuple[Any, Any]]:
    """The fields of a dataclass with their types."""
    field_types = typing.get_type_hints(kind)
    return [(field, field_types[field.name]) for field in dataclasses.fields(kind)]


def _is_plain(field: Any) -> bool:
    plain: bool = field.metadata.get("plain", True)
    return plain


def _is_shared(field: Any) -> bool:
    shared: bool = field.metadata.get("shared", False)
    return shared


def _copy_of(field: Any, hint: Any) -> str:
    value = f"v.{field.name}"
    return value if _is_shared(field) else _copied(value, hint)


def _copied(value: str, hint: Any) -> str:
    """The expression that copies what the expression `value`, of type `hint`, gives."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is list and (item := _copied("it", args[0])) != "it":
        return f"[{item} for it in {value}]"
    if origin in (list, dict):
        return f"{value}.copy()"
    if origin in (Union, types.UnionType) and any(hasattr(kind, "copy") for kind in args):
        return f"{value} and {value}.copy()"
    return f"{value}.copy()" if hasattr(hint, "copy") else value


def _compiled(kind: type[Any], given: list[str], values: dict[str, str]) -> Callable[..., Any]:
    """The function of a record `v`, and of the fields `given`, that calls `kind` with these expressions.

    They stand in their places up to the first field that is left out, and by name from there on, which is slower.
    """
    names = [field.name for field in dataclasses.fields(kind) if field.init and not field.kw_only]
    in_place = sum(1 for _ in itertools.takewhile(values.__contains__, names))
    arguments = [values.pop(name) for name in names[:in_place]] + [f"{name}={value}" for name, value in values.items()]
    parameters = ", ".join(["v", "*", *given] if given else ["v"])
    text = f"lambda {parameters}: {kind.__name__}({', '.join(arguments)})"
    return eval(text, {kind.__name__: kind})  # type: ignore[no-any-return]  # noqa: S307
