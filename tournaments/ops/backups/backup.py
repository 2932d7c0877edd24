"""A backup of the whole database in one file, made while everything runs."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import Any

from django.db import connection, transaction
from django.utils import timezone
from psycopg import sql

from tournaments.core.errors import Refused
from tournaments.models import Ladder, Upkeep, User
from tournaments.ops.backups import archive, pg_tools
from tournaments.ops.launcher.backup_file import check_target

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
APPLIED = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"


def backup(path: Path, *, say: Callable[[str], object] = len) -> archive.Seal:
    """Write the database as it is now. The file appears when it is complete, and then replaces one of that name.

    Its rows are counted in the database, as the dump sees it, and again in the file. `say` is told what takes long.
    Raises Refused.
    """
    path = path.resolve()  # of a link, the file that it leads to
    check_target(path)
    if not (User.objects.exists() or Ladder.objects.exists()):
        empty = f"There is no account and no ladder in the database {connection.settings_dict['NAME']}"
        raise Refused("empty_database", f"{empty}, so no backup was made. Is it the one that you mean?")
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)  # it holds the hashes of passwords
        say("Writing the file ...")
        seal = _dump(partial)
        say("Reading it again ...")
        archive.append_seal(partial, seal)
        check_backup(partial)
        partial.rename(path)
    except OSError as problem:
        raise Refused("cannot_write", f"{path} cannot be written: {problem.strerror}.") from None
    finally:
        with suppress(OSError):  # a second error would hide the first
            partial.unlink(missing_ok=True)
    Upkeep.objects.update_or_create(what="backup")
    return seal


def _dump(path: Path) -> archive.Seal:
    server = pg_tools.server_major()
    place, secrets = pg_tools.connection_string()
    program = pg_tools.pg_program("pg_dump", server)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        command: list[str | Path] = [
            program,
            "--format=custom",
            f"--snapshot={cursor.fetchone()[0]}",
            "--no-owner",
            "--no-privileges",
        ]
        writing = pg_tools.start_pg([*command, f"--file={path}", f"--dbname={place}"], PIPE, **secrets)
        try:
            seal = archive.Seal(timezone.now().isoformat(), server, _applied(cursor), _rows(cursor))
        finally:
            pg_tools.finish_pg(writing, "cannot_dump", "pg_dump failed")
    return seal


def check_backup(path: Path) -> archive.Seal:
    """Read all of a backup and count its rows. Raises Refused(bad_backup)."""
    seal = archive.read_seal(path)
    if (counted := rows_in(path, seal.server)) != seal.rows:
        wrong = sorted(name for name in {*counted, *seal.rows} if counted.get(name) != seal.rows.get(name))
        raise Refused("bad_backup", f"{path} does not hold all rows of {', '.join(wrong)}.")
    return seal


def rows_in(path: Path, server: int) -> Mapping[str, int]:
    """How many rows the dump holds of each table, counted in its data."""
    reading = pg_tools.start_pg([pg_tools.pg_program("pg_restore", server), "--data-only", "--file=-", path], PIPE)
    rows: dict[str, int] = {}
    table = ""
    assert reading.stdout
    for line in reading.stdout:
        if table and line == b"\\.\n":
            table = ""
        elif table:
            rows[table] += 1
        elif line.startswith(b"COPY public."):
            table = line.split()[1].decode().partition(".")[2]
            rows[table] = 0
    pg_tools.finish_pg(reading, "bad_backup", f"{path} cannot be read")
    return rows


def _applied(cursor: Any) -> list[str]:
    cursor.execute(APPLIED)
    return [name for (name,) in cursor.fetchall()]


def _rows(cursor: Any) -> dict[str, int]:
    cursor.execute(TABLES)
    return {name: _count(cursor, name) for (name,) in cursor.fetchall()}


def _count(cursor: Any, table: str) -> int:
    cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
    return int(cursor.fetchone()[0])
