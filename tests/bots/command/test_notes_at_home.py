"""Notes of a match at home: `play --notes` writes them, `watch --notes` shows them, and what is none is refused."""

import json
from pathlib import Path

import pytest

from bots.command.main import main

Captured = pytest.CaptureFixture[str]
TALKER = """from bots.sdk import note, play

def choose(view, question):
    note("asked", "ask", place="pile-1", number=7)
    return question.default()

play(choose)
"""


@pytest.fixture
def match(tmp_path: Path) -> list[str]:
    """The replay and the notes of one match, as arguments of watch."""
    (tmp_path / "talker.py").write_text(TALKER)
    replay, notes = tmp_path / "m.json", tmp_path / "m.notes.json"
    bots = [str(tmp_path / "talker.py"), "random", "random"]
    out = ["--replay", str(replay), "--notes", str(notes)]
    assert main(["play", "zaibatsu", *bots, "--games", "1", "--cores", "1", *out]) == 0
    return [str(replay), "--notes", str(notes)]


def test_they_stand_before_what_came_of_them(match: list[str], capsys: Captured) -> None:
    capsys.readouterr()
    assert main(["watch", *match, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = next(number for number, line in enumerate(lines) if "#ask asked [place=pile-1 number=7]" in line)
    assert " ~ seat 0 " in lines[first]
    assert "talker places" in lines[first + 1]
    assert lines[first].split()[0] == lines[first + 1].split()[0]


def test_another_seat_does_not_see_them(match: list[str], capsys: Captured) -> None:
    capsys.readouterr()
    assert main(["watch", *match, "--list", "--seat", "1"]) == 0
    assert "#ask" not in capsys.readouterr().out
    assert main(["watch", *match, "--json", "--seat", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "not_notes"),
        ("[]", "not_notes"),
        ('{"notes": [{"seat": 0}]}', "not_notes"),
        ('{"notes": [{"seat": "0", "answer": 1, "tag": "", "text": "", "mark": {}}]}', "not_notes"),
        ('{"notes": [{"seat": 0, "answer": 99999, "tag": "", "text": "", "mark": {}}]}', "other_match"),
        ('{"notes": [{"seat": 9, "answer": -1, "tag": "", "text": "", "mark": {}}]}', "other_match"),
    ],
)
def test_what_is_no_such_file_is_refused(match: list[str], capsys: Captured, content: str, code: str) -> None:
    Path(match[2]).write_text(content)
    assert main(["watch", *match, "--list"]) == 2
    assert f"[{code}]" in capsys.readouterr().err


def test_a_folder_is_refused_before_anything_is_played(tmp_path: Path, capsys: Captured) -> None:
    assert main(["play", "zaibatsu", "random", "random", "random", "--notes", str(tmp_path)]) == 2
    assert "[is_folder]" in capsys.readouterr().err
