"""Plain data (what JSON can say) to typed records and back, strictly.

A record is a dataclass of ints, strings, bools, bytes (hex in JSON), lists, tuples, sequences (read as lists), dicts
with string keys, literals,
other records, and unions of those. A record with a `tag` carries it as the field "t", which tells the types of a union
apart. Reading refuses wrong types, missing and unknown fields, numbers beyond 2**53 and halves of characters, with
the path and the reason. Converters are built once per type and kept.
"""

import dataclasses
import functools
import json
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal

from engine.reading import Mismatch, hints, reader, show
from engine.sentences import Sentence

Writer = Callable[[Any], Any]

__all__ = ["Record", "RecordError", "canonical", "from_plain", "show", "to_plain"]


class RecordError(ValueError):
    """Plain data that is not what the type says; the message says where and what would be right."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason if isinstance(reason, Sentence) else Sentence(str(self))


class Record:
    """Base of every record. Fields marked `metadata={"plain": False}` stay out of the plain form."""

    __slots__ = ()
    tag: ClassVar[str] = ""


def to_plain(value: Any) -> Any:
    """Return `value` (a record, or plain data holding records) as plain data. It may share lists with the record."""
    kind: Any = type(value)
    return _writer(kind)(value)


def from_plain(kind: Any, data: object, path: str = "value") -> Any:
    """Return the value of type `kind` that `data` spells. Raises RecordError."""
    try:
        return reader(kind)(data)
    except Mismatch as refused:
        raise RecordError(refused.told(path)) from None


def canonical(value: Any) -> str:
    """Return the one JSON text of plain data or a record: sorted keys, no spaces, ASCII."""
    return _canonical(value)


_canonical = json.JSONEncoder(default=to_plain, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


# --- writing -------------------------------------------------------------------------------------------------------


def _same(value: Any) -> Any:
    return value


@functools.cache
def _writer(kind: Any) -> Writer:
    if kind in _PLAIN:
        return _same
    if kind is bytes:
        return bytes.hex
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _record_writer(kind)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _same
    if origin is list and args:
        return _list_writer(_lazy_writer(args[0]))
    if origin is Sequence:
        return _tuple_writer(_lazy_writer(args[0]))
    if origin is tuple and args:
        return _tuple_writer(_lazy_writer(args[0]))
    if origin is dict:
        return _dict_writer(_lazy_writer(args[1]))
    if isinstance(kind, type):
        return next((write for base, write in _BARE.items() if issubclass(kind, base)), _no_writer)
    return to_plain  # of a union the value decides


def _list_writer(item: Writer) -> Writer:
    if item is _same:
        return _same
    return lambda values: [item(value) for value in values]


def _tuple_writer(item: Writer) -> Writer:
    """JSON knows lists alone, so what is read back must not see a tuple, nor a sequence of another kind."""
    return lambda values: [item(value) for value in values]


def _dict_writer(item: Writer) -> Writer:
    return lambda values: {key: item(value) for key, value in values.items()}


def _no_writer(value: Any) -> Any:
    raise RecordError(f"{type(value).__name__} has no plain form")


_PLAIN = (int, str, bool, float, types.NoneType)
_BARE: dict[Any, Writer] = {
    list: _list_writer(to_plain),
    tuple: _list_writer(to_plain),
    dict: _dict_writer(to_plain),
}


def _record_writer(kind: Any) -> Writer:
    """One expression that builds the whole object: a question is written out for every answer, so this is worth it."""
    tag = getattr(kind, "tag", "")  # a plain dataclass will do for a record without one
    writers = {name: _lazy_writer(hint) for name, hint in hints(kind)}
    items = [f'"t": {tag!r}'] * bool(tag)
    items += [f"{name!r}: {name * (write is not _same)}(v.{name})" for name, write in writers.items()]
    return eval(f"lambda v: {{{', '.join(items)}}}", dict(writers))  # type: ignore[no-any-return]  # noqa: S307


def _lazy_writer(hint: Any) -> Writer:
    """Records may hold themselves, so a nested record's writer is looked up when first used."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return functools.partial(_write_later, hint)
    if isinstance(hint, type) and hint not in (*_PLAIN, bytes):  # anything, or a base of records: the value decides
        return to_plain
    return _writer(hint)


def _write_later(hint: Any, value: Any) -> Any:
    return _writer(hint)(value)
