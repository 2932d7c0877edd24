"""The notebook and the script of the docs, run from a dump to standings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.tournaments.ledger.dumps.reading import stored, told_by_script
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World
from tournaments.ledger.dumps.dump import dump

NOTEBOOK = Path(__file__).parents[4] / "docs" / "notebooks" / "standings.ipynb"
SCRIPT = NOTEBOOK.with_suffix(".py")


@pytest.mark.django_db
def test_the_notebook_goes_from_a_dump_to_the_standings_to_a_plot(
    api_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump(api_world.ladder, tmp_path)
    monkeypatch.setenv("DATA", str(tmp_path / "main"))
    monkeypatch.setenv("PLOT", str(tmp_path / "plot.svg"))
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # noqa: S102  as a notebook does
    table = ask("GET", "ladders/main/standings").json()["standings"]
    assert [(row.bot, round(row.elo, 1)) for row in names["standings"]] == [(row["bot"], row["elo"]) for row in table]
    assert names["by_seat"].keys() == {0, 1}
    circles = ET.parse(tmp_path / "plot.svg").getroot().findall("{*}circle")  # noqa: S314  our own
    assert len(circles) == len(table)


def test_the_notebook_holds_no_output_of_anybodys_run() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


@pytest.mark.django_db
def test_the_script_makes_the_standings_of_two_files_and_nothing_of_ours(api_world: World, tmp_path: Path) -> None:
    made = dump(api_world.ladder, tmp_path)
    (tmp_path / "ledger.jsonl.gz").write_bytes(stored(made, tmp_path, "ledger.jsonl.gz"))
    (tmp_path / "manifest.json").write_text(json.dumps(made.manifest))
    command = [sys.executable, "-I", str(SCRIPT), tmp_path.as_uri()]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    table = ask("GET", "ladders/main/standings").json()["standings"]
    assert printed.splitlines() == told_by_script(table)
