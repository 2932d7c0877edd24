"""Whether the platform works: each of its parts, with a sentence.

All of it is read where it is true, in the database and in the broker, in a few milliseconds. No sentence tells an
address, the name of a host or the words of an error: anybody may read them.
"""

from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from redis import Redis, RedisError

from tournaments.operations.signs import heard
from tournaments.running import LEADER
from workers import presence

PARTS = ("database", "migrations", "broker", "dispatcher", "recorder", "workers")
UNKNOWN = "Not known while the {} does not answer."
LEADS = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND granted AND datname = current_database()
"""


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    well: bool
    says: str


@dataclass(frozen=True, slots=True)
class Database:
    leads: bool  # a dispatcher holds the leader's lock
    missing: int  # migrations


@dataclass(frozen=True, slots=True)
class Broker:
    """How many have given a sign of life lately."""

    leaders: int
    recorders: int
    workers: int


def look() -> list[Part]:
    """At every part of the platform, in the order of PARTS."""
    database, broker = _database(), _broker()
    return [
        _part("database", bool(database), "The database answers.", "The database does not answer."),
        _migrations(database),
        _part("broker", bool(broker), "The broker answers.", "The broker does not answer."),
        _dispatcher(database, broker),
        _recorder(broker),
        _workers(broker),
    ]


def _part(name: str, well: bool, if_so: str, if_not: str) -> Part:
    return Part(name, well, if_so if well else if_not)


def _migrations(database: Database | None) -> Part:
    if not database:
        return Part("migrations", well=False, says=UNKNOWN.format("database"))
    missing = f"{database.missing} migrations are missing: run manage.py migrate."
    return _part("migrations", not database.missing, "The database is migrated.", missing)


def _dispatcher(database: Database | None, broker: Broker | None) -> Part:
    if not database:
        return Part("dispatcher", well=False, says=UNKNOWN.format("database"))
    if not database.leads:
        return Part("dispatcher", well=False, says="No dispatcher leads: run manage.py dispatch.")
    silent = broker is not None and not broker.leaders
    return _part("dispatcher", not silent, "A dispatcher leads.", "The dispatcher that leads gives no sign of life.")


def _recorder(broker: Broker | None) -> Part:
    if not broker:
        return Part("recorder", well=False, says=UNKNOWN.format("broker"))
    return _part("recorder", broker.recorders > 0, "Reports are taken in.", "No recorder is there to take in reports.")


def _workers(broker: Broker | None) -> Part:
    if not broker:
        return Part("workers", well=False, says=UNKNOWN.format("broker"))
    return _part("workers", broker.workers > 0, f"{broker.workers} match workers are here.", "No match worker is here.")


def _database() -> Database | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(LEADS, [LEADER])
            leads = bool(cursor.fetchone()[0])
        return Database(leads, len(_on_disk() - MigrationRecorder(connection).applied_migrations().keys()))
    except (DatabaseError, InterfaceError):
        connection.close()
        return None


@cache
def _on_disk() -> frozenset[tuple[str, str]]:
    """A database that knows more is no fault: during an upgrade old processes go on beside the new ones."""
    return frozenset(MigrationLoader(None).disk_migrations)


def _broker() -> Broker | None:
    redis = broker()
    try:
        return Broker(len(heard(redis, "leader")), len(heard(redis, "recorder")), len(presence.present(redis)))
    except RedisError:
        return None


@cache
def broker() -> Redis:
    """As those ask it who must have an answer soon."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
