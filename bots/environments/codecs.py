"""How a value of a record becomes whole numbers: so many of them, always, with bounds. `None` becomes zeros.

`Codec.write` says it once, number by number. `bots.environments.packing` keeps what it wrote for values seen before.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

MOST: Final = 2**31 - 1  # of an int32
Key = Callable[[Any], Hashable]


def itself(value: Any) -> Hashable:
    """The key of what can be one."""
    return value  # type: ignore[no-any-return]


def list_key(values: Iterable[Any] | None) -> Hashable:
    """The key of a list, None being an empty one."""
    return tuple(values or ())


@dataclass(frozen=True, slots=True)
class Codec:
    """`write` gives as many numbers as the product of `shape`, each from `low` to `high`."""

    shape: tuple[int, ...]
    write: Callable[[Any], Sequence[int]]
    low: int = 0
    high: int = MOST
    about: str = ""  # what the last axis counts, for the docs
    key: Key | None = None  # values of the same key are written alike, and `write` takes the key in their place
    within: "Codec | None" = None  # where it is a list of so many: each of them
    scalar: str = ""  # where it is one number: the same in Python's words, for `v`
    is_plain: bool = False  # a list of so many is written as it is

    @property
    def size(self) -> int:
        return prod(self.shape)


def number(low: int = 0, high: int = MOST) -> Codec:
    return Codec((1,), lambda value: (value or 0,), low, high, scalar="v or 0")


def number_or(none: int, high: int = MOST) -> Codec:
    """`none` in the place of None."""
    scalar = f"{none} if v is None else v"
    return Codec((1,), lambda value: (none if value is None else value,), none, high, scalar=scalar)


def flag() -> Codec:
    return number(0, 1)


def numbers(size: int, low: int = 0, high: int = MOST, about: str = "") -> Codec:
    """A list of so many at most; the rest is 0."""

    def write(values: Sequence[int] | None) -> Sequence[int]:
        values = values or ()
        return values if len(values) == size else [*values, *[0] * (size - len(values))]

    return Codec((size,), write, low, high, about, list_key, is_plain=True)


def one_of(values: Iterable[Hashable], about: str = "") -> Codec:
    """A 1 at the place of the value."""
    place = {value: at for at, value in enumerate(values)}
    rows = {value: [int(at == other) for other in range(len(place))] for value, at in place.items()}
    none = [0] * len(place)
    return Codec((len(place),), lambda value: rows.get(value, none), 0, 1, about or _names(place), itself)


def counts(values: Iterable[Hashable], high: int = 1, about: str = "") -> Codec:
    """How often each value is in a list."""
    place = {value: at for at, value in enumerate(values)}
    none = [0] * len(place)

    def write(found: Iterable[Hashable] | None) -> Sequence[int]:
        if not found:
            return none
        out = none.copy()
        for value in found:
            out[place[value]] += 1
        return out

    return Codec((len(place),), write, 0, high, about or _names(place), list_key)


def codes(size: int, values: Sequence[Hashable], about: str = "") -> Codec:
    """A list of so many values, each by its place in `values`."""
    place = {value: at for at, value in enumerate(values)}
    return Codec((size,), lambda found: [place[value] for value in found], 0, len(place) - 1, about, list_key)


def places(seats: int) -> Codec:
    """Return a codec that writes by seat its place in a list of seats, from 1; 0 where it is not in it."""

    def write(order: Sequence[int] | None) -> Sequence[int]:
        out = [0] * seats
        for at, seat in enumerate(order or (), 1):
            out[seat] = at
        return out

    return Codec((seats,), write, 0, seats, "place in the list, from 1; by seat", list_key)


def each(size: int, inner: Codec, about: str = "") -> Codec:
    """A list of so many at most, one after the other; what is missing is 0."""
    none, whole, write_one = list(inner.write(None)), size * inner.size, inner.write

    def write(values: Iterable[Any] | None) -> Sequence[int]:
        out: list[int] = []
        for value in values or ():
            out += write_one(value)
        return out[:whole] if len(out) >= whole else out + none * ((whole - len(out)) // inner.size)

    shape = (size,) if inner.shape == (1,) else (size, *inner.shape)
    is_one = inner.key is itself or bool(inner.scalar)  # then the list itself can be a key
    within = None if is_one or inner.key is None else inner
    return Codec(shape, write, inner.low, inner.high, about or inner.about, list_key if is_one else None, within)


def planes(seats: int, size: int, about: str = "") -> Codec:
    """A list of owners (a seat or None) of so many things: for each seat a 1 where it is the owner."""

    def write(owners: Sequence[int | None]) -> Sequence[int]:
        out = [0] * (seats * size)
        for at, owner in enumerate(owners):
            if owner is not None:
                out[owner * size + at] = 1
        return out

    return Codec((seats, size), write, 0, 1, about, list_key)


def _names(values: Iterable[Hashable]) -> str:
    names = [str(value) or '""' for value in values]
    return ", ".join(names) if len(names) <= 8 else f"{names[0]} to {names[-1]}"
