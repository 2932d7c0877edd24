"""A game's questions, answers, view and events, by the names of their classes: read from the classes themselves."""

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any, Literal

from bots.record_schema import about_record, answers_of, comments, is_union, nested, parts, unique
from engine.game import AnyGame
from engine.reading import hints


def reference_page(game: AnyGame, package: str) -> str:
    """The page as Markdown. `package`: from which all these names are imported, in Python."""
    answers = answers_of(game)
    inside = unique(nested([*game.questions, *answers, game.view]), without=[*game.questions, *answers, game.view])
    imported = package and f"All from `{package}`, each with `default()`, `draw(dice)`, `error(answer)`."
    lines = [
        *heading("Questions", imported),
        *(line for kind in game.questions for line in described_kind(kind, answered(kind))),
        *heading("Answers", "A field with a value behind it may be left out."),
        *(line for kind in answers for line in described_kind(kind)),
        *heading("View", "What your seat may know."),
        *described_kind(game.view),
        *heading("Records in these", ""),
        *(line for kind in inside for line in described_kind(kind)),
        *heading("Events", "What `hear` is told between questions, as far as your seat sees it."),
        *(line for kind in game.events for line in described_kind(kind)),
    ]
    return "\n".join(lines)


def heading(title: str, about: str) -> list[str]:
    return [f"## {title}", "", *([about, ""] if about else [])]


def answered(question: Any) -> str:
    return f"Answered by {' or '.join(f'`{kind.__name__}`' for kind in parts(question.answers))}."


def described_kind(kind: Any, more: str = "") -> Iterator[str]:
    tag = f' (`"t": "{kind.tag}"`)' if kind.tag else ""
    yield f"### `{kind.__name__}`{tag}"
    yield ""
    if text := " ".join(filter(None, [about_record(kind), more])):
        yield text
        yield ""
    texts, fields = comments(kind), {field.name: field for field in dataclasses.fields(kind)}
    for name, hint in hints(kind):
        yield f"- `{name}: {spelled_hint(hint)}{default(fields[name])}`{behind(texts.get(name))}"
    yield ""


def behind(comment: str | None) -> str:
    return f": {comment}" if comment else ""


def default(field: "dataclasses.Field[Any]") -> str:
    if field.default is not dataclasses.MISSING:
        return f" = {field.default!r}"
    return " = ..." if field.default_factory is not dataclasses.MISSING else ""


def spelled_hint(hint: Any) -> str:
    """A type as one writes it."""
    if hint is type(None):
        return "None"
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return " | ".join(map(repr, inside))
    if is_union(hint):
        return " | ".join(map(spelled_hint, inside))
    if inside:
        return f"{getattr(origin, '__name__', origin)}[{', '.join(map(spelled_hint, inside))}]".replace(
            "Ellipsis", "..."
        )
    return getattr(hint, "__name__", str(hint))
