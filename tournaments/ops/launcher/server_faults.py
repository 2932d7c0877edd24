"""What keeps a site from a PostgreSQL or a broker of another, or should be set otherwise there, each in a sentence."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import LiteralString

import psycopg
import redis

from tournaments.ops.launcher.embedded_server import ServerError
from workers.addresses import redis_address
from workers.broker import greet

AROUND = 8  # connections of a site besides its pages': the door's, dispatcher, recorder, backup, and one for a command
KEY = "doctor"  # a queue for a moment
POOLED = (
    "This address leads to a pooler in transaction mode, but the lock of the dispatcher that leads, the limit of a "
    "page's query and reading in parts belong to a session: use session mode, or PostgreSQL's own address."
)
CREATED, SERVE = "docs/serve.md says how to create one.", "docs/serve.md."
ASKED: LiteralString = """
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool,
        to_regclass('django_migrations') IS NOT NULL OR has_schema_privilege(current_schema(), 'CREATE'),
        least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
            nullif(rolconnlimit, -1), nullif(datconnlimit, -1)),
        current_setting('fsync')::bool AND current_setting('full_page_writes')::bool
            AND current_setting('synchronous_commit') <> 'off',
        'B' < 'a' AND 'Z' < 'ä' AND lower('Ä') = 'ä'
    FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """`vital`: a site cannot run with it."""

    sentence: str
    vital: bool = True


def advice(sentence: str) -> Fault:
    return Fault(sentence, vital=False)


def postgres_faults(address: str) -> Iterator[Fault]:
    """Raises psycopg.Error."""
    with psycopg.connect(address, connect_timeout=5, client_encoding="UTF8", prepare_threshold=None) as connection:
        if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
            yield Fault(f"The database keeps text in {encoding}, not in UTF8. {CREATED}")
            return
        read_only, may_create, room, keeps, is_plain = connection.execute(ASKED).fetchone() or ()
    if is_pooled(address):
        yield Fault(POOLED)
    if read_only:
        yield Fault("It only reads, as a replica does: name the server that writes.")
    elif not may_create:
        yield Fault("This user may not create tables there: make it the owner of the database.")
    if room < (wanted := int(os.environ.get("WEB_THREADS") or 8) + AROUND):
        yield Fault(
            f"It lets {room} connections in, and a site opens {wanted}: raise max_connections or the user's limit."
        )
    if not keeps:
        yield advice("A crash there may lose what was recorded: set fsync, full_page_writes, synchronous_commit on.")
    if not is_plain:
        yield advice(f"It sorts names, or tells capitals, in another way than C.UTF-8. {CREATED}")


def is_pooled(address: str) -> bool:
    """Whether two connections share a session, as behind a pooler in transaction mode: then locks mean nothing."""
    with (
        psycopg.connect(address, connect_timeout=5, autocommit=True, prepare_threshold=None) as one,
        psycopg.connect(address, connect_timeout=5, autocommit=True, prepare_threshold=None) as other,
    ):
        sessions = [its.execute("SELECT pg_backend_pid()").fetchone() for its in (one, other)]
    return sessions[0] == sessions[1]


def broker_faults(address: str) -> Iterator[Fault]:
    """Raises redis.RedisError or ValueError."""
    address = redis_address(address)
    greet(address)
    with redis.Redis.from_url(address, socket_connect_timeout=5, socket_timeout=5) as connection:
        told = connection.info()
        mode = told.get("redis_mode") or told.get("server_mode")
        if mode == "sentinel":
            yield Fault("It is a sentinel, which only watches others: name the server that it watches.")
            return
        if mode == "cluster":
            yield Fault("It is one of a cluster, which cannot hold a queue in one place: name a server of its own.")
            return
        if told.get("role") != "master":
            yield Fault("It is a replica, which takes no orders: name the server that it follows.")
            return
        with connection.pipeline() as trial:  # what the site and its workers do with it
            trial.lpush(KEY, "").rpop(KEY).publish(KEY, "").eval("return 1", 0)
            trial.execute()
    if not (told.get("maxmemory") and told.get("maxmemory_policy") == "noeviction"):
        yield advice(f"Set maxmemory there below the machine's memory, and maxmemory-policy noeviction: {SERVE}")
    if not told.get("aof_enabled"):
        yield advice("It forgets its queues when it ends, and all that waits is sent again: set appendonly yes.")


def refuse_servers(named: Mapping[str, str]) -> None:
    """Refuse servers that a site cannot stand on; one that is away or full may get better. Raises ServerError."""
    for variable, faults_at in (("DATABASE_URL", postgres_faults), ("REDIS_URL", broker_faults)):
        if not (address := named.get(variable)):
            continue
        try:
            refusal = next((fault.sentence for fault in faults_at(address) if fault.vital), "")
        except (psycopg.OperationalError, redis.RedisError):
            continue
        except (psycopg.Error, ValueError) as problem:
            refusal = str(problem)
        if refusal:
            raise ServerError(f"The server that {variable} names cannot be used: {refusal}")
