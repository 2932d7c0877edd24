"""On Windows itself every command of manage.py ends with the sentence that says what to use instead."""

import subprocess
import sys
from pathlib import Path

import pytest

import manage
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment

# What Windows has not is taken away. The modules named first choose by the system's name when they are imported.
WINDOWS = """
import contextlib, hashlib, importlib, os, runpy, shutil, ssl, subprocess, sys, venv
sys.modules["fcntl"] = sys.modules["resource"] = None
sys.platform, sys.argv = "win32", ["manage.py", *sys.argv[1:]]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.parametrize("command", ["up", "test", "doctor", "wasm", "help"])
def test_a_command_says_what_to_use_instead_and_does_nothing(command: str, tmp_path: Path) -> None:
    (tmp_path / "manage.py").write_text((ROOT / "manage.py").read_text())
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WINDOWS, command],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=bare_environment(),
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{manage.WINDOWS}\n")
    assert "WSL 2" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["manage.py"]
