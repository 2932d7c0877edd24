"""Bots in TypeScript: their types hold, and whatever tool is here makes JavaScript of them that plays."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bots.command.main import main
from engine.games import GAMES
from tests.languages.played import need, strips_types

TOOLS = ("node", "esbuild", "tsc")
Captured = pytest.CaptureFixture[str]


def have(tool: str) -> str:
    """Return its path, or skip the test: nothing can be said of it."""
    if path := shutil.which(tool):
        return path
    pytest.skip(f"NOT TESTED: TypeScript by {tool}. Debian: apt-get install esbuild node-typescript")


def made(folder: Path, game: str = "zaibatsu") -> Path:
    assert main(["new", game, str(folder), "--lang", "typescript"]) == 0
    return folder


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [have("tsc"), "--noEmit"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def test_the_types_of_a_new_bot_hold(tmp_path: Path) -> None:
    assert checked(made(tmp_path / "bot", "gigabucks")).stdout == ""


def test_those_of_every_game_hold_and_an_answer_that_does_not_exist_is_found(tmp_path: Path) -> None:
    """One run checks all: what takes the compiler its time is the same for each."""
    for game in GAMES:
        made(tmp_path / game, game)
    bot = made(tmp_path / "wrong") / "bot.ts"
    bot.write_text(bot.read_text().replace('t: "bid", amount: 0', 't: "bid", amount: "all"'))
    settings = json.loads((bot.parent / "tsconfig.json").read_text())
    settings["files"] = [f"{name}/bot.ts" for name in (*GAMES, "wrong")]
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    [error] = [line for line in checked(tmp_path).stdout.splitlines() if "error" in line]
    assert re.match(r"wrong/bot\.ts\(\d+,\d+\): error .*'string' is not assignable to type 'number'", error)


@pytest.mark.usefixtures("any_core")
@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_makes_a_bot_that_plays(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    need("javascript")
    alone(monkeypatch, tmp_path, tool)
    folder = made(tmp_path / "bot")
    assert (folder / "bot.js").is_file()
    capsys.readouterr()
    assert main(["play", "zaibatsu", str(folder), "random", "--games", "2", "--json"]) == 0
    assert [bot["faults"] for bot in json.loads(capsys.readouterr().out)["bots"]] == [{}, {}]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_mistake_is_shown_with_its_file_and_line(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(tmp_path / "bot")
    alone(monkeypatch, tmp_path, tool)
    (folder / "bot.ts").write_text("const it: number =\n= 1;\n")
    built = subprocess.run(["node", "build.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 1
    assert "bot.ts" in built.stdout + built.stderr
    assert re.search(r"\b2\b|Expression expected", built.stdout + built.stderr)


def test_without_a_tool_it_is_said_which_package_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["new", "zaibatsu", str(tmp_path / "bot"), "--lang", "typescript", "--json"]) == 0
    said = capsys.readouterr()
    assert "apt-get install nodejs" in json.loads(said.out)["not_built"]
    assert "[missing_tool]" in said.err


def alone(monkeypatch: pytest.MonkeyPatch, folder: Path, tool: str) -> None:
    """A path on which there is Node, this tool and no other."""
    commands = folder / "commands"
    commands.mkdir()
    for name in {"node", tool}:
        (commands / name).symlink_to(have(name))
    if strips_types() != (tool == "node"):
        pytest.skip(f"NOT TESTED: TypeScript by {tool} with the Node that is here, which goes before or cannot")
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{commands}")
