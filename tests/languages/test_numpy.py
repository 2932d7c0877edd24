"""Bots that need NumPy: played where it is, found wherever it is, void where it is not."""

import json
import sys
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots.command.main import main
from bots.contest import ContestError, find_contestant
from bots.languages import LANGUAGES, Missing, Tool
from tests.languages.played import against_honest, verdicts
from tests.workers.hall import TOKEN, Site
from tournaments.management.commands.doctor import bots_in
from workers import languages
from workers.bundles import Shelf
from workers.match import Kit
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError

IN_EACH_TIER = True
NUMPY = LANGUAGES["numpy"]
BOT = """
import numpy as np
from bots.sdk import play

def choose(view, question):
    worth = np.ones(64) @ np.linalg.inv(np.eye(64)) @ np.random.default_rng().random(64)
    return question.default() if worth > 0 else None

play(choose)
"""


@pytest.fixture
def bare(tmp_path: Path) -> str:
    """A Python of its own, with the standard library alone."""
    venv.create(tmp_path / "bare", symlinks=True)
    return str(tmp_path / "bare" / "bin" / "python")


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch, bare: str) -> None:
    """Make it a machine where nobody has installed numpy."""
    monkeypatch.setattr(sys, "executable", bare)
    monkeypatch.setattr(sys, "_base_executable", bare)


@pytest.fixture
def store() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="boardroom-numpy-") as folder:
        Path(folder).chmod(0o755)  # so that a bot may have a user of its own
        (Path(folder) / "unpacked").mkdir()
        yield Path(folder) / "unpacked"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "counts.py").write_text(BOT)
    return tmp_path / "counts.py"


def a_package(folder: Path, name: str, version: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("raise ImportError('it was imported')")
    (folder / f"{name}-{version}.dist-info").mkdir()
    (folder / f"{name}-{version}.dist-info" / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")


def test_it_plays_and_is_charged_little(site: Site, kit: Kit) -> None:
    report = against_honest(site, kit, BOT, "bot.py")
    assert verdicts(report) == ["ok", "ok"]
    assert report.faults == []
    assert report.cpu_ms[0] < 20 * (report.cpu_ms[1] + 50)  # as always: NumPy was loaded before it began


def test_it_plays_where_there_are_no_files(site: Site, store: Path) -> None:
    with Arena.start(store, tier="pure") as arena:
        kit = Kit("tester/1", Shelf(store.parent, site.url, TOKEN), arena, {"numpy": NUMPY.detect()})
        assert verdicts(against_honest(site, kit, BOT, "bot.py")) == ["ok", "ok"]


def test_a_worker_without_numpy_is_to_blame_and_not_the_bot(site: Site, kit: Kit) -> None:
    report = against_honest(site, replace(kit, tools={}), BOT, "bot.py")
    assert (report.outcome, report.faults) == ("void", [])
    assert "needs numpy, which this worker does not have" in report.reason


def test_a_worker_offers_numpy_after_a_trial(kit: Kit) -> None:
    assert kit.tools["numpy"].version.startswith("NumPy 2.")
    assert [Path(path).name for path in kit.tools["numpy"].reads] == ["numpy", "numpy.libs"]


def test_a_numpy_that_does_not_work_in_the_sandbox_is_not_offered(arena: Arena, tmp_path: Path) -> None:
    a_package(tmp_path, "numpy", "2.0.0")
    with pytest.raises(SandboxError, match="it was imported"):
        languages.prove_language(arena, NUMPY, Tool(sys.executable, "NumPy 2.0.0", (str(tmp_path / "numpy"),)))


def test_numpy_is_found_without_importing_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_package(tmp_path, "numpy", "2.0.0")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert NUMPY.detect().reads == (str(tmp_path / "numpy"),)


def test_an_old_numpy_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_package(tmp_path, "numpy", "1.26.4")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(Missing, match=r"has NumPy 1\.26\.4; bots need 2 or newer"):
        NUMPY.detect()


def test_the_base_python_is_asked_after_our_own(monkeypatch: pytest.MonkeyPatch, bare: str) -> None:
    has_it = sys.executable
    monkeypatch.setattr(sys, "executable", bare)
    monkeypatch.setattr(sys, "_base_executable", has_it)
    assert NUMPY.detect().command == has_it


@pytest.mark.usefixtures("any_core")
def test_it_plays_at_home(bot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "zaibatsu", str(bot), "random", "--games", "2", "--json"]) == 0
    assert [bot["faults"] for bot in json.loads(capsys.readouterr().out)["bots"]] == [{}, {}]


@pytest.mark.usefixtures("without_numpy")
def test_at_home_without_numpy_its_author_reads_what_to_do(bot: Path, tmp_path: Path) -> None:
    with pytest.raises(ContestError, match=r"is in Python with NumPy: .* has no NumPy\. .*pip .*install") as error:
        find_contestant("zaibatsu", str(bot), tmp_path)
    assert error.value.code == "missing_language"


def test_doctor_names_the_version() -> None:
    assert bots_in(NUMPY, None).detail == NUMPY.detect().version


@pytest.mark.usefixtures("without_numpy")
def test_doctor_says_how_to_install_it_and_can_do_without() -> None:
    finding = bots_in(NUMPY, None)
    assert (finding.works, finding.vital) == (False, False)
    assert "install 'numpy>=2'" in finding.remedy
