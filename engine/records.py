"""Plain data (what JSON can say) to typed records and back, strictly.

A record is a dataclass of ints, strings, bools, bytes (hex in JSON), lists, tuples, dicts with string keys, literals,
other records, and unions of those. A record with a `tag` carries it as the field "t", which is how unions are told
apart. Reading refuses wrong types, missing and unknown fields, numbers beyond 2**53 and halves of characters, with
the path and the reason. Converters are built once per type and kept.
"""

import dataclasses
import functools
import json
import reprlib
import types
import typing
from collections.abc import Callable
from typing import Any, ClassVar, Literal, Union

Writer = Callable[[Any], Any]
Reader = Callable[[Any, str], Any]
BIGGEST = 2**53  # beyond it JSON numbers lose digits in other languages


class RecordError(ValueError):
    """Plain data that is not what the type says; the message tells where and what would be right."""


class Record:
    """Base of every record. Fields marked `metadata={"plain": False}` stay out of the plain form."""

    __slots__ = ()
    tag: ClassVar[str] = ""


def to_plain(value: Any) -> Any:
    """`value` (a record, or plain data holding records) as plain data. Lists may be shared with the record."""
    kind: Any = type(value)
    return _writer(kind)(value)


def from_plain(kind: Any, data: object, path: str = "value") -> Any:
    """The value of type `kind` that `data` spells. Raises RecordError."""
    return _reader(kind)(data, path)


def canonical(value: Any) -> str:
    """The one JSON text of plain data or a record: sorted keys, no spaces, ASCII."""
    return json.dumps(to_plain(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def show(data: object, most: int = 60) -> str:
    """`data`, however large, deep or odd, as a short quotation for a message."""
    try:
        text = _quotation.repr(data)
    except (ValueError, RecursionError):  # whole numbers of thousands of digits have no text
        return "something too large to show"
    return text if len(text) <= most else text[: most - 1] + "…"


_quotation = reprlib.Repr()
_quotation.maxlevel, _quotation.maxstring, _quotation.maxlong, _quotation.maxother = 4, 400, 60, 400
_quotation.maxlist = _quotation.maxdict = _quotation.maxtuple = 40


# --- writing -------------------------------------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


@functools.cache
def _writer(kind: Any) -> Writer:
    if kind in (int, str, bool, float, types.NoneType):
        return _same
    if kind is bytes:
        return bytes.hex
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _record_writer(kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _same
    if origin in (list, tuple) and args:
        return _list_writer(_lazy_writer(args[0]))
    if origin is dict:
        return _dict_writer(_lazy_writer(args[1]))
    return _any_writer


def _list_writer(item: Writer) -> Writer:
    if item is _same:
        return list
    return lambda values: [item(value) for value in values]


def _dict_writer(item: Writer) -> Writer:
    return lambda values: {key: item(value) for key, value in values.items()}


def _any_writer(value: Any) -> Any:
    """Unions and untyped data: decide by the value."""
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    kind: Any = type(value)
    if kind in (int, str, bool, float, types.NoneType, bytes) or dataclasses.is_dataclass(kind):
        return _writer(kind)(value)
    raise RecordError(f"{kind.__name__} has no plain form")


def _record_writer(kind: Any) -> Writer:
    fields = [(name, _lazy_writer(hint)) for name, hint in _hints(kind)]
    tag = getattr(kind, "tag", "")  # a plain dataclass will do for a record without one
    head = {"t": tag} if tag else {}

    def write(value: Any) -> dict[str, Any]:
        plain: dict[str, Any] = dict(head)
        for name, item in fields:
            plain[name] = item(getattr(value, name))
        return plain

    return write


def _lazy_writer(hint: Any) -> Writer:
    """Records may hold themselves, so a nested record's writer is looked up when first used."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return functools.partial(_write_later, hint)
    return _writer(hint)


def _write_later(hint: Any, value: Any) -> Any:
    return _writer(hint)(value)


@functools.cache
def _hints(kind: Any) -> list[tuple[str, Any]]:
    hints = typing.get_type_hints(kind)
    return [(f.name, hints[f.name]) for f in dataclasses.fields(kind) if f.metadata.get("plain", True)]


# --- reading -------------------------------------------------------------------------------------------------------


@functools.cache
def _reader(kind: Any) -> Reader:
    if kind in (Any, object):
        return _read_anything
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _literal_reader(args)
    if origin in (list, tuple):
        return _list_reader(origin, args[0])
    if origin is dict:
        return _dict_reader(args[1])
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    raise TypeError(f"no reader for {kind}")


def _read_anything(data: Any, _path: str) -> Any:
    return data


def _read_int(data: Any, path: str) -> int:
    if type(data) is not int:
        raise RecordError(f"{path} must be a whole number, not {show(data)}")
    if not -BIGGEST <= data <= BIGGEST:
        raise RecordError(f"{path} must lie between -2**53 and 2**53")
    return data


def _read_str(data: Any, path: str) -> str:
    if type(data) is not str:
        raise RecordError(f"{path} must be a text, not {show(data)}")
    if not data.isascii() and any("\ud800" <= letter <= "\udfff" for letter in data):
        raise RecordError(f"{path} must be a text of whole characters, not {show(data)}")
    return data


def _read_bool(data: Any, path: str) -> bool:
    if type(data) is not bool:
        raise RecordError(f"{path} must be true or false, not {show(data)}")
    return data


def _read_float(data: Any, path: str) -> float:
    if type(data) not in (int, float) or data != data or abs(data) > BIGGEST:
        raise RecordError(f"{path} must be a number, not {show(data)}")
    return float(data)


def _read_bytes(data: Any, path: str) -> bytes:
    try:
        return bytes.fromhex(_read_str(data, path))
    except ValueError as error:
        raise RecordError(f"{path} must be hexadecimal text, not {show(data)}") from error


def _read_none(data: Any, path: str) -> None:
    if data is not None:
        raise RecordError(f"{path} must be null, not {show(data)}")


_SIMPLE: dict[Any, Reader] = {
    int: _read_int,
    str: _read_str,
    bool: _read_bool,
    float: _read_float,
    bytes: _read_bytes,
    types.NoneType: _read_none,
}


def _literal_reader(values: tuple[Any, ...]) -> Reader:
    def read(data: Any, path: str) -> Any:
        if not any(type(data) is type(value) and data == value for value in values):
            raise RecordError(f"{path} must be one of {', '.join(map(repr, values))}, not {show(data)}")
        return data

    return read


def _list_reader(origin: Any, kind: Any) -> Reader:
    def read(data: Any, path: str) -> Any:
        if type(data) is not list:
            raise RecordError(f"{path} must be a list, not {show(data)}")
        item = _reader(kind)
        return origin(item(value, f"{path}[{index}]") for index, value in enumerate(data))

    return read


def _dict_reader(kind: Any) -> Reader:
    def read(data: Any, path: str) -> Any:
        if type(data) is not dict:
            raise RecordError(f"{path} must be an object, not {show(data)}")
        item = _reader(kind)
        return {_read_str(key, path): item(value, f"{path}.{key}") for key, value in data.items()}

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    tagged = {kind.tag: kind for kind in kinds if getattr(kind, "tag", "")}
    others = [kind for kind in kinds if not getattr(kind, "tag", "")]

    def read(data: Any, path: str) -> Any:
        if type(data) is dict and tagged:
            tag = data.get("t")
            if not isinstance(tag, str) or tag not in tagged:
                raise RecordError(f'{path} must have "t" one of {", ".join(map(repr, tagged))}, not {show(tag)}')
            return _reader(tagged[tag])(data, path)
        return _first_that_reads(others, data, path)

    return read


def _first_that_reads(kinds: list[Any], data: Any, path: str) -> Any:
    reasons = []
    for kind in kinds:
        try:
            return _reader(kind)(data, path)
        except RecordError as error:
            reasons.append(str(error))
    raise RecordError(" or ".join(reasons) or f"{path} must be an object, not {show(data)}")


def _record_reader(kind: Any) -> Reader:
    fields = dict(_hints(kind))
    tag = getattr(kind, "tag", "")
    needed = {
        field.name
        for field in dataclasses.fields(kind)
        if field.name in fields and field.default is field.default_factory is dataclasses.MISSING
    }

    def read(data: Any, path: str) -> Any:
        if type(data) is not dict:
            raise RecordError(f"{path} must be an object, not {show(data)}")
        given = dict(data)
        if tag and given.pop("t", None) != tag:
            raise RecordError(f'{path} must have "t": "{tag}", not {show(data.get("t"))}')
        if unknown := given.keys() - fields.keys():
            raise RecordError(f"{path} has unknown {_names(unknown)}; it takes {_names(fields)}")
        if missing := needed - given.keys():
            raise RecordError(f"{path} lacks {_names(missing)}")
        return kind(**{name: _reader(fields[name])(value, f"{path}.{name}") for name, value in given.items()})

    return read


def _names(names: Any) -> str:
    return ", ".join(show(name, 40) for name in sorted(names, key=str)) or "no fields"
