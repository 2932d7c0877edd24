"""Bots in Java: what a bundle of them may hold, and what their authors are told."""

from pathlib import Path

import pytest

from bots.bundle import read_bundle
from bots.contest import ContestError, find_contestant
from bots.languages import LANGUAGES, Missing
from tests.languages.played import against_honest, need, verdicts
from tests.languages.test_building import zipped
from tests.workers.hall import Site
from workers.match import Kit

# It answers every question with nothing, which the referee replaces: who reads its verdict sees that it played.
SOURCE = """
import java.io.*;
class Bot {
    public static void main(String[] given) throws IOException {
        System.err.println("my last words");
        var lines = new BufferedReader(new InputStreamReader(System.in));
        lines.readLine();
        System.out.println("{\\"t\\":\\"ready\\"}");
        while (lines.readLine() != null) { %s }
    }
}
"""
# What it does at its first question, its verdict, and some of what its owner is told.
DEEDS = {
    "it throws": ('throw new IOException("no plan");', "crashed", "java.io.IOException: no plan"),
    "it thinks for ever": ("for (;;);", "timed out", "s of CPU time"),
    "it takes all memory": (
        *("var all = new java.util.ArrayList<long[]>(); for (;;) all.add(new long[1 << 17]);", "out of memory"),
        "OutOfMemoryError: Java heap space",
    ),
    "it starts a program": ('new ProcessBuilder("/bin/true").start();', "crashed", "Operation not permitted"),
    "it reads the host's users": ('new FileReader("/etc/passwd");', "crashed", "/etc/passwd"),
    "it speaks to others": ('new java.net.Socket("127.0.0.1", 80);', "crashed", "Permission denied"),
    "it stops": ("System.exit(3);", "crashed", "exit code 3"),
}
# What cannot be built, and what its author reads: the file, the line and the complaint.
FAILS = {
    "a mistake": ({"Bot.java": "class Bot {\n    int n = ;\n}\n"}, "Bot.java:2: error: illegal start of expression"),
    "a mistake in another file": ({"Bot.java": SOURCE % "", "src/Odd.java": "class Odd {"}, "src/Odd.java:1: error:"),
    "no class of the entry's name": ({"Bot.java": "class Other {}"}, "Bot.java: there is no class Bot in it"),
    "a package": ({"Bot.java": "package mine; class Bot {}"}, "there is no class Bot in it that is in no package"),
    "an invisible sign at the start": ({"Bot.java": "\u200bclass Bot {}"}, "Bot.java:1: error: illegal character"),
}


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        *(("class Mine {}", "Bot.java"), ("public class Mine {}", "Mine.java")),
        *((" public  final record It(int n) {}", "It.java"), ("// public class\npublic enum E {}", "E.java")),
        *(("public class Bot\r\n{}\r\n", "Bot.java"), ("publicclass X", "Bot.java")),
    ],
)
def test_a_single_file_is_called_as_its_public_class_is(source: str, entry: str) -> None:
    for sent in ("Mine.java", "other.JAVA"):
        manifest = read_bundle(source.encode(), sent).manifest
        assert (manifest.language, manifest.entry) == ("java", entry)


@pytest.mark.parametrize("deed", DEEDS)
def test_what_it_does_earns_its_verdict_and_the_evidence_shows_it(site: Site, kit: Kit, deed: str) -> None:
    need("java", kit)
    does, verdict, evidence = DEEDS[deed]
    report = against_honest(site, kit, SOURCE % does, "Bot.java")
    assert verdicts(report) == [verdict, "ok"]
    assert evidence in report.faults[0].detail + report.stderr[0].text
    assert "my last words" in report.stderr[0].text


@pytest.mark.parametrize("what", FAILS)
def test_what_cannot_be_built_is_shown_with_file_and_line(site: Site, kit: Kit, what: str, tmp_path: Path) -> None:
    need("java", kit)
    files, complaint = FAILS[what]
    report = against_honest(site, kit, zipped(files), "bot.zip")
    assert verdicts(report) == ["crashed", "ok"]
    assert complaint in report.stderr[0].text
    assert "The bot could not be built" in report.faults[0].detail
    (tmp_path / "bot.zip").write_bytes(zipped(files))
    with pytest.raises(ContestError) as error:
        find_contestant("zaibatsu", str(tmp_path / "bot.zip"), tmp_path / "store")
    assert error.value.code == "build_failed"
    assert complaint in str(error.value)
    assert str(tmp_path / "store") not in str(error.value)


def test_old_classes_and_a_second_main_are_no_part_of_the_program(site: Site, kit: Kit) -> None:
    """Windows' line ends do not matter either."""
    need("java", kit)
    files = {
        "Bot.java": (SOURCE % "throw new IllegalStateException(deep.Odd.it);").replace("\n", "\r\n"),
        "Main.java": SOURCE.replace("class Bot", "class Main") % "",
        "deep/Odd.java": 'package deep; public class Odd { public static String it = "odd"; }',
        "Bot.class": "no class at all",
    }
    report = against_honest(site, kit, zipped(files), "bot.zip")
    assert "IllegalStateException: odd" in report.stderr[0].text


def test_without_a_compiler_its_author_reads_which_package_has_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "Bot.java").write_text(SOURCE % "")
    with pytest.raises(Missing, match="no javac on the path"):
        LANGUAGES["java"].detect()
    with pytest.raises(ContestError, match="apt-get install default-jdk-headless") as error:
        find_contestant("zaibatsu", str(tmp_path / "Bot.java"), tmp_path / "store")
    assert error.value.code == "missing_language"
