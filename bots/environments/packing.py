"""A layout as one Python function, made with the encoding: what `Layout.write` says, as bytes, for a part of the cost.

    def packed(at, seat, tail):
        auction = at.auction
        return pack(t0[seat], at.turn or 0, t2[tuple(at.row or ())], *(n3 if auction is None else (...)), tail)

Most of a position is as it was at the last look, so the bytes of a value are kept by its key, in one table for each
field, and the fields below an auction that nobody holds are one constant. The tests hold it to `Layout.write`.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from struct import Struct
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from bots.environments.codecs import Codec, itself, list_key
from bots.environments.layout import Field, Layout, hints_of, my_seat
from engine.core import Seat

KEPT: Final = 4096  # values of a table, before it begins anew
INT: Final = 4  # bytes of a number
FEW: Final = 8  # numbers that cost less to write anew than to look up
Packed = Callable[[Any, Seat, bytes], bytes]


class Table(dict[Hashable, bytes]):
    """The bytes of the values seen lately, by their keys."""

    __slots__ = ("pack", "write")

    def __init__(self, codec: Codec) -> None:
        super().__init__()
        self.write, self.pack = codec.write, Struct(f"{codec.size}i").pack

    def __missing__(self, key: Hashable) -> bytes:
        if len(self) >= KEPT:
            self.clear()
        self[key] = row = self.pack(*self.write(key))
        return row


def packing(layout: Layout, tail: int) -> Packed:
    """Return the function that packs what a seat observes of a position, with the bytes of `tail` numbers behind it."""
    source, names = Source(hints_of(layout.position)), dict[str, Any]()
    parts = [source.part(fields, names) for fields in _together(layout.fields)]
    tops = "".join(f"    {top} = at.{top}\n" for top in source.tops)
    arguments = ", ".join(part.text for part in parts)
    names["pack"] = Struct(f"={_form(parts)}{tail * INT}s").pack
    exec(f"def packed(at, seat, tail):\n{tops}    return pack({arguments}, tail)\n", names)  # noqa: S102  our own words
    packed: Packed = names["packed"]
    return packed


def _together(fields: Iterable[Field]) -> Iterator[list[Field]]:
    """Neighbours that are read from the same record or list of the position."""
    for _, found in groupby(fields, lambda field: field.path.partition(".")[0] if "." in field.path else field.start):
        yield list(found)


@dataclass(frozen=True, slots=True)
class Part:
    """Arguments of `pack`, as text, and how it takes them."""

    text: str
    form: str


class Source:
    """The text of the function, and in `names` what it uses."""

    def __init__(self, hints: Mapping[str, Any]) -> None:
        self.hints, self.tops = hints, dict[str, None]()

    def part(self, fields: Sequence[Field], names: dict[str, Any]) -> Part:
        top, _, below = fields[0].path.partition(".")
        hint, is_optional = _without_none(self.hints.get(top))
        if not below or not (is_optional or _item(hint)):
            parts = [_part(field, self._value(field, names), names) for field in fields]
            return Part(", ".join(part.text for part in parts), _form(parts))
        self.tops[top] = None
        parts = [_part(field, _along(hint, top, field.path.split(".")[1:]), names) for field in fields]
        nothing = [_part(field, "None", names).text for field in fields]
        name = f"n{fields[0].start}"
        names[name] = eval(f"({', '.join(nothing)},)", names)  # noqa: S307  our own words
        text = ", ".join(part.text for part in parts)
        return Part(f"*(({text},) if {top} else {name})", _form(parts))

    def _value(self, field: Field, names: dict[str, Any]) -> str:
        if field.read is my_seat:
            return "seat"
        if field.path:
            top, *below = field.path.split(".")
            return _along(self.hints[top], f"at.{top}", below)
        names[f"r{field.start}"] = field.read
        return f"r{field.start}(at, seat)"


def _form(parts: Iterable[Part]) -> str:
    return "".join(part.form for part in parts)


def _part(field: Field, value: str, names: dict[str, Any]) -> Part:
    """Return the text of what the codec writes of the value, and how `pack` takes it."""
    codec, number = field.codec, field.start
    if codec.scalar:
        return Part(re.sub(r"\bv\b", lambda _: f"({value})", codec.scalar), "i")
    if codec.key and not (codec.is_plain and codec.size <= FEW):
        return Part(_kept(codec, number, value, names), f"{codec.size * INT}s")
    if codec.within:
        inner = codec.within
        names[f"p{number}"] = _padded(codec.shape[0], inner)
        rows = f"[{_kept(inner, number, 'each', names)} for each in {value} or ()]"
        return Part(f"*p{number}({rows})", f"{inner.size * INT}s" * codec.shape[0])
    names[f"w{number}"] = codec.write
    if codec.is_plain and value.startswith("at."):
        return Part(f"*({value} if len({value}) == {codec.size} else w{number}({value}))", f"{codec.size}i")
    return Part(f"*w{number}({value})", f"{codec.size}i")


def _kept(codec: Codec, number: int, value: str, names: dict[str, Any]) -> str:
    names.setdefault(f"t{number}", Table(codec))
    if codec.key is itself:
        return f"t{number}[{value}]"
    if codec.key is list_key:
        return f"t{number}[tuple({value if value.startswith('[') else f'{value} or ()'})]"
    names[f"k{number}"] = codec.key
    return f"t{number}[k{number}({value})]"


def _padded(size: int, inner: Codec) -> Callable[[list[bytes]], list[bytes]]:
    """A list of so many, the last ones of None."""
    none = Struct(f"{inner.size}i").pack(*inner.write(None))
    return lambda rows: rows if len(rows) == size else [*rows[:size], *[none] * (size - len(rows))]


def _along(hint: Any, value: str, path: Sequence[str], depth: int = 0) -> str:
    """Return in Python's words what `layout.along` does: the types say where lists are, and where None may be."""
    if not path:
        return value
    hint, is_optional = _without_none(hint)
    if is_optional:
        return f"(None if {value} is None else {_along(hint, value, path, depth)})"
    if item := _item(hint):
        each = f"x{depth}"
        return f"[{_along(item, each, path, depth + 1)} for {each} in {value}]"
    return _along(hints_of(hint)[path[0]], f"{value}.{path[0]}", path[1:], depth)


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Return the type that it has where it is not None, and whether it may be None."""
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    others = [each for each in get_args(hint) if each is not NoneType]
    return others[0], len(others) < len(get_args(hint))


def _item(hint: Any) -> Any:
    """Return the type of what is in it, if it is a list or a tuple; else None."""
    return get_args(hint)[0] if get_origin(hint) in (list, tuple) else None
