"""A run of the tests that is interrupted leaves neither a process nor a folder."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import thorough
from tests.launcher.processes import ROOT, bare_environment, descendants, still_there, until

ENDLESS = """
import threading

def test_endless():
    print("begun", flush=True)
    threading.Event().wait(300)
"""


SIGTERM = pytest.param(
    signal.SIGTERM,
    marks=thorough.only("tests/launcher/test_interrupted.py::test_an_interrupted_run_of_the_tests_leaves_nothing"),
)


@pytest.mark.parametrize("sent", [signal.SIGINT, SIGTERM])
def test_an_interrupted_run_of_the_tests_leaves_nothing(sent: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS)
    servers = tmp_path / "servers"
    servers.mkdir()
    out = tmp_path / "out"
    forked = ("--processes", "2")  # as a run of everything
    command = [sys.executable, "-m", "pytest", "-s", *forked, "-c", "pyproject.toml", str(tmp_path / "test_endless.py")]
    with out.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=log, stderr=log, env=bare_environment(TMPDIR=str(servers)), start_new_session=True
        )
    until(lambda: "begun" in out.read_text() or process.poll() is not None, 60, "the start of the test")
    known = descendants(process.pid)
    for server in ("postgres", "valkey"):
        assert any(server in what for what in known.values()), out.read_text()
    os.killpg(process.pid, sent)
    process.wait(60)
    until(lambda: not still_there(known), what="the end of the servers")
    assert not list(servers.glob("boardroom-tests-*"))
