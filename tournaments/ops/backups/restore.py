"""Restoring a backup into an empty database, all of it or nothing."""

from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

from django.db import ProgrammingError, connection
from psycopg import sql

from tournaments.core.errors import Refused
from tournaments.core.schema_release import OLDER, schema_tables
from tournaments.ops.backups import pg_tools
from tournaments.ops.backups.archive import Seal
from tournaments.ops.backups.backup import check_backup
from tournaments.ops.launcher.backup_file import check_ends

HOLDS = "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'public'"
CREATE = (
    "CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
)


def restore(path: Path, *, create: str = "", say: Callable[[str], object] = len) -> Seal:
    """Restore a backup. `create` names a database to create for it on the same server; `say` is told what takes long.

    The file is checked before anything is written, and writing is one transaction: interrupted at any moment it
    leaves the database empty. Raises Refused.
    """
    check_ends(path)
    if not create:
        _refuse_full()
    say(f"Reading all of {path}, {path.stat().st_size / (1 << 20):,.1f} MB ...")
    seal = check_backup(path)
    _refuse_other_release(seal, path)
    if create:
        _enter(create)
        _refuse_full()
    say(f"It is whole. Writing {sum(seal.rows.values()):,} rows ...")
    _fill(path)
    return seal


def _refuse_other_release(seal: Seal, path: Path) -> None:
    release = schema_tables([(app, name) for app, _, name in (key.partition(".") for key in seal.migrations)])
    if release.too_old:
        command = f"python3 manage.py restore {path}"
        raise Refused("older_backup", OLDER.format(subject=path, command=command))
    if release.unknown:
        newer = f"{path} was made by a newer Boardroom: this one knows nothing of {'.'.join(max(release.unknown))}."
        raise Refused("newer_backup", f"{newer} Restore it with the version that made it, or a later one.")
    if seal.server > (server := pg_tools.server_major()):
        raise Refused("newer_backup", f"{path} was made with PostgreSQL {seal.server}, and this server is {server}.")


def _enter(name: str) -> None:
    """Create the database if it does not exist, and use it from here on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
        if not cursor.fetchone()[0]:
            _create(name)
    connection.close()
    connection.settings_dict["NAME"] = name


def _create(name: str) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL(CREATE).format(sql.Identifier(name)))
    except ProgrammingError as problem:
        raise Refused("cannot_create", f"The database {name} cannot be made: {str(problem).strip()}.") from None


def _refuse_full() -> None:
    with connection.cursor() as cursor:
        cursor.execute(HOLDS)
        if not cursor.fetchone()[0]:
            return
    full = f"The database {connection.settings_dict['NAME']} is not empty, and a backup is brought back to an empty one"
    raise Refused(
        "not_empty",
        f"{full}: use a new data folder (--data DIR), or --create NAME on a server that DATABASE_URL names.",
    )


def _fill(path: Path) -> None:
    place, secrets = pg_tools.connection_string()
    program = pg_tools.pg_program("pg_restore", pg_tools.server_major())
    connection.close()
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={place}")
    pg_tools.finish_pg(
        pg_tools.start_pg([program, *options, path], PIPE, **secrets), "cannot_restore", "Nothing was restored"
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
