"""Which site a command works on: never on another one than the one meant, and never on a new one."""

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.tournaments.ops.launcher.test_up import manage
from tournaments.ops.launcher import data_dir, sites
from tournaments.ops.launcher import main as launcher
from tournaments.ops.launcher.backup_file import MARK
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.main import WITHOUT_DATA, data_option, main, needs_data, refuse_second_database
from tournaments.ops.launcher.sites import NoSiteError, database_label, named_database, note_site, site_of

ELSEWHERE = "postgresql://ann:secret@db.example:6543/games"
BOTH = {"DATABASE_URL": ELSEWHERE, "REDIS_URL": "redis://elsewhere/0"}
ON_DATA = sorted(get_commands().keys() - {*WITHOUT_DATA, "test"} - {"restore"})  # `test` is of manage.py itself


def a_site(folder: Path, address: str = "http://127.0.0.1:8123", database: str = "") -> Data:
    """The data that `up` leaves, without the servers."""
    data = Data(folder)
    data.make()
    data.postgres.cluster.mkdir(parents=True)
    data.remember(address, database)
    return data


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The default folder, which is not there; and no site is noted."""
    monkeypatch.setattr(sites, "SITES", tmp_path / "sites")
    monkeypatch.setattr(sites, "DEFAULT", tmp_path / "default")
    return tmp_path / "default"


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Data]:
    """Another site, which runs."""
    data = a_site(tmp_path / "elsewhere")
    monkeypatch.setenv("DATABASE_URL", data.postgres.url)
    monkeypatch.setenv("SITE_URL", "http://127.0.0.1:8123")
    note_site(data)
    with data.held("manage.py up"):
        yield data


@pytest.mark.parametrize("command", [*ON_DATA, "restore"])
def test_what_cannot_be_a_data_folder_is_refused_by_every_command(command: str, tmp_path: Path, nowhere: Path) -> None:
    nowhere.write_text("not a folder")
    for named in (None, nowhere, nowhere / "below", tmp_path / ("x" * 300)):
        with pytest.raises(ServerError, match=rf"^{named or nowhere} cannot be the data folder \("):
            site_of(command, named, {})


def test_a_noted_site_whose_folder_is_a_file_now_hides_no_other(running: Data, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "sites" / "gone").symlink_to(tmp_path / "file")
    assert sites.running_sites() == [running]


@pytest.mark.parametrize("command", ON_DATA)
def test_a_command_makes_no_folder_and_names_the_site_that_runs(command: str, running: Data, nowhere: Path) -> None:
    with pytest.raises(NoSiteError) as refused:
        site_of(command, None, {})
    assert f"There is no site in {nowhere}" in str(refused.value)
    assert f"--data {running.folder}    http://127.0.0.1:8123" in str(refused.value)
    assert not nowhere.exists()


def test_a_restore_without_a_folder_is_not_guessed_either(running: Data, nowhere: Path, tmp_path: Path) -> None:
    with pytest.raises(NoSiteError, match=str(running.folder)):
        site_of("restore", None, {})
    for named in (tmp_path / "new", running.folder):
        assert site_of("restore", named, {}) == Data(named)
    assert not nowhere.exists()


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_where_others_run_it_is_said_that_one_address_alone_names_no_site(
    running: Data, nowhere: Path, name: str
) -> None:
    with pytest.raises(NoSiteError, match="both DATABASE_URL and REDIS_URL must be set") as refused:
        site_of("audit", None, {name: ELSEWHERE if name == "DATABASE_URL" else "redis://elsewhere/0"})
    assert str(running.folder) in str(refused.value)
    with pytest.raises(NoSiteError, match="DATABASE_URL cannot be read"):
        site_of("audit", None, {"DATABASE_URL": "postgresql://u:p#x@localhost/db"})


@pytest.mark.parametrize("environment", [{}, {"DATABASE_URL": ELSEWHERE}, {"REDIS_URL": "redis://elsewhere/0"}])
def test_without_a_site_a_command_says_how_one_is_made(environment: dict[str, str], nowhere: Path) -> None:
    with pytest.raises(NoSiteError, match=f"`python3 manage.py up --data {nowhere}` makes one") as refused:
        site_of("backup", None, environment)
    assert ("both DATABASE_URL and REDIS_URL must be set" in str(refused.value)) is bool(environment)
    assert not nowhere.exists()


def test_a_default_site_that_rests_while_another_runs_is_not_taken_for_it(running: Data, nowhere: Path) -> None:
    default = a_site(nowhere)
    with pytest.raises(NoSiteError, match="a site that does not run"):
        site_of("retention", None, {})
    assert site_of("retention", nowhere, {}) == default
    assert site_of("retention", running.folder, {}) == running
    with default.held("manage.py up"):
        assert site_of("retention", None, {}) == default


def test_the_address_is_noted_as_browsers_spell_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = a_site(tmp_path / "elsewhere")
    monkeypatch.setenv("DATABASE_URL", data.postgres.url)
    monkeypatch.setenv("SITE_URL", " HTTPS://Board.EXAMPLE:443/")
    note_site(data)
    assert data.memory()["address"] == "https://board.example"


def test_several_sites_are_all_listed(running: Data, tmp_path: Path) -> None:
    second = a_site(tmp_path / "second", "http://127.0.0.1:8124")
    note_site(second)
    with second.held("manage.py up"), pytest.raises(NoSiteError) as refused:
        site_of("dump", None, {})
    assert f"--data {running.folder}" in str(refused.value)
    assert f"--data {second.folder}" in str(refused.value)


def test_sites_that_have_stopped_or_gone_are_not_named(running: Data, tmp_path: Path, nowhere: Path) -> None:
    note_site(a_site(tmp_path / "stopped"))
    assert sites.running_sites() == [running]
    a_site(nowhere)
    (tmp_path / "sites" / "gone").symlink_to(tmp_path / "gone")
    note_site(running)
    assert not (tmp_path / "sites" / "gone").is_symlink()


def test_an_environment_that_names_both_servers_names_the_site(running: Data, nowhere: Path) -> None:
    assert site_of("backup", None, BOTH) is None
    assert named_database(None, BOTH) == "Database: games on db.example:6543 (DATABASE_URL)"
    with pytest.raises(NoSiteError):
        site_of("backup", None, {**BOTH, "REDIS_URL": ""})
    assert not nowhere.exists()


def test_a_folder_and_an_environment_that_name_two_databases_are_refused(running: Data, tmp_path: Path) -> None:
    with pytest.raises(NoSiteError, match="uses its own database, and DATABASE_URL names games on db"):
        site_of("retention", running.folder, BOTH)
    external = a_site(tmp_path / "external", database=database_label(ELSEWHERE))
    with pytest.raises(NoSiteError, match=r"uses the database games on db\.example:6543, and DATABASE_URL is not set"):
        site_of("retention", external.folder, {})
    assert site_of("retention", external.folder, BOTH) == external
    assert site_of("retention", running.folder, {"DATABASE_URL": running.postgres.url}) == running


def test_the_first_line_names_no_password(running: Data) -> None:
    assert named_database(running, {"DATABASE_URL": running.postgres.url}) == f"Database: the one in {running.folder}"
    assert "secret" not in database_label(ELSEWHERE)


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [
        (["backup", "help"], True),
        (["changepassword", "help"], True),
        (["dbshell", "--", "-h", "elsewhere"], True),
        (["backup", "--help"], False),
        (["fleet", "drain", "-h"], False),
        (["help", "backup"], False),
        (["makemigrations"], False),
        ([], False),
    ],
)
def test_a_name_is_not_taken_for_a_question_about_the_command(arguments: list[str], needs: bool) -> None:
    assert needs_data(arguments) is needs


def test_a_folder_is_named_before_or_behind_the_command_and_from_any_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert data_option(["--data", "x", "audit", "--head"]) == (tmp_path / "x", ["audit", "--head"])
    assert data_option(["audit", "--data=x"]) == (tmp_path / "x", ["audit"])
    assert data_option(["audit", "--data=~/x"])[0] == tmp_path / "home" / "x"
    with pytest.raises(SystemExit):
        data_option(["audit", "--data="])


@pytest.mark.parametrize("command", [("createsuperuser", "--noinput"), ("migrate",), ("dump",), ("backup", "file")])
def test_a_command_on_a_folder_without_a_site_ends_with_a_sentence(command: tuple[str, ...], tmp_path: Path) -> None:
    done = manage(*command, "--data", tmp_path / "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"There is no site in {tmp_path / 'none'}.")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("option", [("--create", "second"), ("--create=second",), ("--cr", "second")])
def test_a_second_database_of_the_built_in_server_is_refused_with_what_to_do(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No `up` could be told to use it."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["restore", "file", *option, "--data", str(tmp_path / "new")]) == 2
    assert "Restore into a new data folder instead (--data DIR)" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    monkeypatch.setenv("DATABASE_URL", ELSEWHERE)
    refuse_second_database(["restore", "file", *option], Data(tmp_path / "new"))


def test_a_restore_that_fails_leaves_no_new_folder(tmp_path: Path) -> None:
    (tmp_path / "damaged.backup").write_bytes(b"PGDMP" + MARK + b"{}\n")
    done = manage("restore", tmp_path / "damaged.backup", "--data", tmp_path / "new")
    assert done.returncode == 1
    assert "is damaged" in done.stderr
    assert not (tmp_path / "new").exists()


def refused_at_once(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return what is said when nothing has been made, named or loaded yet."""
    assert main([str(part) for part in arguments]) == 2
    output = capsys.readouterr()
    assert (output.out, "Database:" in output.err) == ("", False)
    return output.err


def test_a_file_that_is_no_backup_is_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = ("--data", tmp_path / "new")
    (tmp_path / "text").write_text("no backup at all")
    (tmp_path / "cut").write_bytes(b"PGDMP and no end")
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("none", "cannot be read: No such file"),
        ("text", "is not a backup"),
        ("cut", "has no seal at its end"),
        ("pipe", "is a device or a pipe"),
        (".", "cannot be read: Is a directory"),
    ):
        assert reason in refused_at_once(capsys, "restore", "-v", "2", tmp_path / name, *new)
    assert not (tmp_path / "new").exists()


def test_a_place_that_no_backup_can_have_is_refused_before_anything_starts(
    nowhere: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    a_site(nowhere)
    for place, reason in ((tmp_path / "none" / "file", "There is no folder"), (tmp_path, "it is a folder")):
        assert reason in refused_at_once(capsys, "backup", place, "--data", nowhere)


def test_arguments_are_read_before_the_servers_start(tmp_path: Path) -> None:
    """This site has none that could start."""
    site = a_site(tmp_path / "site")
    for arguments, reason in (
        (("retention", "--days", "0"), "argument --days: '0' is not a whole number from 1 to 36500"),
        (("migrate", "--nonsense"), "unrecognized arguments: --nonsense"),
        (("audit", "--dat", "elsewhere"), "write --data DIR in full"),
        (("bakcup", "file"), "Unknown command: 'bakcup'. Did you mean backup?"),
    ):
        done = manage(*arguments, "--data", site.folder)
        assert (done.returncode in (1, 2), reason in done.stderr) == (True, True), done.stderr
        assert done.stderr.startswith("Database: the one in "), done.stderr
    assert not (site.folder / "in-use").exists()


def test_a_command_that_is_not_there_is_said_where_no_site_is_either(tmp_path: Path) -> None:
    done = manage("bakcup", "--data", tmp_path / "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is no command 'bakcup'. Did you mean backup? `python3 manage.py help` lists all.\n"


def test_a_folder_that_means_nothing_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in ("check", "faults"):
        assert f"`manage.py {command}` works on no site" in refused_at_once(capsys, command, "--data", tmp_path)
    with pytest.raises(SystemExit):
        data_option(["audit", "--data=~there-is-nobody-of-this-name/x"])
    assert "~there-is-nobody-of-this-name is no user here" in capsys.readouterr().err


@pytest.mark.parametrize("asked", [("createsuperuser", "--help"), ("help", "migrate"), ("fleet", "drain", "-h")])
def test_each_command_on_data_lists_the_folder_in_its_help(asked: tuple[str, ...]) -> None:
    done = manage(*asked)
    assert (done.returncode, "--data DIR" in done.stdout) == (0, True), done.stderr


def test_a_full_disk_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(data_dir, "secret_in_file", full)
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ServerError, match=r"cannot be the data folder \(No space left on device\)"):
        Data(tmp_path / "new").complete(os.environ)
    monkeypatch.setattr(launcher, "prepared", full)
    assert "A file cannot be used: No space left on device." in refused_at_once(capsys, "audit")


def test_an_option_that_up_does_not_have_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    done = manage("up", "--dat", tmp_path / "new", "--port", "0")
    assert done.returncode == 2
    assert "unrecognized arguments: --dat" in done.stderr


def test_a_database_that_cannot_be_reached_is_named_and_said_in_a_sentence() -> None:
    done = manage("audit", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none", REDIS_URL="redis://127.0.0.1:1/0")
    assert done.returncode == 2
    assert done.stderr.startswith("Database: none on 127.0.0.1:1 (DATABASE_URL)\nThe database fails:")
    assert "Traceback" not in done.stderr


def test_notes_that_cannot_be_read_are_no_notes(running: Data) -> None:
    (running.folder / "site.json").write_text(json.dumps({})[:1])
    assert running.memory() == {}
    assert site_of("audit", running.folder, {}) == running
