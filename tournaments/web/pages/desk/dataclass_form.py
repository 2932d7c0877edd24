"""A form field for each field of a dataclass, such as a game's options or a format, and back to plain data.

The choices follow from the types; the dataclass checks the combination when it is read.
"""

import dataclasses
import re
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from django import forms

from engine.reading import hints
from engine.records import Record, to_plain
from engine.sentences import Sentence
from tournaments.web.pages.sentences import choices_now

Fields = dict[str, forms.Field]
UNIONS = (Union, UnionType)
LABELS = {"options.spaces": "Ring, in spaces"}  # whose name alone says something else on other pages
UNITS = {"ms": "ms", "kb": "KB", "mb": "MB", "seconds": "seconds"}  # as names of settings end


def fields_of(record: Record, prefix: str, about: Mapping[str, str]) -> Fields:
    """Return the fields by path, as "options.players", each with the record's value in it. `about`: help texts by path.

    What is marked `metadata={"form": False}` is not asked for."""
    fields: Fields = {}
    for name, hint in _asked(record):
        path, value = f"{prefix}.{name}", getattr(record, name)
        if dataclasses.is_dataclass(value):
            fields |= fields_of(value, path, about)  # type: ignore[arg-type]
            continue
        field = fields[path] = _field(hint, value)
        field.label, field.help_text = label_of(path), about.get(path, "")
    return fields


def _kind(record: Record) -> Any:
    return type(record)


def _asked(record: Record) -> list[tuple[str, Any]]:
    kept = {field.name for field in dataclasses.fields(_kind(record)) if field.metadata.get("form", True)}
    return [(name, hint) for name, hint in hints(_kind(record)) if name in kept]


def label_of(path: str) -> str:
    """`Bid step: charter` of "options.bid_step.charter"."""
    words = LABELS.get(path) or ": ".join(path.split(".")[1:]).replace("_", " ")
    return words[:1].upper() + words[1:]


def label_of_setting(name: str) -> str:
    """`Answer, in ms` of "answer_ms"."""
    words, _, unit = name.rpartition("_")
    return f"{label_of(f'.{words}')}, in {UNITS[unit]}" if unit in UNITS else label_of(f".{name}")


def typed_record(record: Record, prefix: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed, in the shape of the record, which keeps what was not asked for."""
    found: dict[str, Any] = {"t": record.tag} if record.tag else {}
    asked = _asked(record)
    found |= {name: to_plain(getattr(record, name)) for name, hint in hints(_kind(record)) if (name, hint) not in asked}
    for name, hint in asked:
        path, value = f"{prefix}.{name}", getattr(record, name)
        inner = dataclasses.is_dataclass(value)
        found[name] = typed_record(value, path, cleaned) if inner else _plain(hint, cleaned[path])
    return found


def _field(hint: Any, value: Any) -> forms.Field:
    if hint is bool:
        return forms.BooleanField(required=False, initial=value)
    if hint is int:
        return forms.IntegerField(initial=value)
    if get_origin(hint) is Literal:
        choices = [(str(each), label_of_choice(each)) for each in get_args(hint)]
        return forms.ChoiceField(choices=choices_now(choices), initial=str(value))
    return forms.CharField(required=not _is_list(hint), max_length=500, initial=_text(to_plain(value)))


def label_of_choice(choice: object) -> Sentence:
    return Sentence(str(choice).replace("_", " "))


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _plain(hint: Any, typed: Any) -> Any:
    if hint in (bool, int):
        return typed
    if get_origin(hint) is Literal:
        return next((each for each in get_args(hint) if str(each) == typed), typed)
    words = [word.strip() for word in re.split("[,;]", typed) if word.strip()]
    if not _is_list(hint):
        return _atom(typed.strip())
    return typed.strip() if typed.strip() in _spelled(hint) else [_atom(word) for word in words]


def _atom(word: str) -> int | str:
    return int(word) if word.removeprefix("-").isdecimal() and len(word) < 19 else word


def _is_list(hint: Any) -> bool:
    parts = get_args(hint) if get_origin(hint) in UNIONS else (hint,)
    return any(get_origin(part) in (list, tuple) for part in parts)


def _spelled(hint: Any) -> set[str]:
    """The words of a union."""
    if get_origin(hint) not in UNIONS:
        return set()
    return {str(word) for part in get_args(hint) if get_origin(part) is Literal for word in get_args(part)}
