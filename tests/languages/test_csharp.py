"""Bots in C#, which play at home alone: by Mono and by .NET, where they are."""

import json
import shutil
from pathlib import Path

import pytest

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.command.main import main
from bots.contest import ContestError, find_contestant
from bots.languages import LANGUAGES
from tests.languages.test_building import zipped

CSHARP = LANGUAGES["csharp"]
SOURCE = CSHARP.trial.decode()
TOOLS = {"mono": ("mcs", "mono"), "dotnet": ("dotnet",)}
Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "data",
    [
        SOURCE.encode(),
        zipped({"Bot.cs": SOURCE}),
        zipped({"bot.toml": 'language = "csharp"\nentry = "it.cs"', "it.cs": SOURCE}),
    ],
)
def test_a_site_takes_none_and_says_what_it_takes(data: bytes) -> None:
    name = "bot.zip" if data.startswith(b"PK") else "bot.cs"
    with pytest.raises(BundleError, match=r"C# play at home alone; a site takes \.py, .*\.java or a static") as error:
        read_bundle(data, name)
    assert error.value.code == "home_only"
    assert read_bundle(data, name, at_home=True).manifest.language == "csharp"


def test_without_a_compiler_its_author_reads_which_package_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "Bot.cs").write_text(SOURCE)
    with pytest.raises(ContestError, match=r"no mcs with mono, and no dotnet .*apt-get install mono-mcs") as error:
        find_contestant("zaibatsu", str(tmp_path / "Bot.cs"), tmp_path / "store")
    assert error.value.code == "missing_language"


@pytest.mark.usefixtures("any_core")
@pytest.mark.parametrize("tool", TOOLS)
def test_a_new_bot_plays_by_each_tool(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    only(tool, monkeypatch, tmp_path)
    assert main(["new", "zaibatsu", str(tmp_path / "bot"), "--lang", "csharp"]) == 0
    page = (tmp_path / "bot" / "README.md").read_text()
    assert "no site takes C#" in page
    assert "submit" not in page
    capsys.readouterr()
    assert main(["play", "zaibatsu", str(tmp_path / "bot"), "random", "--games", "2", "--json"]) == 0
    assert [bot["faults"] for bot in json.loads(capsys.readouterr().out)["bots"]] == [{}, {}]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_mistake_is_shown_with_its_file_and_line(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(tool, monkeypatch, tmp_path)
    assert main(["new", "zaibatsu", str(tmp_path / "bot"), "--lang", "csharp"]) == 0
    (tmp_path / "bot" / "Odd.cs").write_text("class Odd\r\n{\r\n    int n = ;\r\n}\r\n")
    with pytest.raises(ContestError, match=r"Odd\.cs\(3,\d+\): error CS1525") as error:
        find_contestant("zaibatsu", str(tmp_path / "bot"), tmp_path / "store")
    assert error.value.code == "build_failed"


def only(tool: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A path on which there is this tool and no other, but for the system's shell."""
    commands = folder / "commands"
    commands.mkdir()
    for name in (*TOOLS[tool], "sh"):
        if not (path := shutil.which(name)):
            pytest.skip(f"NOT TESTED: bots in C# by {tool}: there is no {name}. {CSHARP.remedy}")
        (commands / name).symlink_to(Path(path).resolve() if tool == "dotnet" else path)
    monkeypatch.setenv("PATH", str(commands))
