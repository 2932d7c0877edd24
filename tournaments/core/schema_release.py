"""Which release a database's tables are of, by the migrations that it has applied: decided here and nowhere else."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tournaments.core.errors import SchemaError

Migration = tuple[str, str]  # the label of its app, and its name
BESIDE_NEWER = ("dispatch", "fleet", "health")  # commands that run on while a newer release takes over
LOOKS_ITSELF = "restore"  # at the backup: the database that it fills is empty
OLDER = (
    "{subject} has the tables of a release before v0.1.0, and nothing was changed: "
    "check out v0.1.0, run `{command}` there once, and then use this release again."
)
NEWER = (
    "This database is of a newer release, and nothing was changed: this one knows nothing of {migration}. "
    "Use the release that migrated it, or a later one."
)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a database, as far as they are not those of this release."""

    missing: frozenset[Migration]  # what `migrate` has to apply or to record
    unknown: frozenset[Migration]  # what only a newer release has
    too_old: bool  # only a part of what a squashed migration replaces is applied, and the rest is gone


def schema_tables(applied: Collection[Migration] | None = None) -> Tables:
    """Compare migrations with those of this release. Without an argument they are read from the database."""
    if applied is None:
        applied = MigrationRecorder(connection).applied_migrations()
    loader = _loader()
    own_migrations, done = loader.disk_migrations.keys(), frozenset(applied)
    squashed = [frozenset(migration.replaces) for migration in loader.disk_migrations.values()]
    known_migrations = own_migrations | {key for names in squashed for key in names}
    return Tables(
        missing=frozenset(own_migrations - done),
        unknown=frozenset(key for key in done - known_migrations if key[0] in loader.migrated_apps),
        too_old=any(names & done and names - done - own_migrations for names in squashed),
    )


def refuse_other_release(command: str, folder: Path | None) -> None:
    """Refuse a command on tables that this release cannot work with. Raises SchemaError.

    A database that does not answer is the command's own concern.
    """
    if command == LOOKS_ITSELF:
        return
    try:
        schema = schema_tables()
    except (DatabaseError, InterfaceError):
        return
    finally:
        connection.close()
    if schema.too_old:
        migrate = f"python3 manage.py migrate{f' --data {folder}' if folder else ''}"
        raise SchemaError(OLDER.format(subject="This database", command=migrate))
    if schema.unknown and command not in BESIDE_NEWER:
        raise SchemaError(NEWER.format(migration=".".join(max(schema.unknown))))


@cache
def _loader() -> MigrationLoader:
    """Return the migrations of this release, read without a database."""
    return MigrationLoader(None)
