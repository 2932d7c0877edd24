"""manage.py makes its environment: once, from the lock file, whatever happened before."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import manage
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment

LOCKS = [manage.PRODUCT, manage.TESTS, ROOT / "installer.lock"]
PINNED = re.compile(r"^([a-z0-9-]+)==([\w.]+)", re.MULTILINE)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Another checkout, whose lock file names nothing, so that no network is needed."""
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "manage.py", tmp_path)
    shutil.copy(ROOT / "installer.lock", tmp_path)
    for lock in ("requirements.lock", "tests/requirements.lock"):
        (tmp_path / lock).write_text("# nothing\n")
    return tmp_path


def install(checkout: Path, python: str = sys.executable, **environment: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / ".tools" / "bin"), os.environ["PATH"]])  # a uv, where there is one
    command = [python, str(checkout / "manage.py"), "install"]
    return subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=bare_environment(PATH=path) | environment, cwd=checkout
    )


def outcome(process: subprocess.Popen[str]) -> tuple[int, str]:
    errors = process.communicate(timeout=120)[1]
    return process.returncode, errors


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.relative_to(ROOT)))
def test_a_lock_pins_everything_by_hash_and_names_no_address(lock: Path) -> None:
    blocks = re.split(r"\n(?=\S)", lock.read_text())
    assert all(PINNED.match(block) and "--hash=sha256:" in block for block in blocks)
    assert "://" not in lock.read_text()


def test_the_lock_of_the_tests_holds_all_of_the_products() -> None:
    product, tests = (set(PINNED.findall(lock.read_text())) for lock in (manage.PRODUCT, manage.TESTS))
    assert product < tests


def test_this_run_uses_an_environment_made_from_the_lock() -> None:
    assert manage.is_ready(manage.TESTS)
    assert manage.is_ready(manage.PRODUCT)


@pytest.mark.parametrize("is_whole", [True, False])
def test_where_this_python_is_slow_the_systems_is_taken_if_it_can_be(
    is_whole: bool, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / f"python{sys.version_info.major}.{sys.version_info.minor}"
    system.write_text(f'#!/bin/sh\nexec {Path(sys.executable).resolve()} {"" if is_whole else "-c 1/0 "}"$@"\n')
    system.chmod(0o755)
    monkeypatch.setattr(os, "defpath", str(tmp_path))
    monkeypatch.setattr(manage, "VENV", checkout / ".venv")
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: "'--enable-shared'")
    manage.make_environment()
    assert subprocess.run([checkout / ".venv/bin/python", "-c", ""], check=False).returncode == 0
    assert (f"with {system}: {sys.executable} was compiled without" in capfd.readouterr().err) is is_whole
    monkeypatch.setattr(sysconfig, "get_config_var", lambda _: "'--enable-optimizations'")
    assert manage.quicker_python() is None


def test_a_second_time_nothing_is_installed(checkout: Path) -> None:
    assert outcome(install(checkout))[1].startswith("Installing")
    assert outcome(install(checkout)) == (0, "")


def test_a_changed_lock_is_installed(checkout: Path) -> None:
    outcome(install(checkout))
    (checkout / "requirements.lock").write_text("# still nothing\n")
    assert outcome(install(checkout))[1].startswith("Installing")


def test_what_an_interrupted_install_left_is_made_afresh(checkout: Path) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").write_text("half of a python")
    assert outcome(install(checkout))[0] == 0
    assert outcome(install(checkout)) == (0, "")


def test_an_environment_whose_python_is_gone_is_made_afresh(checkout: Path) -> None:
    outcome(install(checkout))
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert outcome(install(checkout))[0] == 0
    assert python.exists()


def test_of_two_that_start_together_one_installs_and_both_go_on(checkout: Path) -> None:
    both = [install(checkout), install(checkout)]
    codes, outputs = zip(*map(outcome, both), strict=True)
    assert codes == (0, 0)
    assert sorted(line.startswith("Installing") for line in outputs) == [False, True]


def test_without_a_network_a_sentence_says_what_is_needed(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(f"unheard-of==1.0 --hash=sha256:{'0' * 64}\n")
    code, errors = outcome(install(checkout, UV_OFFLINE="1", PIP_NO_INDEX="1", PIP_RETRIES="0"))
    assert code == 2
    assert "needs a connection" in errors
    assert "Traceback" not in errors


def test_with_neither_uv_nor_pip_a_sentence_says_so(checkout: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    code, errors = outcome(install(checkout, str(tmp_path / "bare" / "bin" / "python"), PATH="/nowhere"))
    assert code == 2
    assert "neither uv nor pip" in errors
    assert not (checkout / ".venv").exists()


def test_pip_alone_is_enough(checkout: Path) -> None:
    """Pip does all of it where fetching uv fails; a Python without pip says that it needs one of the two."""
    (checkout / "installer.lock").write_text(f"unheard-of==1.0 --hash=sha256:{'0' * 64}\n")
    base = str(Path(sys.executable).resolve())
    has_pip = subprocess.run([base, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0
    code, _ = outcome(install(checkout, base, PATH="/usr/bin:/bin", PIP_NO_INDEX="1", PIP_RETRIES="0"))
    assert code == (0 if has_pip else 2)
    assert not (checkout / ".tools" / "bin" / "uv").exists()


def test_safe_paths_and_other_folders_are_no_obstacle(tmp_path: Path) -> None:
    """`manage.py` and the processes that it starts import what lies beside it, wherever it is called."""
    environment = {"PYTHONSAFEPATH": "1", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(ROOT / "manage.py")]
    for arguments in (["help"], ["check"], ["test", "--version"], ["doctor", "--help"]):
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
