"""The built-in servers: real PostgreSQL and Valkey in a folder of their own."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from tests.tournaments.ops.launcher.processes import descendants, still_there, until
from tournaments.ops.launcher import unprivileged
from tournaments.ops.launcher.data_dir import Data, InUseError
from tournaments.ops.launcher.embedded_server import ServerError, socket_folder
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.valkey import Valkey

WAYS = [True, False] if unprivileged.is_root() else [True]  # of root to be nobody: in a namespace, or by setuid


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that nobody can reach, as setuid needs it; pytest closes its own to others, again and again."""
    with tempfile.TemporaryDirectory(prefix="boardroom-tests-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


@pytest.fixture
def postgres(folder: Path) -> Iterator[Postgres]:
    server = Postgres(folder / "postgres", folder / "postgres.log", durable=False)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def running() -> Iterator[Postgres]:
    """A server for the tests that only ask it."""
    with tempfile.TemporaryDirectory(prefix="boardroom-tests-") as path:
        Path(path).chmod(0o711)
        server = Postgres(Path(path) / "postgres", Path(path) / "postgres.log", durable=False)
        server.start()
        yield server
        server.stop()


@pytest.fixture
def valkey(folder: Path) -> Iterator[Valkey]:
    server = Valkey(folder / "valkey", folder / "valkey.log")
    yield server
    server.stop()


@pytest.mark.parametrize("namespaces", WAYS)
def test_postgres_runs_whoever_starts_it_but_never_as_root(
    postgres: Postgres, namespaces: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not namespaces:
        monkeypatch.setattr(unprivileged, "namespaces_work", lambda: False)
    postgres.start()
    with psycopg.connect(postgres.url) as connection:
        assert connection.execute("SELECT current_database()").fetchone() == ("boardroom",)
    assert postgres.process
    owner = (postgres.folder / "cluster" / "PG_VERSION").stat().st_uid
    assert owner == (os.geteuid() if namespaces else unprivileged.uid())


def test_a_second_start_finds_the_data_and_another_major_version_leaves_it_alone(postgres: Postgres) -> None:
    postgres.start()
    with psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    postgres.stop()
    postgres.start()
    with psycopg.connect(postgres.url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    is_left_alone_by_another_major_version(postgres)


def is_left_alone_by_another_major_version(postgres: Postgres) -> None:
    postgres.stop()
    (postgres.folder / "cluster" / "PG_VERSION").write_text("12\n")
    with pytest.raises(ServerError, match="was made by PostgreSQL 12"):
        postgres.start()


def test_what_was_committed_survives_kill_9(folder: Path) -> None:
    postgres = Postgres(folder / "postgres", folder / "postgres.log", durable=True)
    try:
        postgres.start()
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 100)")
            assert postgres.process
            os.kill(postgres.process.pid, signal.SIGKILL)
        postgres.start()
        with psycopg.connect(postgres.url) as connection:
            assert connection.execute("SELECT count(*) FROM kept").fetchone() == (100,)
    finally:
        postgres.stop()


def test_text_sorts_by_code_point_on_every_system(running: Postgres) -> None:
    with psycopg.connect(running.url) as connection:
        words = connection.execute(
            "SELECT word FROM unnest(ARRAY['b', 'ä', 'B', 'a']) AS word ORDER BY word"
        ).fetchall()
    assert words == [("B",), ("a",), ("b",), ("ä",)]


def test_nobody_gets_in_without_the_password(running: Postgres) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(running.url.replace(running.password, "guess"))
    assert (running.folder / "password").stat().st_mode & 0o077 == 0


def test_an_interrupted_first_start_leaves_nothing_that_looks_whole(postgres: Postgres) -> None:
    (postgres.folder / "cluster.partial").mkdir(parents=True)
    postgres.folder.chmod(0o700)
    (postgres.folder / "cluster.partial" / "PG_VERSION").write_text("18\n")
    postgres.start()
    assert postgres.answers()


def test_a_folder_that_others_can_write_is_refused(folder: Path, valkey: Valkey) -> None:
    valkey.folder.mkdir()
    valkey.folder.chmod(0o777)
    with pytest.raises(ServerError, match="must belong to us alone"):
        valkey.start()


def test_a_path_too_long_for_a_socket_gets_a_short_one(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    assert len(str(socket_folder(deep) / ".s.PGSQL.5432")) < 104
    server = Valkey(deep, folder / "valkey.log")
    try:
        server.start()
        assert redis.Redis.from_url(server.url).ping()
    finally:
        server.stop()
    assert not server.socket.parent.exists()


def test_a_temporary_folder_too_long_for_a_socket_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/" + "t" * 120)
    assert len(str(socket_folder(Path("/" + "d" * 120)))) < 60


def test_the_broker_remembers_what_it_was_told(valkey: Valkey) -> None:
    valkey.start()
    with redis.Redis.from_url(valkey.url) as connection:
        connection.rpush("queue", "message")
    valkey.stop()
    valkey.start()
    with redis.Redis.from_url(valkey.url) as connection:
        assert connection.lrange("queue", 0, -1) == [b"message"]


@pytest.mark.parametrize("damaged", ["*.incr.aof", "*.base.rdb", "*.manifest"])
def test_a_broker_that_cannot_read_its_files_begins_with_empty_queues(valkey: Valkey, damaged: str) -> None:
    """A full disk or a crash left them so; a broker that never starts again would stop all play."""
    valkey.start()
    with redis.Redis.from_url(valkey.url) as connection:
        for number in range(100):
            connection.set(f"key-{number}", "told")
    valkey.stop()
    [file] = (valkey.folder / "appendonlydir").glob(damaged)
    file.write_bytes(file.read_bytes()[:40] + b"\x00" * 30 + file.read_bytes()[40:])
    sentences: list[str] = []
    valkey.start(sentences.append)
    with redis.Redis.from_url(valkey.url) as connection:
        assert connection.dbsize() == 0
    assert "begins with empty queues" in sentences[0]
    assert (valkey.folder / "appendonlydir.unreadable" / file.name).exists()


def test_a_stopped_server_leaves_no_process(postgres: Postgres, valkey: Valkey) -> None:
    postgres.start()
    valkey.start()
    assert postgres.process
    assert valkey.process
    both = {postgres.process.pid, valkey.process.pid}
    born = {pid: what for pid, what in descendants(os.getpid()).items() if pid in both}
    born |= descendants(postgres.process.pid)
    assert len(born) > 5
    valkey.stop()
    postgres.stop()
    until(lambda: not still_there(born), what="the end of both servers")


def test_the_environment_is_completed_never_overruled(folder: Path) -> None:
    environment = {"REDIS_URL": "redis://elsewhere/0"}
    data = Data(folder / "data")
    data.complete(environment)
    assert environment["REDIS_URL"] == "redis://elsewhere/0"
    assert environment["DATABASE_URL"] == data.postgres.url
    assert data.servers(environment) == [data.postgres]
    assert len(environment["SECRET_KEY"]) > 40


def test_secrets_are_made_once_and_are_nobody_elses_business(folder: Path) -> None:
    first, second = dict[str, str](), dict[str, str]()
    Data(folder / "data").complete(first)
    Data(folder / "data").complete(second)
    assert first == second
    assert all(file.stat().st_mode & 0o077 == 0 for file in (folder / "data" / "secrets").iterdir())


def test_a_data_folder_is_used_by_one_command_at_a_time(folder: Path) -> None:
    data = Data(folder / "data")
    data.make()
    with data.held("manage.py up"), pytest.raises(InUseError, match=r"in use by manage\.py up"), data.held("another"):
        pass
    with data.held("another"):
        pass
