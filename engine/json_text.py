"""Records as JSON text in one step: what JSON writes of `to_plain`, without the dicts between.

A question is written out for every answer, so each type of record has one expression: the names of its fields are in
it ready-made, and a call is made only for what is neither a number nor a text.
"""

import dataclasses
import json
import types
from collections.abc import Callable, Sequence
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, Literal, Union, get_args, get_origin

from engine.reading import hints
from engine.records import to_plain

Writer = Callable[[Any], str]


def to_json(value: Any) -> str:
    """Return `value` (a record, or plain data holding records) as ASCII JSON without spaces.

    Raises RecordError or ValueError for what JSON cannot say.
    """
    return _writers[type(value)](value)


class _Writers(dict[Any, Writer]):
    """By type; a writer is built when its type is first met."""

    def __missing__(self, kind: Any) -> Writer:
        self[kind] = _record_writer(kind) if dataclasses.is_dataclass(kind) else _write_with_care
        return self[kind]


# --- values --------------------------------------------------------------------------------------------------------

_write_with_care = json.JSONEncoder(
    separators=(",", ":"), check_circular=False, allow_nan=False, default=to_plain
).encode


def _write_bool(value: bool) -> str:
    return "true" if value else "false"


def _write_list(values: Any) -> str:
    return f"[{','.join([_writers[type(value)](value) for value in values])}]"


def _write_dict(values: dict[Any, Any]) -> str:
    if {*map(type, values)} - {str}:
        return _write_with_care(values)
    return f"{{{','.join([f'{quoted(key)}:{_writers[type(value)](value)}' for key, value in values.items()])}}}"


def _write_numbers(values: Any) -> str:
    """Python writes lists of whole numbers as JSON does, but for spaces. If there is more in it, they are not that."""
    text = str(values)
    if type(values) is not list or text.encode().translate(None, b"-0123456789, []"):
        return _writers[type(values)](values)
    return text.replace(" ", "")


def _write_pair(values: Any) -> str:
    if type(values) is tuple and len(values) == 2:
        first, second = values
        if type(first) is int is type(second):
            return f"[{first},{second}]"
    return _writers[type(values)](values)


def _write_pairs(values: Any) -> str:
    """A list of pairs of whole numbers: as `_write_numbers`, where each has its brackets."""
    text = str(values)
    if type(values) is not list or ",)" in text or text.encode().translate(None, b"-0123456789, []()"):
        return _writers[type(values)](values)
    return text.replace("(", "[").replace(")", "]").replace(" ", "")


def _write_several(*lists: Any) -> list[str]:
    """Several lists of whole numbers at once: one by one, most of the time goes to calls."""
    parts = str(lists)[1:-1].replace("], [", "]\n[").replace(" ", "").split("\n")
    is_plain = len(parts) == len(lists) and {*map(type, lists)} == {list}  # so that there are no lists in them
    if not is_plain or "".join(parts).encode().translate(None, b"-0123456789,[]"):
        return [_writers[type(values)](values) for values in lists]
    return parts


def _write_words(values: Any) -> str:
    """The same of lists with None, True and False among the numbers, which JSON spells otherwise."""
    text = str(values)
    numbers = text.replace("None", "").replace("True", "").replace("False", "")
    if type(values) is not list or numbers.encode().translate(None, b"-0123456789, []"):
        return _writers[type(values)](values)
    return text.replace(" ", "").replace("None", "null").replace("True", "true").replace("False", "false")


def _write_lists_of_texts(values: Any) -> str:
    if type(values) is not list:
        return _writers[type(values)](values)
    return f"[{','.join(map(_write_texts, values))}]"


def _write_texts(values: Any) -> str:
    """Joined first: if there is nothing to escape but the quotes between them, they are as they should be."""
    try:
        joined = '","'.join(values)
    except TypeError:  # they are not all texts
        return _writers[type(values)](values)
    if type(values) is not list or len(quoted(joined)) != len(joined) + 2 * len(values):
        return _writers[type(values)](values)
    return f'["{joined}"]'


_writers: Final = _Writers(
    {
        int: int.__repr__,
        str: quoted,
        bool: _write_bool,
        types.NoneType: lambda _: "null",
        bytes: lambda value: f'"{value.hex()}"',
        list: _write_list,
        tuple: _write_list,
        dict: _write_dict,
    }
)

# --- records -------------------------------------------------------------------------------------------------------

_DIGITS: Final = tuple(map(str, range(1_000)))  # to look a small number up is quicker than to write it
_OWN: Final = "write[type(it)](it)"  # by the type that the value does have
_DIGIT: Final = f"digits[it] if type(it) is int and 0 <= it < {len(_DIGITS)} else {_OWN}"
# By the type of a field, the expression that writes what is mostly in it without a call. `{}` is where it is looked at.
_LIKELY: Final[dict[Any, str]] = {
    int: _DIGIT.replace("(it)", "({})", 1),
    int | None: f"'null' if ({{}}) is None else {_DIGIT}",
    str: f"quoted(it) if type({{}}) is str else {_OWN}",
    bool: f"'true' if ({{}}) is True else 'false' if it is False else {_OWN}",
    list[int]: "'[]' if ({}) == [] else numbers(it)",
    tuple[int, int]: "pair({})",
    list[tuple[int, int]]: "'[]' if ({}) == [] else pairs(it)",
    list[list[int]]: "'[]' if ({}) == [] else numbers(it)",
    list[int | None]: "'[]' if ({}) == [] else words(it)",
    list[bool]: "'[]' if ({}) == [] else words(it)",
    list[str]: "'[]' if ({}) == [] else texts(it)",
    list[list[str]]: "'[]' if ({}) == [] else lists_of_texts(it)",
}
_NAMES: Final = {
    "write": _writers,
    "digits": _DIGITS,
    "quoted": quoted,
    "numbers": _write_numbers,
    "pair": _write_pair,
    "pairs": _write_pairs,
    "several": _write_several,
    "words": _write_words,
    "texts": _write_texts,
    "lists_of_texts": _write_lists_of_texts,
}


def _record_writer(kind: Any) -> Writer:
    hinted = [hint for _, hint in hints(kind)]
    is_fixed = kind.__dataclass_params__.frozen and all(map(_is_scalar, hinted))
    return _kept(_writer_of(kind)) if is_fixed else _writer_of(kind)


def _is_scalar(hint: Any) -> bool:
    if get_origin(hint) is Literal or hint in (int, str, bool, types.NoneType):
        return True
    return get_origin(hint) in (types.UnionType, Union) and all(map(_is_scalar, get_args(hint)))


def _kept(write: Writer) -> Writer:
    """The options of a match are in each of its questions, and cannot change: the last text is kept."""
    last: tuple[Any, str] = (None, "")

    def written(value: Any) -> str:
        nonlocal last
        last_value, text = last
        if last_value is not value:
            text = write(value)
            last = value, text
        return text

    return written


def _writer_of(kind: Any) -> Writer:
    tag = getattr(kind, "tag", "")  # a plain dataclass will do for a record without one
    items = ['"t":{tag}'] * bool(tag) + [_item(name, hint) for name, hint in hints(kind)]
    lists = [name for name, hint in hints(kind) if hint == list[int]]
    if len(lists) > 2:
        items = _together(items, lists)
    names = _NAMES | {"tag": quoted(tag)}
    return eval(f"lambda v: f'''{{{{{','.join(items)}}}}}'''", names)  # type: ignore[no-any-return]  # noqa: S307


def _item(name: str, hint: Any) -> str:
    """The name of a field and the expression that writes it."""
    if get_origin(hint) is Sequence:
        return f'"{name}":{{write[list](v.{name})}}'  # whatever kind of sequence it is
    otherwise = "'[]' if ({}) == [] else write[type(it)](it)" if get_origin(hint) is list else "write[type({})](it)"
    text = _LIKELY.get(_without_literals(hint), otherwise).format(f"it := v.{name}")
    return f'"{name}":{{({text})}}'


def _together(items: list[str], lists: list[str]) -> list[str]:
    """The same, with these fields written where the first of them is."""
    first, *following = [f'"{name}":' for name in lists]
    written = {name: f"{name}{{many[{index}]}}" for index, name in enumerate(following, 1)}
    written[first] = f"{first}{{(many := several({', '.join(f'v.{name}' for name in lists)}))[0]}}"
    return [written.get(item.partition("{")[0], item) for item in items]


def _without_literals(hint: Any) -> Any:
    """A list of literals is mostly one of texts."""
    if get_origin(hint) is Literal:
        return str
    return list[_without_literals(get_args(hint)[0])] if get_origin(hint) is list else hint  # type: ignore[misc]
