"""The cluster that is made once on a machine: what a copy of it holds, and what it shares with no other."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from tests.database import an_empty_one
from tournaments.ops.backups import pg_tools
from tournaments.ops.launcher import ready_cluster, unprivileged
from tournaments.ops.launcher.copied_postgres import CopiedPostgres
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.postgres_binaries import find_binaries

WROTE = (  # by migrations, in the order of their keys
    "SELECT app, name FROM django_migrations ORDER BY id",
    "SELECT app_label, model FROM django_content_type ORDER BY app_label, model",
    "SELECT codename, name FROM auth_permission ORDER BY codename",
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that nobody can reach."""
    with tempfile.TemporaryDirectory(prefix="boardroom-tests-") as path:
        Path(path).chmod(0o711)
        yield Path(path)


def a_copy(folder: Path, name: str = "copy") -> CopiedPostgres:
    return CopiedPostgres(folder / name, folder / f"{name}.log", durable=False)


@pytest.fixture
def copied(folder: Path) -> Iterator[CopiedPostgres]:
    server = a_copy(folder)
    yield server
    server.stop()


def schema(url: str) -> str:
    """The schema as pg_dump writes it, without the word drawn by lot between which it stands."""
    dump = pg_tools.pg_program("pg_dump", pg_tools.server_major())
    command: list[str | Path] = [dump, "--schema-only", "--no-owner", "--restrict-key=none", f"--dbname={url}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.django_db(transaction=True)
def test_a_copy_holds_what_all_migrations_make(copied: CopiedPostgres) -> None:
    copied.start()
    with an_empty_one("boardroom_by_migrations"), connection.cursor() as cursor:
        call_command("migrate", verbosity=0)
        settings = connection.settings_dict
        made = f"postgresql://{settings['USER']}:{settings['PASSWORD']}@/{settings['NAME']}?host={settings['HOST']}"
        assert schema(copied.url) == schema(made)
        with psycopg.connect(copied.url) as copy:
            for query in WROTE:
                cursor.execute(query)
                assert copy.execute(query).fetchall() == cursor.fetchall() != []


def test_each_copy_has_a_password_of_its_own(folder: Path, copied: CopiedPostgres) -> None:
    copied.start()
    other = a_copy(folder, "other")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(copied.url.replace(copied.password, other.password))
    assert copied.password not in copied.log.read_text()


def test_a_copy_is_for_its_owner_alone(copied: CopiedPostgres) -> None:
    copied.start()
    assert copied.cluster.stat().st_mode & 0o077 == 0
    assert ready_cluster.CLUSTERS.stat().st_mode & 0o077 == 0


def test_what_is_restored_to_begins_empty(copied: CopiedPostgres) -> None:
    copied.empty = True
    copied.start()
    with psycopg.connect(copied.url) as database:
        assert database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
        names = database.execute("SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1").fetchall()
    assert names == [("boardroom",), ("postgres",)]


def is_plain(server: Postgres) -> bool:
    """Made by initdb in its own folder: its database has no table."""
    server.start()
    with psycopg.connect(server.url) as database:
        return database.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_where_others_can_write_nothing_is_kept(
    folder: Path, copied: CopiedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready_cluster, "CLUSTERS", folder / "clusters")
    (folder / "clusters").mkdir()
    (folder / "clusters").chmod(0o777)
    assert is_plain(copied)
    assert not list((folder / "clusters").iterdir())


def test_where_there_is_no_place_each_makes_its_own(
    folder: Path, copied: CopiedPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("no folder")
    monkeypatch.setattr(ready_cluster, "CLUSTERS", folder / "file")
    assert is_plain(copied)


def test_another_migration_or_model_makes_another_cluster(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ready_cluster.SITE, folder / "tournaments", ignore=shutil.ignore_patterns("static", "templates"))
    monkeypatch.setattr(ready_cluster, "SITE", folder / "tournaments")
    keys = {ready_cluster.cluster_key(find_binaries())}
    new = ("migrations/9999_next.py", "models/next.py")
    for part in (*new, "settings.py", "ops/launcher/postgres.py", "../requirements.lock"):
        with (folder / "tournaments" / part).open("a") as file:
            file.write("# another")
        keys.add(ready_cluster.cluster_key(find_binaries()))
    assert len(keys) == 6
    assert all((ready_cluster.SITE / name).exists() for name in ready_cluster.SHAPED_BY)


def test_what_was_not_made_to_its_end_goes_and_so_do_the_oldest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_cluster, "CLUSTERS", folder)
    for age, name in enumerate(("newest", "newer", "old", "oldest", "half.partial")):
        (folder / name).mkdir()
        os.utime(folder / name, (1_000_000 - age, 1_000_000 - age))
    ready_cluster.forget()
    assert {path.name for path in folder.iterdir()} == {"newest", "newer"}


@pytest.mark.skipif(not unprivileged.is_root(), reason="only root can be somebody else")
def test_where_root_must_be_nobody_the_copy_is_nobodys(copied: CopiedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unprivileged, "namespaces_work", lambda: False)
    copied.start()
    owners = {path.stat().st_uid for path in (copied.cluster, *copied.cluster.rglob("*"))}
    assert owners == {unprivileged.uid()}
