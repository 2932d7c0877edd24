"""pytest plugin (`-p tests.servers`): real servers for the whole run, before Django reads its settings.

What DATABASE_URL and REDIS_URL name is used; for what they do not name a private server is started in a temporary
folder. The controlling process does so once; the processes of xdist inherit the addresses.
"""

import atexit
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from tournaments.launcher.embedded_server import Server
from tournaments.launcher.postgres import Postgres
from tournaments.launcher.valkey import Valkey

SERVERS: dict[str, type[Postgres | Valkey]] = {"DATABASE_URL": Postgres, "REDIS_URL": Valkey}
FOR_TESTS = {
    "PAGE_REQUESTS": "1000000",  # all tests ask from one address
    "SECRET_KEY": "for tests alone, nothing of worth is signed with it",
    "WORKER_TOKEN": "a worker under test",
    "SPOT_CHECKS": "0",
}

running: list[Server] = []


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """pytest-django imports the settings in this hook, so a conftest.py would come too late."""
    if process := os.environ.get("PYTEST_XDIST_WORKER"):
        apart(int(process.removeprefix("gw")))
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as Ctrl-C does: with the servers stopped
    for name, value in FOR_TESTS.items():
        os.environ.setdefault(name, value)
    if missing := [variable for variable in SERVERS if variable not in os.environ]:
        start(missing, Path(tempfile.mkdtemp(prefix="boardroom-tests-")))


def apart(process: int) -> None:
    """Each process of xdist has a database of its own in the one broker (`tests.workers.hall` has those from 8 on)."""
    if "?" not in os.environ["REDIS_URL"]:
        os.environ["REDIS_URL"] += f"?db={1 + process % 7}"


def start(missing: list[str], home: Path) -> None:
    home.chmod(0o711)  # the servers close their own folders, and as root the database's belongs to nobody
    atexit.register(stop, home)
    for variable in missing:
        kind = SERVERS[variable]
        name = kind.__name__.lower()
        server = kind(home / name, home / f"{name}.log", durable=False)
        running.append(server)
        server.start()
        os.environ[variable] = server.url


def stop(home: Path) -> None:
    for server in reversed(running):
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)
    shutil.rmtree(home)


def pytest_report_header() -> str:
    return f"servers: {', '.join(server.program.name for server in running) or 'as the environment names them'}"
