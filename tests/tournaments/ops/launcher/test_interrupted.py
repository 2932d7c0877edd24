"""A run of the tests that is interrupted leaves neither a process nor a folder."""

import os
import signal
import subprocess
import sys
from operator import ne
from pathlib import Path

import pytest

from tests.tournaments.ops.launcher.processes import ROOT, bare_environment, descendants, still_there, until

ENDLESS = """
import os, pathlib, pytest, threading
from django.db import connection

@pytest.fixture(scope="session")
def washed():
    yield
    pathlib.Path(os.environ["TMPDIR"], f"washed-{os.getpid()}").touch()

@pytest.mark.django_db
@pytest.mark.parametrize("number", range(2))
def test_endless(number, washed):
    own = connection.settings_dict["NAME"], os.environ["REDIS_URL"]
    pathlib.Path(os.environ["TMPDIR"], f"begun-{number}").write_text(" ".join(own))
    threading.Event().wait(300)
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_of_the_tests_leaves_nothing(sent: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS)
    servers = tmp_path / "servers"
    servers.mkdir()
    out = tmp_path / "out"
    workers = ("-n", "2", "--dist", "worksteal")  # as in a run of everything
    command = [sys.executable, "-m", "pytest", *workers, "-c", "pyproject.toml", str(tmp_path / "test_endless.py")]
    with out.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=log, env=bare_environment(TMPDIR=str(servers)), start_new_session=True
        )
    begun = [servers / f"begun-{number}" for number in range(2)]
    until(lambda: all(map(Path.exists, begun)) or process.poll() is not None, 120, "the start of the tests")
    processes = descendants(process.pid)
    assert process.poll() is None, out.read_text()
    databases = [path.read_text().split() for path in begun]
    assert all(map(ne, *databases)), "each worker has a database of its own in both servers"
    for server in ("postgres", "valkey"):
        assert any(server in what for what in processes.values()), out.read_text()
    os.killpg(process.pid, sent)
    process.wait(60)
    until(lambda: not still_there(processes), what="the end of the servers")
    assert not list(servers.glob("boardroom-tests-*"))
    assert len(list(servers.glob("washed-*"))) == 2
