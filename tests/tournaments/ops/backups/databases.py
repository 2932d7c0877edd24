"""Databases beside that of the tests, on the same server, and commands that are pointed at them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.tournaments.ops.launcher.processes import ROOT

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
CONTENT = "SELECT md5(coalesce(string_agg(row::text, '|' ORDER BY row::text), '')) FROM {} AS row"


def address(name: str) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def execute(name: str, statement: sql.SQL | sql.Composed) -> None:
    with psycopg.connect(address(name), autocommit=True) as connection:
        connection.execute(statement)


@contextmanager
def a_database(what: str, *, made: bool = True) -> Iterator[str]:
    """The name of an empty one, or of one that somebody may make; there is none of that name afterwards."""
    name = f"boardroom_{what}_{os.environ.get('TEST_PROCESS', '0')}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    execute("postgres", drop)
    if made:
        execute("postgres", sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
    try:
        yield name
    finally:
        execute("postgres", drop)


def content(name: str) -> dict[str, str]:
    """The content of every table, as a hash."""
    with psycopg.connect(address(name)) as connection:
        tables = [table for (table,) in connection.execute(TABLES)]
        return {table: str(_one(connection, sql.SQL(CONTENT).format(sql.Identifier(table)))) for table in tables}


def waits(name: str) -> bool:
    """Whether a session waits for a lock in the database."""
    look = sql.SQL("SELECT count(*) FROM pg_stat_activity WHERE datname = {} AND wait_event_type = 'Lock'").format(name)
    with psycopg.connect(address("postgres")) as connection:
        return bool(_one(connection, look))


def sessions(name: str) -> int:
    look = sql.SQL("SELECT count(*) FROM pg_stat_activity WHERE datname = {}").format(name)
    with psycopg.connect(address("postgres")) as connection:
        return int(str(_one(connection, look)))


def _one(connection: psycopg.Connection[tuple[object, ...]], query: sql.Composed) -> object:
    row = connection.execute(query).fetchone()
    return row[0] if row else None


def manage(name: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A command of ours on that database."""
    environment = {**os.environ, "DATABASE_URL": address(name)}
    command = [sys.executable, "-m", "django", *map(str, arguments), "--settings", "tournaments.settings"]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
