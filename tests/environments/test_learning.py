"""The example of docs/environments.md, as it stands there: what it learns beats `random`."""

import re
import subprocess
import sys
from pathlib import Path

from tests import thorough

DOCS = Path(__file__).parents[2] / "docs/environments.md"


@thorough.only("tests/environments/test_environments.py::test_with_learners_a_batch_has_only_their_decisions")
def test_what_the_example_learns_beats_random(tmp_path: Path) -> None:
    (example,) = (
        code for code in re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL) if "REINFORCE" in code
    )
    script = tmp_path / "learn.py"
    script.write_text(example)
    root = {"PYTHONPATH": str(DOCS.parents[1])}
    told = subprocess.run([sys.executable, script], env=root, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    before, after = (float(line.split()[1]) for line in told.stdout.splitlines())
    assert abs(before) < 0.15
    assert after > 0.2
