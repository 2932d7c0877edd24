"""Plain data to typed values, strictly: the reading half of `engine.records`. A reader is built once per type.

A reader that refuses says what is wrong; the containers it is in add where, on the way out.
"""

import dataclasses
import functools
import reprlib
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Union

from engine.sentences import Sentence, list_sentence

Reader = Callable[[Any], Any]
OBJECT: Final = "must be an object, not %(given)s"
BIGGEST = 2**53  # beyond it JSON numbers lose digits in other languages

_quotation = reprlib.Repr()
_quotation.maxlevel, _quotation.maxstring, _quotation.maxlong, _quotation.maxother = 4, 400, 60, 400
_quotation.maxlist = _quotation.maxdict = _quotation.maxtuple = 40


def show(data: object, most: int = 60) -> str:
    """Return `data`, however large, deep or odd, as a quotation for a message, of `most` characters at most."""
    try:
        text = _quotation.repr(data)
    except (ValueError, RecursionError):  # whole numbers of thousands of digits have no text
        return "something too large to show"
    return text if len(text) <= most else text[: most - 1] + "…"


class Mismatch(Exception):
    """Why data is not what a type says, and where, relative to what was read. `given` is data, and filled in as shown.

    The sentence is made when it is asked for: what one type of a union refuses, another may read.
    """

    def __init__(self, sentence: str, where: str = "", /, **filled: object) -> None:
        super().__init__(sentence)
        self.sentence, self.where, self.filled = sentence, where, filled

    def inside(self, step: str) -> "Mismatch":
        return Mismatch(self.sentence, step + self.where, **self.filled)

    @property
    def reason(self) -> Sentence:
        shown = {"given": show(self.filled["given"])} if "given" in self.filled else {}
        return Sentence(self.sentence, **{**self.filled, **shown})

    def told(self, path: str) -> Sentence:
        """Return the reason with the place: `path` is that of what was read."""
        return Sentence("%(where)s %(reason)s", where=path + self.where, reason=self.reason)

    def __str__(self) -> str:
        return f"{self.where} {self.reason}"


@functools.cache
def hints(kind: Any) -> list[tuple[str, Any]]:
    """Return the fields of a record that its plain form has, with their types."""
    field_types = typing.get_type_hints(kind)
    return [(f.name, field_types[f.name]) for f in dataclasses.fields(kind) if f.metadata.get("plain", True)]


@functools.cache
def reader(kind: Any) -> Reader:
    """Return the function that reads a `kind` from plain data or raises Mismatch."""
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
        raise Mismatch("must be a whole number, not %(given)s", given=data)
    if not -BIGGEST <= data <= BIGGEST:
        raise Mismatch("must lie between -2**53 and 2**53")
    return data


def _read_str(data: Any) -> str:
    if not isinstance(data, str):
        raise Mismatch("must be a text, not %(given)s", given=data)
    if not data.isascii() and any("\ud800" <= letter <= "\udfff" for letter in data):
        raise Mismatch("must be a text of whole characters, not %(given)s", given=data)
    return data


def _read_bool(data: Any) -> bool:
    if type(data) is not bool:
        raise Mismatch("must be true or false, not %(given)s", given=data)
    return data


def _read_float(data: Any) -> float:
    if type(data) not in (int, float) or data != data or abs(data) > BIGGEST:
        raise Mismatch("must be a number, not %(given)s", given=data)
    return float(data)


def _read_bytes(data: Any) -> bytes:
    try:
        return bytes.fromhex(_read_str(data))
    except ValueError:
        raise Mismatch("must be hexadecimal text, not %(given)s", given=data) from None


def _read_none(data: Any) -> None:
    if data is not None:
        raise Mismatch("must be null, not %(given)s", given=data)


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
    choices = ", ".join(map(repr, values))

    def read(data: Any) -> Any:
        if not any(type(data) is type(value) and data == value for value in values):
            raise Mismatch("must be one of %(choices)s, not %(given)s", choices=choices, given=data)
        return data

    return read


# --- containers ----------------------------------------------------------------------------------------------------


def _list_reader(origin: Any, item: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not list:
            raise Mismatch("must be a list, not %(given)s", given=data)
        values: list[Any] = []
        try:
            values.extend(map(item, data))  # what was read before a refusal stays, and its number says where
        except Mismatch as refused:
            raise refused.inside(f"[{len(values)}]") from None
        return values if origin is list else origin(values)

    return read


def _dict_reader(item: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise Mismatch(OBJECT, given=data)
        values, key = {}, ""
        try:
            for key, value in data.items():
                values[_read_str(key)] = item(value)
        except Mismatch as refused:
            raise refused.inside(f".{key if type(key) is str and len(key) < 40 else show(key)}") from None
        return values

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    tagged = {kind.tag: kind for kind in kinds if getattr(kind, "tag", "")}
    untagged = [kind for kind in kinds if not getattr(kind, "tag", "")]
    tags = ", ".join(map(repr, tagged))
    tagged_reader = functools.cache(lambda tag: reader(tagged[tag]))

    def read(data: Any) -> Any:
        if type(data) is dict and tagged:
            tag = data.get("t")
            if type(tag) is not str or tag not in tagged:
                raise Mismatch('must have "t" one of %(choices)s, not %(given)s', choices=tags, given=tag)
            return tagged_reader(tag)(data)
        return _first_that_reads(untagged, data)

    return read


def _first_that_reads(kinds: list[Any], data: Any) -> Any:
    refusals = []
    for kind in kinds:
        try:
            return reader(kind)(data)
        except Mismatch as refused:
            refusals.append(refused)
    if not refusals:
        raise Mismatch(OBJECT, given=data)
    reasons = (refused.told("") if refused.where else refused.reason for refused in refusals)
    raise Mismatch("%(reason)s", reason=functools.reduce(_or, reasons))


def _or(reason: Sentence, other: Sentence) -> Sentence:
    return Sentence("%(reason)s or %(other)s", reason=reason, other=other)


def _record_reader(kind: Any) -> Reader:
    tag = getattr(kind, "tag", "")  # a plain dataclass will do for a record without one
    with_care, size = _careful_reader(kind, tag), len(hints(kind)) + bool(tag)
    quick: list[Reader] = []

    def read(data: Any) -> Any:
        if type(data) is not dict or len(data) != size or data.get("t", "") != tag:
            return with_care(data)
        if not quick:  # not before the first use: records may hold themselves
            quick.append(_whole_reader(kind))
        try:
            return quick[0](data)
        except (Mismatch, KeyError):
            return with_care(data)  # which says why not

    return read


def _careful_reader(kind: Any, tag: str) -> Reader:
    fields = hints(kind)
    needed = {f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING}
    readers: dict[str, Reader] = {}

    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise Mismatch(OBJECT, given=data)
        if tag and data.get("t") != tag:
            raise Mismatch('must have "t": "%(tag)s", not %(given)s', tag=tag, given=data.get("t"))
        if not readers:
            readers.update({name: reader(hint) for name, hint in fields})
        values, name = {}, ""
        try:
            for name, value in data.items():
                if name in readers:
                    values[name] = readers[name](value)
        except Mismatch as refused:
            raise refused.inside(f".{name}") from None
        if len(values) + bool(tag) < len(data):
            unknown = _names(data.keys() - values.keys() - {tag and "t"})
            raise Mismatch("has unknown %(unknown)s; it takes %(known)s", unknown=unknown, known=_names(readers))
        if len(values) < len(fields) and (missing := needed - values.keys()):
            raise Mismatch("lacks %(missing)s", missing=_names(missing))
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

    It raises Mismatch or KeyError.
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


def _names(names: Any) -> Sentence:
    return list_sentence([show(name, 40) for name in sorted(names, key=str)], Sentence("no fields"))
