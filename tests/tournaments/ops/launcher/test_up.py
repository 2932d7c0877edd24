"""`manage.py up` as a newcomer meets it: real servers, real workers, real matches; and all the ways to end it."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import psycopg
import pytest
from django.core.management.base import CommandError

from engine.games import GAMES
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment, descendants, still_there, until
from tournaments.management.commands.up import Command
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.first_processes import free_port

PATIENCE = 120.0  # seconds; the machine may have other things to do
UNEVEN = """
    SELECT count(*) FROM tournaments_match AS match LEFT JOIN tournaments_result AS result ON result.match_id = match.id
    WHERE (match.status = 'done') != (result.id IS NOT NULL)
"""  # matches that are done without a result, or have one without being done; two for one the schema forbids
BRISK = """
    UPDATE tournaments_ladder
    SET pace_seconds = 3, status = CASE game WHEN 'zaibatsu' THEN 'open' ELSE 'paused' END RETURNING id
"""  # matches of moments, so that a wait is for what was killed alone; not so many that others wait
SET_ASIDE = """
    UPDATE tournaments_match SET status = 'quarantined' WHERE status = 'waiting' AND set_id IN
    (SELECT id FROM tournaments_matchset WHERE checks_id IS NOT NULL AND game != 'zaibatsu') RETURNING id
"""  # the checks of the other games' samples, some of which think for seconds; one game is played here
PAUSED = "UPDATE tournaments_ladder SET status = 'paused' RETURNING id"
CHILDREN = ("granian", "tournaments.ledger.recording", "dispatch", "-m workers", "valkey-server", "bin/postgres")


def manage(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=PATIENCE, env=bare_environment(**environment)
    )


@dataclass
class Platform:
    process: subprocess.Popen[bytes]
    data: Data
    out: Path

    @property
    def address(self) -> str:
        match = re.search(r"Boardroom is at (\S+)", self.out.read_text())
        return match[1] if match else ""

    def count(self, what: str) -> int:
        with psycopg.connect(self.data.postgres.url) as connection:
            row = connection.execute(what).fetchone()
        return int(row[0]) if row else 0

    def recorded(self) -> int:
        return self.count("SELECT count(*) FROM tournaments_result")


ODD = {"TZ": "Asia/Kolkata", "PYTHONSAFEPATH": "1"}  # what a person's environment may hold


@contextmanager
def up(folder: Path) -> Iterator[Platform]:
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--workers", "1", "--data", str(folder)]
    out = folder.with_suffix(".out")
    with out.open("wb") as log:
        environment = bare_environment(**ODD)
        environment.pop("HOME", None)  # as in a unit of systemd without a user
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
    platform = Platform(process, Data(folder), out)
    try:
        until(lambda: platform.address or process.poll() is not None, PATIENCE, "the start")
        assert platform.address, out.read_text()
        yield platform
    finally:
        process.terminate()
        process.wait(PATIENCE)


@dataclass
class Site:
    """One data folder, and what runs on it: a first start takes long, the ones that go on with its data do not."""

    folder: Path
    stack: ExitStack
    running: Platform | None = None

    def platform(self) -> Platform:
        if self.running is None or self.running.process.poll() is not None:
            self.running = self.stack.enter_context(up(self.folder))
        return self.running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(tmp_path_factory.mktemp("up") / "data", stack)


@pytest.fixture
def resting(site: Site) -> Platform:
    """The one that runs, where nothing new is played. Where a test has ended it, the next one goes on with its data."""
    running = site.platform()
    until(lambda: running.count("SELECT count(*) FROM tournaments_ladder") >= len(GAMES), PATIENCE, "the ladders")
    assert running.count(PAUSED)
    running.count(SET_ASIDE)
    return running


@pytest.fixture
def platform(resting: Platform) -> Platform:
    """The one that runs, and plays."""
    assert resting.count(BRISK)
    return resting


def test_matches_are_played_and_recorded(platform: Platform) -> None:
    until(lambda: platform.recorded() >= 3, PATIENCE, "a recorded set")


def test_its_page_answers(resting: Platform) -> None:
    with urllib.request.urlopen(resting.address, timeout=30) as page:  # noqa: S310  printed by our own process
        assert b"<html" in page.read()


def test_all_of_it_is_ready_and_measured(resting: Platform) -> None:
    def status(door: str) -> int:
        try:
            with urllib.request.urlopen(f"{resting.address}{door}", timeout=30) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    until(lambda: status("readyz") == 200, PATIENCE, "readiness")
    assert status("healthz") == status("metrics") == 200


def test_a_second_one_on_the_same_data_is_refused(resting: Platform) -> None:
    done = manage("up", "--port", "0", "--data", resting.data.folder)
    assert done.returncode == 2
    assert f"{resting.data.folder} is in use by manage.py up (process {resting.process.pid})" in done.stderr


def test_a_port_in_use_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = manage("up", "--port", str(port), "--data", tmp_path / "data")
    assert done.returncode == 2
    assert f"Port {port} cannot be used" in done.stderr
    assert not (tmp_path / "data" / "postgres" / "cluster").exists()


def test_commands_of_djangos_use_the_running_servers(resting: Platform) -> None:
    processes = descendants(resting.process.pid)
    done = manage("migrate", "--check", "--data", resting.data.folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"Database: the one in {resting.data.folder}\n"
    assert [what for what in still_there(processes).values() if "postgres -D" in what]


def test_a_match_workers_environment_holds_no_secret_of_the_site(resting: Platform) -> None:
    workers = [pid for pid, what in descendants(resting.process.pid).items() if what.endswith("-m workers")]
    secrets = (resting.data.postgres.password, (resting.data.folder / "secrets" / "SECRET_KEY").read_text())
    assert len(workers) == 2  # one for matches, one for practices
    for worker in map(str, workers):
        environment = subprocess.run(["ps", "eww", "-p", worker], check=True, capture_output=True, text=True).stdout
        assert "WORKER_TOKEN=" in environment
        assert not [secret for secret in secrets if secret in environment]


def test_killed_children_are_replaced_and_no_match_is_lost_or_doubled(platform: Platform) -> None:
    for child in CHILDREN:
        is_killed_and_replaced(platform, child)
    assert_it_plays_on(platform)


def is_killed_and_replaced(platform: Platform, child: str) -> None:
    def matching() -> dict[int, str]:
        return {pid: what for pid, what in descendants(platform.process.pid).items() if child in what}

    until(matching, PATIENCE, f"{child} to be there")
    killed = min(matching())
    os.kill(killed, signal.SIGKILL)
    until(lambda: matching().keys() - {killed}, PATIENCE, f"another {child}")


def assert_it_plays_on(platform: Platform) -> None:
    until(lambda: alive(platform), PATIENCE, "the database again")
    before = platform.recorded()
    until(lambda: alive(platform) and platform.recorded() > before, PATIENCE, "another recorded match")
    assert platform.count(UNEVEN) == 0


def alive(platform: Platform) -> bool:
    return platform.data.postgres.answers()


def test_sigterm_stops_all_of_it_and_leaves_no_process(platform: Platform) -> None:
    until(lambda: platform.recorded() >= 1, PATIENCE, "a recorded match")
    processes = descendants(platform.process.pid)
    platform.process.terminate()
    assert platform.process.wait(PATIENCE) == 0
    assert not still_there(processes)
    assert len(processes) >= len(CHILDREN)
    assert "Stopped. The data is kept" in platform.out.read_text()


def test_a_kill_9_of_the_supervisor_leaves_no_process_and_the_next_start_goes_on(platform: Platform) -> None:
    kept = platform.recorded()
    until(lambda: platform.recorded() > kept, PATIENCE, "a recorded match")
    processes, before = descendants(platform.process.pid), platform.recorded()
    platform.process.kill()
    platform.process.wait()
    until(lambda: not still_there(processes), what=f"the end of {sorted(processes.values())}")
    done = manage("up", "--port", "0", "--workers", "1", "--matches", "1", "--data", platform.data.folder)
    assert done.returncode == 0, done.stderr
    assert before >= 1
    assert re.search(r"matche?s? w(as|ere) recorded in", done.stdout)
    assert re.search(r"place +bot +Elo", done.stdout)


def test_without_up_a_command_starts_the_servers_for_its_own_time(site: Site) -> None:
    """The site has run before. An account made so is there when it runs again."""
    platform = site.platform()
    platform.process.terminate()
    platform.process.wait(PATIENCE)
    account = ("--username", "first", "--email", "first@board.example")
    done = manage("createsuperuser", "--noinput", *account, "--data", site.folder)
    assert done.returncode == 0, done.stderr
    assert not platform.data.postgres.answers()
    assert site.platform().count("SELECT count(*) FROM tournaments_user WHERE username = 'first'") == 1


def test_while_it_starts_each_page_says_so(site: Site) -> None:
    """Never that something broke; and once somebody answers, nobody is refused a connection."""
    running = site.platform()
    running.process.terminate()
    running.process.wait(PATIENCE)
    port, seen = free_port(0), list[int | None]()

    def answered() -> bool:
        seen.append(status_of(port))
        return seen[-1] == 200

    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(port), "--data", str(site.folder)]
    with subprocess.Popen([*command, "--workers", "1"], env=bare_environment(), stdout=subprocess.DEVNULL) as process:
        try:
            until(answered, PATIENCE, "a page")
        finally:
            process.terminate()
    assert [status for status, _ in groupby(seen)] == [None, 503, 200]


def status_of(port: int) -> int | None:
    """The status, or None where no connection is taken."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            return int(page.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except urllib.error.URLError:
        return None


def test_all_logs_are_in_one_time_zone_with_its_offset(resting: Platform) -> None:
    lines = {log.name: log.read_text().splitlines() for log in (resting.data.folder / "logs").glob("*.log")}
    assert {"postgres.log", "valkey.log", "dispatcher.log", "recorder.log", "worker-1.log"} <= lines.keys()
    timed = [line for log in lines.values() for line in log if re.search(r"\d\d:\d\d:\d\d", line)]
    assert len(timed) > 20
    assert not [line for line in timed if not re.search(r"\d{4}-\d\d-\d\d[T ][\d:]{8}\.\d{3} ?\+00:00", line)]


WITH_DEFAULT = """
import sys
from pathlib import Path
from tournaments.ops.launcher import main, sites
sites.DEFAULT = Path(sys.argv[1])
sys.exit(main.main(sys.argv[2:]))
"""


@pytest.mark.parametrize("command", ["createsuperuser --noinput", "backup file", "dump", "retention", "shell -c 1"])
def test_no_command_works_on_another_site_than_the_one_that_runs(
    command: str, resting: Platform, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITH_DEFAULT, tmp_path / "default", *command.split()],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=bare_environment(),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--data {resting.data.folder}    {resting.address.rstrip('/')}\n" in done.stderr
    assert not (tmp_path / "default").exists()


def test_a_command_names_the_address_that_the_site_runs_at(resting: Platform) -> None:
    """The dumps that it makes name it, too."""
    asked = "from django.conf import settings; print(settings.SITE_URL)"
    done = manage("shell", "-v", "0", "-c", asked, "--data", resting.data.folder)
    assert done.stdout.strip() == resting.address.rstrip("/")


@pytest.mark.parametrize("command", ["up", "health", "backup"])
def test_a_data_folder_that_cannot_be_one_is_refused_in_a_sentence(command: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = manage(command, "--data", tmp_path / "file")
    assert (done.returncode, done.stdout) == (2, "")
    sentence = f"{tmp_path / 'file'} cannot be the data folder (Not a directory). Name another one: --data DIR."
    assert done.stderr == f"{sentence}\n"


def test_a_port_that_is_taken_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = manage("up", "--port", str(port), "--data", tmp_path / "data")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Port {port} cannot be used")
    assert not (tmp_path / "data").exists()


def test_an_address_that_no_site_can_have_is_refused_before_anything_starts(tmp_path: Path) -> None:
    done = manage("up", "--port", "0", "--data", tmp_path / "data", SITE_URL="ftp://club.example")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("SITE_URL must be")
    assert not (tmp_path / "data").exists()


def test_who_stops_it_while_it_starts_sees_two_sentences_and_no_traceback(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, str(ROOT / "manage.py"), "up", "--port", "0", "--data", str(tmp_path / "data")]
    with out.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=bare_environment(), start_new_session=True)
    until(lambda: "Starting the database" in out.read_text(), PATIENCE, "the first line")
    process.terminate()
    assert process.wait(PATIENCE) == 130
    assert [line.split(maxsplit=1)[0] for line in out.read_text().splitlines()[-2:]] == ["Stopping:", "Stopped."]
    assert "Traceback" not in out.read_text()


def test_asking_for_help_makes_nothing(tmp_path: Path) -> None:
    done = manage("up", "--help", "--data", tmp_path / "data")
    assert done.returncode == 0
    assert "--matches" in done.stdout
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("EMAIL_URL", "mail.example"),
        ("SITE_TIME_ZONE", "Berlin"),
        ("PROXIES", "many"),
        ("SIGN_ON", "{"),
        ("DEBUG", "yes"),
        ("BOARDROOM_GAMES", "no_such_game"),
    ],
)
def test_a_bad_setting_is_refused_before_anything_is_made(tmp_path: Path, name: str, text: str) -> None:
    done = manage("up", "--port", "0", "--data", tmp_path / "data", **{name: text})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(name)
    assert not (tmp_path / "data").exists()


def test_an_option_that_makes_no_sense_is_refused_before_anything_starts(tmp_path: Path) -> None:
    done = manage("up", "--port", "99999", "--data", tmp_path / "data")
    assert done.returncode == 2
    assert "'99999' is not a whole number from 0 to 65535" in done.stderr
    assert not (tmp_path / "data" / "postgres" / "cluster").exists()


@pytest.mark.parametrize(
    ("option", "value", "least"), [("--port", "-1", 0), ("--workers", "0", 1), ("--matches", "many", 1)]
)
def test_numbers_have_bounds(option: str, value: str, least: int) -> None:
    with pytest.raises(CommandError, match=f"{option}: '{value}' is not a whole number from {least} to"):
        Command().create_parser("manage.py", "up").parse_args([f"{option}={value}"])


def test_a_database_that_cannot_be_reached_is_named_in_a_sentence(tmp_path: Path) -> None:
    done = manage("up", "--port", "0", "--data", tmp_path / "data", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert done.returncode == 2
    assert "DATABASE_URL" in done.stderr
    assert "Traceback" not in done.stderr
