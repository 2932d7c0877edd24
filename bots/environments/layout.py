"""What a seat observes, as a vector of whole numbers: fields in the order of the game's own View, one after the other.

A field is named by its path in the View (`cash`, `auction.high`, `players.bank`) and holds what the View has there. To
write a whole View for each step would take most of the time, so a field is read from the position where that has the
same. The encoding of a game names each field of the View, as placed or as left out: one that is added later cannot be
forgotten. Tests hold all that is read to the View, and to positions in which what the seat may not know is other.
"""

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, Final

from bots.environments.codecs import Codec
from bots.record_schema import comments
from engine.core import Seat
from engine.reading import hints

Read = Callable[[Any, Seat], Any]  # of a position, for a seat
Placed = Mapping[str, Codec | tuple[Codec, Read | str]]  # a text is the path in the position, where that is another


@dataclass(frozen=True, slots=True)
class Field:
    """Numbers `start` to `start + size` of the observation, to be seen as an array of this shape."""

    name: str
    start: int
    codec: Codec
    read: Read
    about: str = ""
    path: str = ""  # in the position, if it is only that; of a list, of each in it

    @property
    def shape(self) -> tuple[int, ...]:
        return self.codec.shape

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def least(self) -> int:
        """The bounds of each of its numbers."""
        return self.codec.low

    @property
    def most(self) -> int:
        return self.codec.high

    @property
    def end(self) -> int:
        return self.start + self.size


@dataclass(frozen=True, slots=True)
class Layout:
    """All fields of a game with certain options."""

    fields: tuple[Field, ...]
    left_out: Mapping[str, str]  # by name in the View: why
    position: Any  # its type

    @property
    def size(self) -> int:
        return self.fields[-1].end

    def write(self, at: Any, seat: Seat) -> list[int]:
        """Return what `seat` observes of the position, number by number; `packing` has the same for speed."""
        out: list[int] = []
        for field in self.fields:
            out += field.codec.write(field.read(at, seat))
        return out

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


EVERYWHERE: Final = {
    "game": "it is always the same",
    "opts": "they are those of the environment",
}


def layout(view: Any, position: Any, placed: Placed, left_out: Mapping[str, str]) -> Layout:
    """Raises TypeError if a field of the View is neither placed nor left out, or cannot be read."""
    left_out = {**EVERYWHERE, **left_out}
    tops = [name.partition(".")[0] for name in placed]
    if odd := [name for name, _ in hints(view) if (name in tops) == (name in left_out)]:
        raise TypeError(f"{view.__qualname__}.{odd[0]} must be placed in the observation, or left out with a reason")
    return Layout(tuple(_fields(view, position, placed)), left_out, position)


def _fields(view: Any, position: Any, placed: Placed) -> Iterator[Field]:
    start, said = 0, comments(view)
    for name, given in placed.items():
        codec, read = given if isinstance(given, tuple) else (given, _same(view, position, name))
        path = read if isinstance(read, str) else ""
        about = said.get(name.partition(".")[0], "")
        yield (field := Field(name, start, codec, _reader(read) if isinstance(read, str) else read, about, path))
        start = field.end


def _same(view: Any, position: Any, name: str) -> str:
    """The position is read as the View would be, if what it has under that name is of the same type."""
    top = name.partition(".")[0]
    if (hint := hints_of(position).get(top)) is None or hint != hints_of(view)[top]:
        raise TypeError(f"{position.__qualname__} has no {top} as {view.__qualname__} has it: give a function")
    return name


def _reader(path: str) -> Read:
    names = path.split(".")
    return lambda at, _seat: along(at, names)


def my_seat(_at: Any, seat: Seat) -> Seat:
    """Read where the seat itself is told."""
    return seat


@cache
def hints_of(record: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = typing.get_type_hints(record)
    return found


def along(value: Any, path: Sequence[str]) -> Any:
    """Return what is at the end of the path; of a list, a list of what is there in each; None where there is None."""
    for number, name in enumerate(path):
        if value is None:
            return None
        if isinstance(value, list | tuple):
            return [along(each, path[number:]) for each in value]
        value = getattr(value, name)
    return value
