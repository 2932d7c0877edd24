"""Answers in plain numbers: what NumPy and its like made is sent as Python's own ints, floats, bools and lists.

The table is strict and stays so; this runs in the bot's own process. NumPy is not imported: its scalars and arrays, and
those of other libraries, have `tolist`.
"""

import dataclasses
import functools
import operator
import typing
from typing import Any

from engine.reading import hints

PLAIN = {int, str, bool, type(None)}  # what nearly all answers are made of, and quicker to see


def plain_answer(answer: Any) -> Any:
    """Return the record with plain values in its fields; the same one if they are plain already."""
    kind: Any = type(answer)
    changed = {}
    for name, takes_float in _fields(kind).items():
        value = getattr(answer, name)
        if type(value) not in PLAIN and (sent := plain_value(value, takes_float=takes_float)) is not value:
            changed[name] = sent
    return dataclasses.replace(answer, **changed) if changed else answer


def plain_value(value: Any, *, takes_float: bool = False) -> Any:
    """Return the value as what JSON knows; whole floats are ints, unless floats are taken. What is odd stays so."""
    if isinstance(value, int | str | bytes | None):
        return value
    if hasattr(value, "tolist"):
        return plain_value(value.tolist(), takes_float=takes_float)
    if isinstance(value, float):
        return int(value) if value.is_integer() and not takes_float else value
    if hasattr(value, "__index__"):
        return operator.index(value)
    if dataclasses.is_dataclass(value):
        return plain_answer(value)
    return _plain_items(value, takes_float=takes_float)


def _plain_items(value: Any, *, takes_float: bool) -> Any:
    if isinstance(value, dict):
        return {key: plain_value(item, takes_float=takes_float) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(plain_value(item, takes_float=takes_float) for item in value)
    return value


@functools.cache
def _fields(kind: Any) -> dict[str, bool]:
    """Return the fields of a record, and whether each takes floats."""
    return {name: _takes_float(hint) for name, hint in hints(kind)}


def _takes_float(hint: Any) -> bool:
    return hint is float or any(map(_takes_float, typing.get_args(hint)))
