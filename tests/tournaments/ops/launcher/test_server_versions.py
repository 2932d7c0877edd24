"""Which servers a site may stand on, and that a pooler in transaction mode is found out."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.workers.hall import until
from tournaments.management.commands.doctor import server, server_finding
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.postgres_binaries import WHEELS, find_binaries, full_version, wheel_binaries
from tournaments.ops.launcher.server_versions import KNOWN, POOLED, is_pooled, missing_fixes, too_old, version_numbers
from tournaments.ops.launcher.subprocess_group import Program, spawn_program

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


@pytest.mark.parametrize(
    ("name", "version", "refused"),
    [
        *[("PostgreSQL", version, False) for version in ("15.20 (Debian 15.20-0+deb12u1)", "16.0", "18.6", "19beta1")],
        *[("Redis", version, False) for version in ("7.0.15", "7.2.0", "8.2.1")],
        *[("Valkey", version, False) for version in ("7.2.5", "8.0.1", "9.1.2")],
        *[("PostgreSQL", "14.20", True), ("PostgreSQL", "9.6.24", True), ("Redis", "6.2.14", True)],
    ],
)
def test_a_server_that_is_too_old_is_refused_in_a_sentence(name: str, version: str, refused: bool) -> None:
    assert bool(too_old(name, version)) == refused
    found = server_finding(name, f"{name} {version}, as its address names it", "")
    assert (found.works, "is too old: Boardroom needs" in found.remedy) == (not refused, refused)


def test_a_minor_version_with_known_faults_is_told_and_works() -> None:
    assert missing_fixes("PostgreSQL", "18.4") == f"18.{KNOWN[18]} is out, with fixes: install it."
    assert server_finding("PostgreSQL", "PostgreSQL 18.4, built in", "").works
    for name, version in (("PostgreSQL", f"18.{KNOWN[18]}"), ("PostgreSQL", "18.99"), ("PostgreSQL", "19.0")):
        assert missing_fixes(name, version) == ""
    assert missing_fixes("Valkey", "8.0.0") == ""


def test_the_built_in_postgresql_is_the_newest_of_the_wheels_and_has_all_fixes_that_are_known() -> None:
    binaries = wheel_binaries()
    assert binaries == find_binaries()
    version = full_version(binaries).split()[2]
    assert (too_old("PostgreSQL", version), missing_fixes("PostgreSQL", version)) == ("", "")
    others = [binaries.parents[2] / wheel / tree / "bin" for wheel, tree in WHEELS.items()]
    assert all(
        version_numbers(full_version(other).split()[2]) <= version_numbers(version)
        for other in others
        if other.exists()
    )


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
        found = server("PostgreSQL", "DATABASE_URL", Postgres, lambda _: "PostgreSQL 18.99")
    assert (found.works, found.remedy) == ((False, POOLED) if mode == "transaction" else (True, ""))
