"""The page that says which test holds which failure tells the truth about their names."""

import re

from tests.tournaments.ops.launcher.processes import ROOT

NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_test_that_the_page_names_exists() -> None:
    named = NAMED.findall((ROOT / "tests" / "faults" / "README.md").read_text())
    assert len(named) >= 12
    assert [f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text()] == []


def test_the_table_has_a_line_for_each_of_twelve_failures() -> None:
    table = (ROOT / "tests" / "faults" / "README.md").read_text().partition("### Twelve failures")[2]
    assert sum(bool(NAMED.search(line)) for line in table.splitlines() if line.startswith("|")) == 12
