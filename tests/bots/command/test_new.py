"""`boardroom new`: what it makes plays without a fault, in every language and game."""

import json
import os
import subprocess
import sys
from functools import reduce
from pathlib import Path
from typing import Any, cast

import pytest

from bots.bundle import read_bundle
from bots.command.datagen import answer_rows
from bots.command.main import main
from bots.command.new import bot_name_of, uploaded_in
from bots.command.starters.first_answers import first_answers, parts
from bots.contest import packed_folder
from bots.declarations import declarations
from engine.games import GAMES
from engine.games.kaiju import KAIJU
from tests.games.record import recordings_of, replay_of
from tests.languages.played import need_new

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[3]
# Every game, in other languages: `test_in_each_language` has all of them.
PLAYED = [
    *(("zaibatsu", "python"), ("kaiju", "javascript"), ("shangzhou", "c"), ("gigabucks", "c++"), ("network", "java")),
]
SHORT = {
    "gigabucks": ["--option", "bidding=proxy", "--option", "max_rounds=3"],
    "shangzhou": ["--option", "max_turns=2"],
}


@pytest.mark.parametrize(("game", "language"), PLAYED)
def test_a_new_bot_plays_without_a_fault(game: str, language: str, tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "my bot"
    need_new(language)
    assert main(["new", game, str(folder), "--lang", language]) == 0
    bundle = read_bundle(packed_folder(folder), at_home=True)
    assert (bundle.manifest.language, bundle.manifest.name) == (uploaded_in(language), folder.name)
    capsys.readouterr()
    opponents = ["random"] * max(1, GAMES[game].players[0] - 1)
    assert main(["play", game, str(folder), *opponents, "--games", "2", *SHORT.get(game, []), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["bots"][0]["faults"] == {}, err
    assert json.loads(out)["bots"][0]["answers"] > 0


@pytest.mark.parametrize("game", GAMES)
def test_every_question_has_a_first_answer_that_is_legal(game: str) -> None:
    """Whatever was asked in the recorded games, and every kind of question was."""
    asked = [row["question"] for name in recordings_of(game) for row in answer_rows(name, replay_of(name), "")]
    for plain in asked:
        question = GAMES[game].read_question(plain)
        answer = json.loads("".join(filled(plain, *part) for part in parts(first_answers(game)[plain["t"]])))
        assert question.error(question.read(answer)) is None, (plain, answer)
    assert {plain["t"] for plain in asked} == set(first_answers(game)) == {kind.tag for kind in GAMES[game].questions}


def filled(question: dict[str, Any], sign: str, words: list[str]) -> str:
    """A piece of an answer, with what it refers to in the question."""
    if sign == "":
        return words[0]
    part = reduce(lambda value, name: value[int(name) if name.isdigit() else name], words, cast("Any", question))
    return json.dumps(part if sign == "$" else list(range(len(part))))


def test_a_bot_in_javascript_has_the_types_of_its_game_beside_it(tmp_path: Path, capsys: Captured) -> None:
    assert main(["new", "network", str(tmp_path / "bot"), "--lang", "javascript", "--json"]) == 0
    assert "boardroom-network.d.ts" in json.loads(capsys.readouterr().out)["files"]
    assert (tmp_path / "bot" / "boardroom-network.d.ts").read_text() == declarations(GAMES["network"])
    assert '@typedef {import("./boardroom-network").View} View' in (tmp_path / "bot" / "bot.js").read_text()
    page = (tmp_path / "bot" / "README.md").read_text()
    assert "`boardroom-network.d.ts` has all of them as types" in page
    assert '`{"action": {"t": ..., ...}}`' in page
    assert "default()" not in page, "that is Python's"


def test_the_readme_names_every_class_with_its_fields(tmp_path: Path) -> None:
    assert main(["new", "kaiju", str(tmp_path / "bot")]) == 0
    page = (tmp_path / "bot" / "README.md").read_text()
    for kind in (*KAIJU.questions, *KAIJU.events, KAIJU.view):
        assert f"### `{kind.__name__}`" in page
    assert "- `goes: list[int]`: who has yet to take a card this turn, the one at it first" in page
    assert "- `owed: Owed | None`" in page
    assert "Answered by `Build` or `Income` or `Rebuild`." in page
    assert "### `Player`" in page


def test_the_test_that_comes_with_it_passes_and_finds_a_bot_that_is_broken(tmp_path: Path) -> None:
    folder, commands = tmp_path / "bot", tmp_path / "bin"
    assert main(["new", "zaibatsu", str(folder)]) == 0
    commands.mkdir()
    script = commands / "boardroom"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m bots.command "$@"\n')
    script.chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"}
    command = [sys.executable, "-m", "unittest", "-q"]
    assert subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True).returncode == 0
    (folder / "bot.py").write_text("from bots.sdk import play\nplay(lambda view, question: None)\n")
    assert subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True).returncode == 1


def test_a_folder_that_is_not_empty_is_left_as_it_is(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "bot.py").write_text("mine")
    assert main(["new", "zaibatsu", str(tmp_path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "exists"
    assert (tmp_path / "bot.py").read_text() == "mine"
    assert main(["new", "zaibatsu", str(tmp_path / "bot.py")]) == 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [('odd "name"', "odd name"), ("back\\slash", "backslash"), ("x" * 90, "x" * 40), ("\n", "My bot")],
)
def test_a_folders_name_becomes_a_name_that_a_manifest_takes(name: str, shown: str) -> None:
    assert bot_name_of(name) == shown
