"""A world that real acts have made once in this process is put back row by row where it is wanted again.

It is as old then as the first one. Only an empty database is filled so: what a world is made beside may change it.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, transaction
from psycopg import sql

from tests.database import WRITTEN_BY_MIGRATIONS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Recorded:
    made: Any
    rows: dict[str, bytes]  # by table, as COPY writes them


recorded: dict[Callable[[], Any], Recorded] = {}


def again(make: Callable[[], T]) -> T:
    """What `make` makes, and its rows."""
    if filled():
        return make()
    if make in recorded:
        put_back(recorded[make].rows)
    else:
        made = make()
        recorded[make] = Recorded(deepcopy(made), {table: rows_of(table) for table in filled()})
    own: T = deepcopy(recorded[make].made)
    return own


def filled() -> list[str]:
    """The tables in which there are rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = sorted({table for (table,) in cursor.fetchall()} - WRITTEN_BY_MIGRATIONS)
        look = sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})")
        cursor.execute(sql.SQL(" UNION ALL ").join(look.format(table, sql.Identifier(table)) for table in tables))
        return [table for (table,) in cursor.fetchall()]


def rows_of(table: str) -> bytes:
    with connection.cursor() as cursor, cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copy:
        return b"".join(map(bytes, copy))


def put_back(rows: dict[str, bytes]) -> None:
    """In any order: foreign keys are looked at when all is there, at the end of the transaction."""
    with transaction.atomic():
        for table, written in rows.items():
            statement = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))
            with connection.cursor() as cursor, cursor.copy(statement) as copy:
                copy.write(written)
