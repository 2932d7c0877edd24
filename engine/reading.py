"""Plain data to typed values, strictly: the reading half of `engine.records`. A reader is built once per type.

A reader that refuses says what is wrong; the containers it is in add where, on the way out.
"""

import dataclasses
import functools
import reprlib
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NoReturn, Union

Reader = Callable[[Any], Any]
BIGGEST = 2**53  # beyond it JSON numbers lose digits in other languages

_quotation = reprlib.Repr()
_quotation.maxlevel, _quotation.maxstring, _quotation.maxlong, _quotation.maxother = 4, 400, 60, 400
_quotation.maxlist = _quotation.maxdict = _quotation.maxtuple = 40


def show(data: object, most: int = 60) -> str:
    """`data`, however large, deep or odd, as a short quotation for a message."""
    try:
        text = _quotation.repr(data)
    except (ValueError, RecursionError):  # whole numbers of thousands of digits have no text
        return "something too large to show"
    return text if len(text) <= most else text[: most - 1] + "…"


class Refused(Exception):
    """Why data is not what a type says, and where, relative to what was read."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason)
        self.reason, self.where = reason, where

    def inside(self, step: str) -> "Refused":
        return Refused(self.reason, step + self.where)

    def __str__(self) -> str:
        return f"{self.where} {self.reason}"


def must(be: str, data: object) -> NoReturn:
    raise Refused(f"must {be}, not {show(data)}")


@functools.cache
def hints(kind: Any) -> list[tuple[str, Any]]:
    """The fields of a record that its plain form has, with their types."""
    found = typing.get_type_hints(kind)
    return [(f.name, found[f.name]) for f in dataclasses.fields(kind) if f.metadata.get("plain", True)]


@functools.cache
def reader(kind: Any) -> Reader:
    """The function that reads a `kind` from plain data or raises Refused."""
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _literal_reader(args)
    if origin in (list, tuple, Sequence):
        return _list_reader(tuple if origin is tuple else list, reader(args[0]))
    if origin is dict:
        return _dict_reader(reader(args[1]))
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    raise TypeError(f"no reader for {kind}")


# --- single values -------------------------------------------------------------------------------------------------


def _read_anything(data: Any) -> Any:
    return data


def _read_int(data: Any) -> int:
    if type(data) is not int:
        must("be a whole number", data)
    if not -BIGGEST <= data <= BIGGEST:
        raise Refused("must lie between -2**53 and 2**53")
    return data


def _read_str(data: Any) -> str:
    if type(data) is not str:
        must("be a text", data)
    if not data.isascii() and any("\ud800" <= letter <= "\udfff" for letter in data):
        must("be a text of whole characters", data)
    return data


def _read_bool(data: Any) -> bool:
    if type(data) is not bool:
        must("be true or false", data)
    return data


def _read_float(data: Any) -> float:
    if type(data) not in (int, float) or data != data or abs(data) > BIGGEST:
        must("be a number", data)
    return float(data)


def _read_bytes(data: Any) -> bytes:
    try:
        return bytes.fromhex(_read_str(data))
    except ValueError:
        must("be hexadecimal text", data)


def _read_none(data: Any) -> None:
    if data is not None:
        must("be null", data)


_SIMPLE: dict[Any, Reader] = {
    Any: _read_anything,
    object: _read_anything,
    int: _read_int,
    str: _read_str,
    bool: _read_bool,
    float: _read_float,
    bytes: _read_bytes,
    types.NoneType: _read_none,
}


def _literal_reader(values: tuple[Any, ...]) -> Reader:
    def read(data: Any) -> Any:
        if not any(type(data) is type(value) and data == value for value in values):
            must(f"be one of {', '.join(map(repr, values))}", data)
        return data

    return read


# --- containers ----------------------------------------------------------------------------------------------------


def _list_reader(origin: Any, item: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not list:
            must("be a list", data)
        values: list[Any] = []
        try:
            values.extend(map(item, data))  # what was read before a refusal stays, and its number says where
        except Refused as refused:
            raise refused.inside(f"[{len(values)}]") from None
        return values if origin is list else origin(values)

    return read


def _dict_reader(item: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not dict:
            must("be an object", data)
        values, key = {}, ""
        try:
            for key, value in data.items():
                values[_read_str(key)] = item(value)
        except Refused as refused:
            raise refused.inside(f".{key if type(key) is str and len(key) < 40 else show(key)}") from None
        return values

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    tagged = {kind.tag: kind for kind in kinds if getattr(kind, "tag", "")}
    others = [kind for kind in kinds if not getattr(kind, "tag", "")]
    tagged_reader = functools.cache(lambda tag: reader(tagged[tag]))

    def read(data: Any) -> Any:
        if type(data) is dict and tagged:
            tag = data.get("t")
            if type(tag) is not str or tag not in tagged:
                raise Refused(f'must have "t" one of {", ".join(map(repr, tagged))}, not {show(tag)}')
            return tagged_reader(tag)(data)
        return _first_that_reads(others, data)

    return read


def _first_that_reads(kinds: list[Any], data: Any) -> Any:
    reasons = []
    for kind in kinds:
        try:
            return reader(kind)(data)
        except Refused as refused:
            reasons.append(str(refused).strip())
    raise Refused(" or ".join(reasons) or f"must be an object, not {show(data)}")


def _record_reader(kind: Any) -> Reader:
    tag = getattr(kind, "tag", "")  # a plain dataclass will do for a record without one
    with_care, size = _careful_reader(kind, tag), len(hints(kind)) + bool(tag)
    whole: list[Reader] = []

    def read(data: Any) -> Any:
        if type(data) is not dict or len(data) != size or data.get("t", "") != tag:
            return with_care(data)
        if not whole:  # not before the first use: records may hold themselves
            whole.append(_whole_reader(kind))
        try:
            return whole[0](data)
        except (Refused, KeyError):
            return with_care(data)  # which says why not

    return read


def _careful_reader(kind: Any, tag: str) -> Reader:
    fields = hints(kind)
    needed = {f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING}
    readers: dict[str, Reader] = {}

    def read(data: Any) -> Any:
        if type(data) is not dict:
            must("be an object", data)
        if tag and data.get("t") != tag:
            raise Refused(f'must have "t": "{tag}", not {show(data.get("t"))}')
        if not readers:
            readers.update({name: reader(hint) for name, hint in fields})
        values, name = {}, ""
        try:
            for name, value in data.items():
                if name in readers:
                    values[name] = readers[name](value)
        except Refused as refused:
            raise refused.inside(f".{name}") from None
        if len(values) + bool(tag) < len(data):
            raise Refused(
                f"has unknown {_names(data.keys() - values.keys() - {tag and 't'})}; it takes {_names(readers)}"
            )
        if len(values) < len(fields) and (missing := needed - values.keys()):
            raise Refused(f"lacks {_names(missing)}")
        return kind(**values)

    return read


# What most values are like, which is seen without a call; all others go through their type's reader.
_LIKELY: Final[dict[Any, str]] = {
    int: f"type({{}}) is int and {-BIGGEST} <= it <= {BIGGEST}",
    bool: "type({}) is bool",
    str: "type({}) is str and it.isascii()",
}


def _whole_reader(kind: Any) -> Reader:
    """One expression that reads a record whose tag is right and of which no field is missing.

    It raises Refused or KeyError.
    """
    by_name = {f.name for f in dataclasses.fields(kind) if f.kw_only}
    texts = {name: _text_of(name, hint) for name, hint in hints(kind)}
    given = [text for name, text in texts.items() if name not in by_name]
    given += [f"{name}={text}" for name, text in texts.items() if name in by_name]
    names = {f"_{name}": reader(hint) for name, hint in hints(kind)} | {"make": kind}
    return eval(f"lambda v: make({', '.join(given)})", names)  # type: ignore[no-any-return]  # noqa: S307


def _text_of(name: str, hint: Any) -> str:
    """The expression that reads a field of the object `v`."""
    value = f"v[{name!r}]"
    if typing.get_origin(hint) is list:
        return f"([] if (it := {value}) == [] else _{name}(it))"
    likely = _LIKELY.get(hint)
    return f"(it if {likely.format(f'(it := {value})')} else _{name}(it))" if likely else f"_{name}({value})"


def _names(names: Any) -> str:
    return ", ".join(show(name, 40) for name in sorted(names, key=str)) or "no fields"
