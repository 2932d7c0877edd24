"""What a game's records say of themselves: its questions, answers, view and events, read from their classes.

Pages, schemas and declarations for other languages are made of this, so that they cannot say something else.
"""

import dataclasses
import functools
import inspect
import re
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from engine.game import AnyGame
from engine.reading import hints
from engine.records import Record

COMMENT = re.compile(r"^\s+(\w+): .*?  # (.+)$", re.MULTILINE)


def answers_of(game: AnyGame) -> list[Any]:
    """Return all kinds of answers, each once, in the order of the questions."""
    return unique(kind for question in game.questions for kind in parts(question.answers))


def about_record(kind: Any) -> str:
    """The docstring, unless it is the one that a dataclass makes for itself."""
    text = inspect.cleandoc(kind.__doc__ or "")
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.split())


def first_sentence(kind: Any) -> str:
    text = about_record(kind)
    return text.partition(". ")[0].rstrip(".") + "." if text else f"A {kind.__name__}."


@functools.cache
def comments(kind: Any) -> Mapping[str, str]:
    """Return what stands behind the fields. Kept: to find a class in its source takes milliseconds."""
    try:
        return dict(COMMENT.findall(inspect.getsource(kind)))
    except (OSError, TypeError):
        return {}


def parts(hint: Any) -> list[Any]:
    """The kinds of a union, or the one that there is."""
    return list(typing.get_args(hint)) if is_union(hint) else [hint]


def is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def nested(kinds: Iterable[Any]) -> Iterator[Any]:
    """Return all records in the fields of these, and in theirs."""
    seen = set[Any]()
    todo = list(kinds)
    while todo:
        for _, hint in hints(todo.pop(0)):
            fresh = [kind for kind in unique(leaves(hint)) if kind not in seen]
            seen.update(fresh)
            todo += fresh
            yield from fresh


def leaves(hint: Any) -> Iterator[Any]:
    if is_record(hint):
        yield hint
    elif typing.get_origin(hint) is not Literal:
        for inner in typing.get_args(hint):
            yield from leaves(inner)


def is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Record) and dataclasses.is_dataclass(hint)


def unique(kinds: Iterable[Any], without: Iterable[Any] = ()) -> list[Any]:
    left_out = set(without)
    return [kind for kind in dict.fromkeys(kinds) if kind not in left_out]


def distinct(kinds: Iterable[Any], name_of: Callable[[Any], str], taken: Iterable[str] = ()) -> dict[Any, str]:
    """The name of each. Of those with one name, or with one that is `taken`, the later ones have a number behind it."""
    seen, names = Counter(taken), dict[Any, str]()
    for kind in kinds:
        seen[name := name_of(kind)] += 1
        names[kind] = name if seen[name] == 1 else f"{name}{seen[name]}"
    return names


def is_required(field: "dataclasses.Field[Any]") -> bool:
    """Whether it has to be there when it is read."""
    return field.default is field.default_factory is dataclasses.MISSING
