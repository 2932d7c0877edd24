"""A world that real acts have made once in this process is put back row by row where it is wanted again.

It is as old then as the first one. Only an empty database is filled so: what a world is made beside may change it.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple, TypeVar

from django.db import connection, transaction
from psycopg import sql

from tests.database import WRITTEN_BY_MIGRATIONS

T = TypeVar("T")
COLUMNS = """SELECT column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position"""


class Rows(NamedTuple):
    columns: list[str]  # by name: after a migration and back they stand in another order
    written: bytes  # as COPY writes them


@dataclass(frozen=True, slots=True)
class Recorded:
    made: Any
    rows: dict[str, Rows]  # by table


recorded: dict[Callable[[], Any], Recorded] = {}


def again(make: Callable[[], T]) -> T:
    """Return what `make` makes, and its rows."""
    if filled():
        return make()
    if make in recorded:
        put_back(recorded[make].rows)
    else:
        made = make()
        recorded[make] = Recorded(deepcopy(made), {table: rows_of(table) for table in filled()})
    copy: T = deepcopy(recorded[make].made)
    return copy


def filled() -> list[str]:
    """The tables in which there are rows."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = sorted({table for (table,) in cursor.fetchall()} - WRITTEN_BY_MIGRATIONS)
        look = sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})")
        cursor.execute(sql.SQL(" UNION ALL ").join(look.format(table, sql.Identifier(table)) for table in tables))
        return [table for (table,) in cursor.fetchall()]


def rows_of(table: str) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS, [table])
        columns = [column for (column,) in cursor.fetchall()]
        with cursor.copy(statement("COPY {} ({}) TO STDOUT", table, columns)) as copy:
            return Rows(columns, b"".join(map(bytes, copy)))


def put_back(rows: dict[str, Rows]) -> None:
    """Put the rows back in any order: foreign keys are looked at when all is there, at the end of the transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table, (columns, written) in rows.items():
            with cursor.copy(statement("COPY {} ({}) FROM STDIN", table, columns)) as copy:
                copy.write(written)


def statement(words: LiteralString, table: str, columns: list[str]) -> sql.Composed:
    return sql.SQL(words).format(sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns)))
