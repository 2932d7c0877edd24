"""`manage.py doctor` tries what the platform needs, and says what to do about what does not work."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bots.languages import LANGUAGES
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment
from tournaments.management.commands.doctor import bots_in, room
from workers.sandbox.arena import Arena


def doctor(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "manage.py"), "doctor"]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=bare_environment(**environment))


@pytest.fixture(scope="module")
def doctor_here() -> subprocess.CompletedProcess[str]:
    """It looks at every language and tier: once for all that is asked of this machine as it is."""
    return doctor(MIN_SANDBOX="")


def test_all_that_the_platform_needs_works_here(doctor_here: subprocess.CompletedProcess[str]) -> None:
    done = doctor_here
    assert done.returncode == 0, done.stdout
    assert re.search(
        r"PostgreSQL 1\d\.\d+, built in\n +In public, name one in DATABASE_URL that gets its updates", done.stdout
    )
    works = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("ok")]
    assert {"Python", "PostgreSQL", "Valkey", "sandbox", "bots"} <= set(works)
    for language in ("python", "javascript", "c", "c++", "static"):
        assert f"bots in {language} " in done.stdout


def test_what_cannot_be_a_data_folder_is_not_called_ok(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert room(tmp_path / "new").works
    for data in (tmp_path / "file", tmp_path / "file" / "below"):
        finding = room(data)
        assert (finding.works, f"{data} cannot be the data folder (Not a directory)" in finding.detail) == (False, True)


def test_what_does_not_work_is_named_with_its_remedy_and_an_exit_code() -> None:
    done = doctor(DATABASE_URL="postgresql://x@127.0.0.1:1/x", REDIS_URL="redis://127.0.0.1:1", MIN_SANDBOX="cotton")
    assert done.returncode == 1
    missing = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("missing")]
    assert {"PostgreSQL", "Valkey", "sandbox"} <= set(missing)
    assert "Check DATABASE_URL" in done.stdout
    assert "cannot run here" in done.stderr


def test_every_tier_of_the_sandbox_is_tried_and_the_one_taken_is_named_with_the_minimum(
    doctor_here: subprocess.CompletedProcess[str],
) -> None:
    done = doctor(SANDBOX="pure", MIN_SANDBOX="")
    lines = {line[9:28].strip(): line for line in done.stdout.splitlines()}
    tiers = [name for name in lines if name.startswith("tier ")]
    assert tiers == ["tier namespaces", "tier landlock", "tier pure", "tier wasm"]
    assert all(lines[name].startswith("ok") or "The tier" in lines[name] for name in tiers)
    assert "pure" in lines["sandbox"]
    assert "SANDBOX asks for pure" in lines["sandbox"]
    assert "the least allowed is landlock" in doctor_here.stdout


def test_a_tool_that_is_here_and_does_not_run_in_the_sandbox_is_not_called_ok(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12's Rust is so: it looks for itself in /proc."""
    program = tmp_path / "node"
    program.write_text("#!/bin/sh\necho v99.0.0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    store = tmp_path / "store"
    store.mkdir()
    with Arena.start(store) as arena:
        finding = bots_in(LANGUAGES["javascript"], arena)
        assert bots_in(LANGUAGES["python"], arena).works
    assert not finding.works
    assert "Node 99.0.0 is here, but no site can play bots with it" in finding.detail
