"""`manage.py doctor` tells of a server of others what keeps a site from it, in a sentence each."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import sql
from redis import Redis

from tests.tournaments.ops.launcher.processes import ROOT, bare_environment
from tests.workers.hall import until
from tournaments.management.commands.doctor import server
from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.server_faults import POOLED, broker_faults, is_pooled, postgres_faults, refuse_servers
from tournaments.ops.launcher.subprocess_group import Program, spawn_program
from tournaments.ops.launcher.valkey import Valkey, find_binary

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
TRIAL = "A crash there may lose"  # what is said of a server of the tests


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    folder = tmp_path_factory.mktemp("postgres")
    folder.chmod(0o711)
    server = Postgres(folder / "server", folder / "log", durable=False)
    server.start()
    yield server
    server.stop()


@contextmanager
def a_pooler(postgres: Postgres, folder: Path, mode: str) -> Iterator[str]:
    """PgBouncer before it, and its address."""
    assert PGBOUNCER
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    target = f"host={postgres.sockets} dbname=boardroom user=boardroom password={postgres.password}"
    lines = ("[databases]", f"boardroom = {target}", "[pgbouncer]", "listen_addr = 127.0.0.1", f"listen_port = {port}")
    more = ("auth_type = any", "unix_socket_dir =", f"pool_mode = {mode}", "ignore_startup_parameters = options")
    (folder / "pgbouncer.ini").write_text("\n".join((*lines, *more, "")))
    command = (PGBOUNCER, "-q", folder / "pgbouncer.ini")
    process = spawn_program(Program("pgbouncer", command, dict(os.environ), folder / "log", refuses_root=True))
    address = f"postgresql://boardroom@127.0.0.1:{port}/boardroom"
    try:
        until("the pooler", lambda: answers(address))
        yield address
    finally:
        process.kill()
        process.wait()


def answers(address: str) -> bool:
    try:
        psycopg.connect(address, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def test_two_connections_have_two_sessions(postgres: Postgres) -> None:
    assert not is_pooled(postgres.url)


@pytest.mark.skipif(not PGBOUNCER, reason="there is no pgbouncer here")
@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_in_transaction_mode_is_refused_and_one_in_session_mode_is_not(
    mode: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_pooler(postgres, tmp_path, mode) as address:
        monkeypatch.setenv("DATABASE_URL", address)
        finding = server("PostgreSQL", "DATABASE_URL", Postgres, lambda _: "PostgreSQL 18.99")
    assert (finding.works, POOLED in finding.remedy) == ((False, True) if mode == "transaction" else (True, False))


def a_trial(postgres: Postgres, made: str, user: str = "") -> str:
    """The address of a database that is made so, on the same server."""
    name = sql.Identifier("trial")
    with postgres.maintenance() as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(name))
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 " + made).format(name))
    return postgres.url.replace("/boardroom?", "/trial?").replace("//boardroom:", f"//{user or 'boardroom'}:")


def judged(postgres: Postgres, made: str, *, user: str = "", options: str = "") -> tuple[str, bool]:
    """The sentences about such a database, and whether a site can run with it."""
    faults = list(postgres_faults(f"{a_trial(postgres, made, user)}{options}"))
    return " ".join(fault.sentence for fault in faults), not any(fault.vital for fault in faults)


@pytest.mark.parametrize(
    ("made", "sentence", "works"),
    [
        ("ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc", "keeps text in LATIN1, not in UTF8", False),
        ("ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER libc", "keeps text in SQL_ASCII, not in UTF8", False),
        ("ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER libc", "in another way than C.UTF-8", True),
        ("ENCODING 'UTF8'", "", True),
    ],
)
def test_a_database_that_keeps_or_sorts_text_otherwise_is_told(
    made: str, sentence: str, works: bool, postgres: Postgres
) -> None:
    text, can_run = judged(postgres, made)
    assert (sentence in text, can_run) == (True, works)
    assert ("another way" in text) == ("another way" in sentence)


def test_one_that_only_reads_or_lets_nobody_create_or_too_few_in_is_refused(postgres: Postgres) -> None:
    with postgres.maintenance() as connection:
        for role in ("guest LOGIN", "few LOGIN SUPERUSER CONNECTION LIMIT 9"):
            connection.execute(sql.SQL(f"CREATE ROLE {role} PASSWORD {{}}").format(postgres.password))
    read_only = "&options=" + quote("-c default_transaction_read_only=on")
    for text, can_run, sentence in (
        (*judged(postgres, "", options=read_only), "It only reads, as a replica does"),
        (*judged(postgres, "", user="guest"), "may not create tables there"),
        (*judged(postgres, "", user="few"), "lets 9 connections in, and a site opens 16"),
        (*judged(postgres, "CONNECTION LIMIT 5"), "lets 5 connections in, and a site opens 16"),
    ):
        assert (sentence in text, can_run) == (True, False)


def test_who_has_the_tables_need_not_create_any(postgres: Postgres) -> None:
    """Another user may migrate there."""
    with psycopg.connect(a_trial(postgres, ""), autocommit=True) as connection:
        connection.execute("CREATE TABLE django_migrations ()")
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute(sql.SQL("ALTER ROLE reader PASSWORD {}").format(postgres.password))
    place = postgres.url.replace("/boardroom?", "/trial?").replace("//boardroom:", "//reader:")
    assert not [fault for fault in postgres_faults(place) if fault.vital]


def test_up_and_migrate_refuse_it_before_anything_is_made(postgres: Postgres, tmp_path: Path) -> None:
    named = {"DATABASE_URL": a_trial(postgres, "ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc")}
    for command in (("up", "--data", str(tmp_path / "data")), ("migrate",)):
        environment = bare_environment(**named, REDIS_URL="redis://127.0.0.1:1/0", SECRET_KEY="x")
        done = subprocess.run(
            [sys.executable, ROOT / "manage.py", *command], check=False, capture_output=True, text=True, env=environment
        )
        assert (done.returncode, done.stderr.count("Traceback")) == (2, 0)
        assert "The server that DATABASE_URL names cannot be used: The database keeps text in LATIN1" in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_server_that_is_away_may_come_yet() -> None:
    refuse_servers({"DATABASE_URL": "postgresql://x@127.0.0.1:1/x", "REDIS_URL": "redis://127.0.0.1:1/0"})
    refuse_servers({"DATABASE_URL": "", "REDIS_URL": ""})


def test_one_that_may_forget_what_it_has_said_is_told(postgres: Postgres) -> None:
    assert judged(postgres, "")[0].startswith(TRIAL)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey", tmp_path / "log")
    server.start()
    yield server
    server.stop()


def said_of(address: str) -> list[tuple[str, bool]]:
    return [(fault.sentence, fault.vital) for fault in broker_faults(address)]


def test_a_broker_that_may_fill_the_memory_or_forget_is_told_what_to_set(broker: Valkey) -> None:
    assert said_of(broker.url) == []
    with Redis.from_url(broker.url) as redis:
        for name, value, sentence in (
            ("maxmemory-policy", "allkeys-lru", "maxmemory-policy noeviction"),
            ("maxmemory", 0, "Set maxmemory there below"),
            ("appendonly", "no", "set appendonly yes"),
        ):
            before = redis.config_get(name)[name]
            redis.config_set(name, value)
            [(text, vital)] = said_of(broker.url)
            assert (sentence in text, vital) == (True, False)
            redis.config_set(name, before)


def test_a_full_broker_is_told_and_keeps_no_site_from_its_start(
    broker: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDIS_URL", broker.url)
    with Redis.from_url(broker.url) as redis:
        redis.config_set("maxmemory", 1)
        finding = server("Valkey", "REDIS_URL", Valkey, lambda _: "Valkey 9.1.2")
        refuse_servers({"REDIS_URL": broker.url})
    assert (finding.works, "maxmemory" in finding.detail) == (False, True)


def test_a_replica_is_refused(broker: Valkey) -> None:
    with Redis.from_url(broker.url) as redis:
        redis.execute_command("REPLICAOF", "127.0.0.1", "1")
        [(text, vital)] = said_of(broker.url)
        with pytest.raises(ServerError, match="REDIS_URL names cannot be used: It is a replica"):
            refuse_servers({"REDIS_URL": broker.url})
    assert ("a replica" in text, vital) == (True, True)


@pytest.mark.parametrize(
    ("mode", "sentence"), [(("--cluster-enabled", "yes"), "one of a cluster"), (("--sentinel",), "is a sentinel")]
)
def test_one_of_a_cluster_and_a_sentinel_are_refused(mode: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    place, configuration = tmp_path / "other.sock", tmp_path / "other.conf"
    configuration.write_text(f"port 0\nunixsocket {place}\ndir {tmp_path}\n")
    command: tuple[str | Path, ...] = (find_binary(), configuration, *mode)
    process = spawn_program(Program("broker", command, dict(os.environ), tmp_path / "log"))
    try:
        until("the broker", place.exists)
        [(text, vital)] = said_of(f"unix://{place}")
    finally:
        process.kill()
        process.wait()
    assert (sentence in text, vital) == (True, True)


def test_who_may_not_come_in_or_not_do_all_is_told_so(broker: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any password can be written; the user `default` is off, as on a server whose users all have names."""
    with Redis.from_url(broker.url) as redis:
        for user in ("ada >s3/c?r#t@% ~* &* +@all", "dim >x ~other* &* +@all", "deaf >x ~* resetchannels +@all"):
            name, *rules = user.split()
            redis.execute_command("ACL", "SETUSER", name, "on", *rules)
        redis.execute_command("ACL", "SETUSER", "default", "off")
    for user, sentence in (
        ("", "refuses the name or the password in REDIS_URL: it has none"),
        (":x@", "refuses the name or the password in REDIS_URL: invalid username-password pair or user is disabled"),
        ("ada:wrong@", "refuses the name or the password in REDIS_URL: invalid"),
        ("dim:x@", "No permissions to access a key"),
        ("deaf:x@", "No permissions to access a channel"),
        (f"ada:{quote('s3/c?r#t@%', safe='')}@", "Valkey 9"),
    ):
        monkeypatch.setenv("REDIS_URL", broker.url.replace("unix://", f"unix://{user}"))
        finding = server("Valkey", "REDIS_URL", Valkey, lambda _: "Valkey 9.1.2")
        assert (sentence in finding.detail, finding.works) == (True, user.startswith("ada:s3"))
        assert "s3" not in f"{finding.detail}{finding.remedy}"
