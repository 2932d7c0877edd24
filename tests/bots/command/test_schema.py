"""`boardroom schema`: on stdout, or a file of each."""

import json
from pathlib import Path

import pytest

from bots.command.main import main
from bots.declarations import declarations
from bots.schemas import schemas
from engine.games.zaibatsu import ZAIBATSU

Captured = pytest.CaptureFixture[str]


def test_all_schemas_of_a_game_are_printed_by_name(capsys: Captured) -> None:
    assert main(["schema", "zaibatsu"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(schemas(ZAIBATSU)))


def test_each_becomes_a_file_of_a_folder(tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "new" / "schemas"
    assert main(["schema", "zaibatsu", "--out", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["folder"], report["game"], report["rules"]) == (str(folder), "zaibatsu", ZAIBATSU.version)
    assert {path.name for path in folder.iterdir()} == set(report["files"])
    for name, schema in schemas(ZAIBATSU).items():
        assert json.loads((folder / f"{name}.json").read_text()) == json.loads(json.dumps(schema))
    assert (folder / "boardroom-zaibatsu.d.ts").read_text() == declarations(ZAIBATSU)
    assert len(report["files"]) == len(schemas(ZAIBATSU)) + 1
    assert main(["schema", "zaibatsu", "--out", str(folder)]) == 0
    assert "17 schemas, and the TypeScript declarations, of Zaibatsu, rules 1" in capsys.readouterr().out


def test_a_folder_that_cannot_be_made_is_a_sentence_with_a_code(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("mine")
    assert main(["schema", "zaibatsu", "--out", str(tmp_path / "file")]) == 2
    assert "[is_file]" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"
