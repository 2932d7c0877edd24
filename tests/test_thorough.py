"""How a run is asked for, and what it says of what was not tested."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.ops.launcher.processes import ROOT

THREE = """
import pytest
from hypothesis import settings
from tests.thorough import budget

def test_has_budgets() -> None:
    assert (budget(1, full=2), settings().max_examples) == {expected}

@pytest.mark.parametrize("number", range(2))
def test_needs_a_compiler(number: int) -> None:
    pytest.skip("NOT TESTED: bots in Algol")
"""
ALONE = ("-c", "pyproject.toml", "-o", "addopts=", "-p", "tests.conftest", "-p", "no:schemathesis")  # without servers


@pytest.mark.parametrize(
    ("options", "expected"), [((), (1, 25)), (("--full-budgets", "-n", "2", "--dist", "worksteal"), (2, 1000))]
)
def test_the_budgets_are_those_asked_for_and_the_summary_says_what_was_not_tested(
    tmp_path: Path, options: tuple[str, ...], expected: tuple[int, int]
) -> None:
    """The first run has a single process, as most people run a few; the second has several."""
    (tmp_path / "test_three.py").write_text(THREE.format(expected=expected))
    command = [sys.executable, "-m", "pytest", *ALONE, "-ra", *options, str(tmp_path / "test_three.py")]
    environment = {name: value for name, value in os.environ.items() if name != "TEST_PROCESS"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    *_, summary, last = done.stdout.splitlines()
    assert summary.startswith("SKIPPED [2] ")
    assert summary.endswith("NOT TESTED: bots in Algol")
    assert "1 passed, 2 skipped in " in last
