"""The example of docs/environments.md, as it stands there: what it learns beats `random`."""

import subprocess
import sys
from pathlib import Path

from tests.docs.snippets import ROOT, snippet


def test_what_the_example_learns_beats_random(tmp_path: Path) -> None:
    script = tmp_path / "learn.py"
    script.write_text(snippet("docs/environments.md", "REINFORCE").text)
    root = {"PYTHONPATH": str(ROOT)}
    process = subprocess.run([sys.executable, script], env=root, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    before, after = (float(line.split()[1]) for line in process.stdout.splitlines())
    assert abs(before) < 0.15
    assert after > 0.2
