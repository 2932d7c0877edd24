"""Statements that PostgreSQL parses and plans once for each connection: those that run for every match.

Django builds the text of a query each time, which takes longer than executing it; so does planning it. These are
planned for any values: all of them find rows by their keys. When a table has grown, PostgreSQL plans them again.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from psycopg import Connection, Cursor


def run_prepared(statement: str, given: Sequence[object]) -> list[tuple[Any, ...]]:
    """The rows that it returns. Raises Django's errors of the database."""
    with connection.cursor(), connection.wrap_database_errors:  # Django's own cursor, unused, sees to the connection
        raw: Connection[Any] = connection.connection
        if raw.prepare_threshold is None:
            _allow(raw)
        with Cursor(raw) as cursor:
            cursor.execute(statement.encode(), given, prepare=True)
            return cursor.fetchall()


def _allow(raw: Connection[Any]) -> None:
    """Once for each connection, by any number. Django's own cursors fill in values themselves, and prepare nothing."""
    raw.prepare_threshold = 1
    with Cursor(raw) as cursor:
        cursor.execute("SET plan_cache_mode = force_generic_plan", prepare=False)
