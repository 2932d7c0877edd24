"""Backups and their way back, with PostgreSQL's own programs on a real server."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.factories import a_version
from tests.seasons import end_set, fit
from tests.tournaments.ledger.ladders.test_classic_elo_meanwhile import a_rated_ladder, two_pairs
from tests.tournaments.ops.backups.databases import a_database, address, content, manage, sessions, waits
from tests.tournaments.ops.launcher.processes import ROOT, until
from tests.tournaments.web.api.world import a_world
from tournaments.core.errors import Refused
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Bot, Result, Upkeep, User
from tournaments.ops.backups import archive, pg_tools
from tournaments.ops.backups.backup import backup
from tournaments.ops.backups.restore import restore

pytestmark = pytest.mark.django_db(transaction=True)
made: list[bytes] = []  # it takes a while
HELD = "CREATE TABLE tournaments_user ()"  # not committed: whoever makes the same table waits


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A backup of a site with a played ladder; the site itself is there for the first who asks alone."""
    if not made:
        a_world()
        backup(tmp_path / "site.backup")
        made.append((tmp_path / "site.backup").read_bytes())
    (tmp_path / "site.backup").write_bytes(made[0])
    return tmp_path / "site.backup"


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """A database that a restore may make and enter; afterwards this process is back in its own."""
    own_name = connection.settings_dict["NAME"]
    with a_database("restored", made=False) as name:
        yield name
        connection.close()
        connection.settings_dict["NAME"] = own_name


def exists(name: str) -> bool:
    with psycopg.connect(address("postgres")) as server:
        return bool(server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).rowcount)


def test_a_pipe_is_refused_and_a_link_is_followed(tmp_path: Path) -> None:
    User.objects.create(username="ann")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="it is a device or a pipe"):
        backup(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(Refused, match="cannot be written: File name too long"):
        backup(tmp_path / ("x" * 300))
    (tmp_path / "link").symlink_to(tmp_path / "file")
    backup(tmp_path / "link")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "file").is_file()) == (True, True)


def test_every_table_comes_back_as_it_was(tmp_path: Path, elsewhere: str) -> None:
    a_world()
    before = content(connection.settings_dict["NAME"])
    result = backup(tmp_path / "site.backup")
    assert (tmp_path / "site.backup").stat().st_mode & 0o777 == 0o600
    assert Upkeep.objects.filter(what="backup").exists()
    assert restore(tmp_path / "site.backup", create=elsewhere) == result
    assert content(elsewhere) == before
    assert Result.objects.count() == result.rows["tournaments_result"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["site.backup"]


def test_a_backup_cut_short_is_refused_before_anything_is_written(file: Path, elsewhere: str) -> None:
    complete = file.read_bytes()
    for kept in (0, 4, 2000, -100, -1):
        file.write_bytes(complete[:kept])
        with pytest.raises(Refused, match=r"is not a backup|cut short"):
            restore(file, create=elsewhere)
    assert not exists(elsewhere)


def test_a_backup_with_one_byte_changed_is_refused(file: Path, elsewhere: str) -> None:
    complete = file.read_bytes()
    for place in (20, 5000, len(complete) // 2, -120, -2):
        data = bytearray(complete)
        data[place] ^= 1
        file.write_bytes(data)
        with pytest.raises(Refused) as refused:
            restore(file, create=elsewhere)
        assert refused.value.code == "bad_backup"
    assert not exists(elsewhere)


@pytest.mark.parametrize("content", [b"", b"not a dump at all", b"PGDMP" + b"\0" * 100])
def test_what_is_no_backup_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(Refused):
        archive.read_seal(tmp_path / "file")


def test_a_pipe_is_not_waited_for_by_a_restore(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="pipe is a device or a pipe"):
        restore(tmp_path / "pipe")


def test_what_takes_long_is_said(tmp_path: Path, elsewhere: str, capsys: pytest.CaptureFixture[str]) -> None:
    a_world()
    call_command("backup", tmp_path / "site.backup")
    assert capsys.readouterr().out.startswith("Writing the file ...\nReading it again ...\n")
    lines = list[str]()
    seal = restore(tmp_path / "site.backup", create=elsewhere, say=lines.append)
    assert lines[0].startswith(f"Reading all of {tmp_path / 'site.backup'}, ")
    assert lines[1:] == [f"It is whole. Writing {sum(seal.rows.values()):,} rows ..."]


def test_a_database_that_holds_anything_is_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2] + b"?\n")  # which would be found out by reading all of it
    with pytest.raises(CommandError, match=r"is not empty.*--create NAME"):
        call_command("restore", file)


def test_an_empty_database_is_not_backed_up(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no account and no ladder in the database"):
        call_command("backup", tmp_path / "site.backup")
    assert not list(tmp_path.iterdir())


def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path, elsewhere: str) -> None:
    User.objects.create(username="ann")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '0999_the_future', now())"
        )
    try:
        backup(tmp_path / "newer")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '0999_the_future'")
    with pytest.raises(Refused, match=r"newer Boardroom.*0999_the_future"):
        restore(tmp_path / "newer", create=elsewhere)
    assert not exists(elsewhere)


def test_a_backup_of_an_older_version_is_refused_with_the_way_on(tmp_path: Path, elsewhere: str) -> None:
    User.objects.create(username="ann")
    recorder, replaced = MigrationRecorder(connection), ("tournaments", "0063_own_time_of_bots")
    recorder.record_unapplied(*replaced)
    try:
        backup(tmp_path / "older")
    finally:
        recorder.record_applied(*replaced)
    with pytest.raises(
        Refused, match=r"before v0\.1\.0.*check out v0\.1\.0, run `python3 manage\.py restore"
    ) as refused:
        restore(tmp_path / "older", create=elsewhere)
    assert refused.value.code == "older_backup"
    assert not exists(elsewhere)


def test_a_backup_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no folder"):
        backup(tmp_path / "nowhere" / "site.backup")
    User.objects.create(username="ann")
    (tmp_path / "taken").mkdir()
    with pytest.raises(Refused, match="taken cannot be written: it is a folder"):
        backup(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    (tmp_path / "other.partial").mkdir()  # cannot be removed afterwards either, as on a disk that is only read
    with pytest.raises(Refused, match="other cannot be written: Is a directory"):
        backup(tmp_path / "other")


def test_a_disk_that_gets_full_leaves_the_backup_of_before_and_nothing_else(tmp_path: Path) -> None:
    a_world()
    command = f"{sys.executable} {ROOT / 'manage.py'} backup site.backup; code=$?; ls; cat site.backup; exit $code"
    environment = {**os.environ, "DATABASE_URL": address(connection.settings_dict["NAME"])}
    disk = (
        f"mount --make-rprivate /; mount -t tmpfs -o size=60k none {tmp_path}; cd {tmp_path}; echo before > site.backup"
    )
    script = ["unshare", "--mount", "sh", "-c", f"{disk}\n{command}"]
    done = subprocess.run(script, check=False, capture_output=True, text=True, env=environment)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip(f"NOT TESTED: a full disk: {done.stderr.strip()}")
    assert (done.returncode, done.stdout.split()[-2:]) == (1, ["site.backup", "before"])
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert not Upkeep.objects.filter(what="backup").exists()  # so that the alert of an old backup comes


def test_programs_that_do_not_fit_the_server_are_named_in_a_sentence() -> None:
    with pytest.raises(
        Refused, match=r"pg_dump of version 999 or newer is needed for this server, and here is that of"
    ):
        pg_tools.pg_program("pg_dump", 999)


def test_a_backup_made_in_the_middle_of_everything_is_restored_without_a_difference(tmp_path: Path) -> None:
    """A set is complete and not rated yet, and a version came after the last fit."""
    ladder = a_rated_ladder(pairs := two_pairs())
    fit()
    a_version(Bot.objects.get(versions=pairs[0][0]))
    end_set(create_set(ladder=ladder, versions=pairs[1]), pairs[1])
    backup(tmp_path / "site.backup")
    with a_database("target") as name:
        restoring = manage(name, "restore", tmp_path / "site.backup")
        output, error = restoring.communicate(timeout=120)
        assert (restoring.returncode, "difference 0" in output) == (0, True), error


def test_a_restore_killed_in_the_middle_leaves_nothing_and_the_next_one_all(file: Path) -> None:
    with a_database("target") as name:
        with psycopg.connect(address(name)) as holder:
            holder.execute(HELD)
            killed = manage(name, "restore", file)
            until(lambda: waits(name) or killed.poll() is not None, 60, "the middle of the restore")
            killed.kill()
            assert killed.wait() == -9
            killed.communicate()
            holder.rollback()
        until(lambda: not sessions(name), what="the end of pg_restore's session")
        assert content(name) == {}
        again = manage(name, "restore", file)
        output, error = again.communicate(timeout=120)
        assert (again.returncode, "difference 0" in output) == (0, True), error
        with psycopg.connect(address(name)) as restored:
            links = restored.execute("SELECT count(*), sum(length - used) FROM tournaments_seedchain").fetchone()
        assert links == (2, 0)  # those to come may be known from the time after the backup


def test_a_migration_killed_in_the_middle_is_finished_by_the_next_start() -> None:
    with a_database("migrated") as name:
        with psycopg.connect(address(name)) as holder:
            holder.execute("CREATE TABLE tournaments_upkeep ()")
            killed = manage(name, "migrate")
            until(lambda: waits(name) or killed.poll() is not None, 120, "the middle of the migration")
            killed.kill()
            assert killed.wait() == -9
            killed.communicate()
            holder.rollback()
        until(lambda: not sessions(name), what="the end of its session")
        assert not [table for table in content(name) if table.startswith("tournaments_")]
        again = manage(name, "migrate")
        error = again.communicate(timeout=120)[1]
        assert again.returncode == 0, error
        assert "tournaments_upkeep" in content(name)
