"""Queries about what a person may see, whose text is built once in a process and then asked with other values.

Django takes 1 to 3 ms of processor time to build such a query, several times as long as asking it as a prepared
statement. What it says is decided where it always is, in `spaces` and `visibility`: only text is kept here, and nothing
that anybody has or may do.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, Generic, NoReturn, TypeGuard, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

from tournaments.models import User
from tournaments.models.prepared_statements import run_prepared

Row = TypeVar("Row")
Value = int | str
LARGEST = 2**63  # of a number in the database


class Compiled(Generic[Row]):
    """Decorates a function that makes a query for a viewer and values; what it makes now gives its rows.

    Organisers of the site, visitors and people who may not sign in see by rules of their own, and get the function's
    own query.
    """

    def __init__(self, build: Callable[..., "QuerySet[Any, Row]"]) -> None:
        self.build = build
        self._statement: Statement | None = None
        update_wrapper(self, build)

    def __call__(self, viewer: User | AnonymousUser | None, *values: Value) -> list[Row]:
        if not (is_ordinary(viewer) and all(map(can_be_asked, values))):
            return list(self.build(viewer, *values))
        if self._statement is None:
            self._statement = statement_of(self.build, [type(value) for value in values])
        return self._statement.rows([viewer.pk, *values])


def is_ordinary(viewer: User | AnonymousUser | None) -> TypeGuard[User]:
    """Whether nothing of theirs but who they are, and what the database says of them, decides what they may see."""
    return isinstance(viewer, User) and viewer.is_active and not viewer.is_staff


def can_be_asked(value: Value) -> bool:
    """Django knows without asking that nothing has a greater number."""
    return isinstance(value, str) or -LARGEST <= value < LARGEST


@dataclass(frozen=True, slots=True)
class Statement:
    """A built query. `places`: which of the values each of its parameters is; None for one that never differs."""

    query: "QuerySet[Any, Any]"
    compiler: SQLCompiler
    converters: Any  # from what the database holds, of its columns
    text: str
    given: Sequence[Any]
    places: Sequence[int | None]

    def rows(self, values: Sequence[Value]) -> list[Any]:
        """Return rows as Django makes them of the database's answer."""
        answer = [run_prepared(self.text, self._with(values))]
        compiler, query = copy(self.compiler), self.query.all()
        compiler.execute_sql = lambda *_, **__: answer  # type: ignore[method-assign, assignment]
        compiler.get_converters = lambda _: self.converters  # type: ignore[method-assign, assignment]
        query.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return list(query)

    def _with(self, values: Sequence[Value]) -> list[object]:
        """Return parameters as Django would give them to the database: a number as one of its column's size."""
        return [
            given if place is None else type(given)(values[place])
            for given, place in zip(self.given, self.places, strict=True)
        ]


def statement_of(build: Callable[..., "QuerySet[Any, Any]"], kinds: Sequence[type[Value]]) -> Statement:
    """Return the statement of a query, built twice for two stand-ins: where its parameters differ, values belong.

    Raises RuntimeError for a query that depends on more: the time, or what the database says while it is built.
    """
    first, second = stand_ins(1, kinds), stand_ins(2, kinds)
    (query, compiler, text, given), (*_, again, differing) = (_built(build, values) for values in (first, second))
    pairs, given_twice = list(zip(first, second, strict=True)), list(zip(given, differing, strict=False))
    if text != again or {pair for pair in given_twice if pair[0] != pair[1]} != set(pairs):
        raise RuntimeError(f"{build.__qualname__} makes a query that depends on more than its viewer and its values")
    places = [pairs.index(pair) if pair in pairs else None for pair in given_twice]
    columns = [column for column, *_ in (compiler.select or [])[: compiler.col_count]]
    return Statement(query, compiler, compiler.get_converters(columns), text, given, places)


def stand_ins(number: int, kinds: Sequence[type[Value]]) -> list[Value]:
    """Return a stand-in for a person, by number, and for each value."""
    numbers = [number * 1_000_000 + position for position in range(len(kinds) + 1)]
    return [numbers[0], *(kind(value) for kind, value in zip(kinds, numbers[1:], strict=True))]


def _built(
    build: Callable[..., "QuerySet[Any, Any]"], values: Sequence[Value]
) -> tuple["QuerySet[Any, Any]", SQLCompiler, str, Sequence[Any]]:
    """Return the query for a person of whom only what `is_ordinary` asks is set: more would ask the database."""
    person = User.from_db(connection.alias, ["id", "is_staff", "is_active"], [values[0], False, True])
    with connection.execute_wrapper(_no_statement):
        query = build(person, *values[1:])
        compiler = query.query.get_compiler(connection=connection)  # of each thread its own
        return query, compiler, *compiler.as_sql()


def _no_statement(_: object, sql: str, *__: object) -> NoReturn:
    raise RuntimeError(f"a query that is compiled once asks the database while it is built: {sql:.200}")
