"""pytest plugin (`-p tests.servers`): real servers for the whole run, named before Django reads its settings.

What DATABASE_URL and REDIS_URL name is used; for what they do not name there is a private server in a temporary folder.
It is started once there is a test that needs it; with `-n` before the workers, so that the database is made meanwhile.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tournaments.ops.launcher.copied_postgres import CopiedPostgres
from tournaments.ops.launcher.embedded_server import Server
from tournaments.ops.launcher.postgres import NAME
from tournaments.ops.launcher.valkey import Valkey
from workers.addresses import redis_address

ROOT = Path(__file__).resolve().parents[1]
SERVERS: dict[str, type[CopiedPostgres | Valkey]] = {"DATABASE_URL": CopiedPostgres, "REDIS_URL": Valkey}
FOR_TESTS = {
    "PAGE_REQUESTS": "1000000",  # all tests ask from one address
    "SECRET_KEY": "for tests alone, nothing of worth is signed with it",
    "WORKER_TOKEN": "a worker under test",
    "SPOT_CHECKS": "0",
}
# Rooms whose tests ask no server, unless one has a database among its fixtures.
WITHOUT = tuple(ROOT / "tests" / room for room in ("engine", "fleet", "games", "bots/formats", "bots/viewer"))

servers: list[Server] = []  # our own
making: list[subprocess.Popen[bytes]] = []  # the database that is copied


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """pytest-django imports the settings in this hook, so a conftest.py would come too late."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as Ctrl-C does: with the servers stopped
    if worker := os.environ.pop("PYTEST_XDIST_WORKER", ""):  # not for a run that a test of this worker starts
        os.environ["TEST_PROCESS"] = str(1 + int(worker.removeprefix("gw")))
    if process := os.environ.get("TEST_PROCESS"):  # one of several, in a database of its own
        os.environ["REDIS_URL"] = apart(int(process))
        return
    os.environ["RUN_FOLDER"] = folder = tempfile.mkdtemp(prefix="boardroom-run-")  # what its processes find out once
    atexit.register(shutil.rmtree, folder)
    for name, value in FOR_TESTS.items():
        os.environ.setdefault(name, value)
    if missing := [variable for variable in SERVERS if variable not in os.environ]:
        name_own(missing, Path(tempfile.mkdtemp(prefix="boardroom-tests-")))


def apart(process: int) -> str:
    """Return the address of a database of its own in the one broker (`tests.workers.hall` has those from 8 on)."""
    return redis_address(f"{os.environ['REDIS_URL'].partition('?')[0]}?db={1 + process % 7}")


def name_own(missing: list[str], home: Path) -> None:
    home.chmod(0o711)  # the servers close their own folders, and as root the database's belongs to nobody
    atexit.register(stop, home)
    for variable in missing:
        name = variable.lower()
        servers.append(SERVERS[variable](home / name, home / f"{name}.log", durable=False))
        os.environ[variable] = servers[-1].url


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """While the workers collect the tests, the database is made that each of them copies."""
    config = session.config
    if config.getoption("numprocesses", 0) and not (os.environ.get("TEST_PROCESS") or config.option.collectonly):
        start()
        making.append(database("ready"))


def pytest_sessionfinish() -> None:
    if os.environ.get("TEST_PROCESS"):
        return
    for process in making:
        process.wait()
    if not servers and "READY_DATABASE" in os.environ:
        database("gone").wait()


def pytest_collection_finish(session: pytest.Session) -> None:
    if not (os.environ.get("TEST_PROCESS") or making) and any(map(needs_servers, session.items)):
        start()


def needs_servers(item: pytest.Item) -> bool:
    return "_django_db_helper" in getattr(item, "fixturenames", ()) or not any(
        item.path.is_relative_to(room) for room in WITHOUT
    )


def start() -> None:
    os.environ["READY_DATABASE"] = f"boardroom_ready_{os.getpid()}"
    is_copied = any(isinstance(server, CopiedPostgres) for server in servers)
    os.environ["READY_TEMPLATE"] = NAME if is_copied else "template0"  # ours has all tables, if its cluster is a copy
    for server in servers:
        server.start()


def database(task: str) -> subprocess.Popen[bytes]:
    """A process of its own makes the one that is copied, or drops it."""
    named = {**os.environ, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    return subprocess.Popen([sys.executable, "-m", "tests.database", task], cwd=ROOT, env=named)


def stop(home: Path) -> None:
    for server in reversed(servers):
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)
    shutil.rmtree(home)


def pytest_report_header() -> str:
    return f"servers: {', '.join(server.program.name for server in servers) or 'as the environment names them'}"
