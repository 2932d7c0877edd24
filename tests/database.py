"""The database of the tests: migrated once in a run, and copied for each process of it.

`python3 -m tests.database ready` makes the one that is copied, beside what else there is to do when a run begins.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import django
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

WRITTEN_BY_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}
MADE_ONCE = 7_316_405  # the number of the lock under which it is made


def ready() -> str:
    """The name of the migrated one of this run. `tests.servers` chooses it."""
    return os.environ["READY_DATABASE"]


def own() -> str:
    """The name of this process's database."""
    return "_".join(["test", os.environ.get("TEST_PROCESS", "alone"), ready()])


@contextmanager
def maintenance() -> Iterator[CursorWrapper]:
    """A cursor that can make and drop databases."""
    with connection._nodb_cursor() as cursor:
        yield cursor


def has(cursor: CursorWrapper, name: str) -> bool:
    cursor.execute("SELECT FROM pg_database WHERE datname = %s", [name])
    return bool(cursor.rowcount)


def create(cursor: CursorWrapper, name: str, template: str) -> None:
    drop(cursor, name)
    cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


def drop(cursor: CursorWrapper, name: str) -> None:
    cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def make_ready() -> None:
    """Make the database, whoever comes first, while the others wait. It has its name only when it is whole."""
    with maintenance() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MADE_ONCE])
        if not has(cursor, ready()):
            partial = f"{ready()}_partial"
            create(cursor, partial, os.environ["READY_TEMPLATE"])
            migrate(partial)
            cursor.execute(f'ALTER DATABASE "{partial}" RENAME TO "{ready()}"')


def unmake() -> None:
    with maintenance() as cursor:
        drop(cursor, ready())


def migrate(name: str) -> None:
    with connected_to(name):
        call_command("migrate", interactive=False, verbosity=0)


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Django's connection leads there, and that of the settings too."""
    before = connection.settings_dict["NAME"]
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = before


@contextmanager
def of_this_process() -> Iterator[None]:
    make_ready()
    with a_copy(own()), pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        patch.setattr(TransactionTestCase, "_should_reload_connections", is_lost)
        yield


def a_copy(name: str) -> AbstractContextManager[None]:
    """Make a copy of the migrated database, to which Django is connected meanwhile."""
    return a_database(name, ready())


def an_empty_one(name: str) -> AbstractContextManager[None]:
    """Make a database without a table, to which Django is connected meanwhile."""
    return a_database(name, "template0")


@contextmanager
def a_database(name: str, template: str) -> Iterator[None]:
    with maintenance() as cursor:
        create(cursor, name, template)
    with connected_to(name):
        yield
    with maintenance() as cursor:
        drop(cursor, name)


def empty(test: TransactionTestCase) -> None:
    """Delete what was committed; what the migrations wrote stays. It is quicker than to truncate every table.

    The lock waits for processes that still write. No trigger fires: neither those that keep rows nor foreign keys.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = ", ".join(f'"{table}"' for (table,) in cursor.fetchall() if table not in WRITTEN_BY_MIGRATIONS)
        cursor.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(";".join(f"DELETE FROM {table}" for table in tables.split(", ")))  # noqa: S608 - names of ours
        cursor.execute("SELECT pg_advisory_unlock_all(); RESET statement_timeout")  # what of a session outlives a test


def is_lost(test: TransactionTestCase) -> bool:
    """Whether the next test needs another connection, with which PostgreSQL works seven times as long for a test."""
    return not connection.is_usable()


if __name__ == "__main__":
    django.setup()
    {"ready": make_ready, "gone": unmake}[sys.argv[1]]()
