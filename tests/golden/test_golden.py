"""What the site, the games and the kit give now is what is stored."""

import re
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

from tests.golden.text import changes, page_lines, settled

OUTPUTS = Path(__file__).parent / "outputs"
ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 4_000_000
MOST_LINES, WIDTH = 50, 160  # of what is shown
WRITE = "If this is meant, write them again and look at the diff: python3 -m tests.golden"


@pytest.mark.django_db
def test_every_output_is_as_stored(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.golden", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    stored, made = files(OUTPUTS), files(tmp_path)
    if names := [name for name in sorted({*stored, *made}) if stored.get(name) != made.get(name)]:
        pytest.fail("\n".join([*differences(names, stored, made), WRITE]), pytrace=False)


def files(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}


def differences(names: list[str], stored: dict[str, str], made: dict[str, str]) -> list[str]:
    """Return a screen of lines: which files differ, and how the first of them do."""
    lines = [f"{len(names)} outputs differ: {', '.join(names)}"[: 4 * WIDTH]]
    for name in names:
        old, new = pieces(stored.get(name, "")), pieces(made.get(name, ""))
        lines += [line[:WIDTH] for line in unified_diff(old, new, f"stored {name}", f"now {name}", lineterm="", n=1)]
        if len(lines) > MOST_LINES:
            return [*lines[:MOST_LINES], "..."]
    return lines


def pieces(text: str) -> list[str]:
    """Return the lines, the long ones in pieces: so a difference in the middle of one is seen."""
    lines = (re.split(r"(?<=[,;.>]) ?", line) if len(line) > WIDTH else [line] for line in text.splitlines())
    return [piece for line in lines for piece in line]


def test_the_outputs_take_little_room() -> None:
    assert sum(len(text.encode()) for text in files(OUTPUTS).values()) < MOST_BYTES


def test_a_difference_in_a_long_line_is_shown_without_the_rest() -> None:
    line = ", ".join(f"word {number}" for number in range(100))
    shown = differences(["a", "b"], {"a": line, "b": "gone\n"}, {"a": line.replace("word 50", "another word")})
    assert shown[0] == "2 outputs differ: a, b"
    assert shown[4:8] == [" word 49,", "-word 50,", "+another word,", " word 51,"]
    assert shown[-1] == "-gone"
    assert len(differences(["a"], {"a": "\n".join("x" * 99)}, {})) == MOST_LINES + 1


def test_a_page_is_the_same_however_it_is_wrapped() -> None:
    pages = [
        '<main class="a b">\n\n <p> One   <b>word</b>\n more.</p> <ul><li>x</li>\n</ul></main>',
        '<main class="a  b"><p>One <b>word</b> more.</p><ul> <li> x </li></ul>\n\n</main>',
    ]
    assert len({*map(page_lines, pages)}) == 1
    assert page_lines(pages[0].replace("</b>\n more", "</b>more")) != page_lines(pages[0])
    assert "one\n  two" in page_lines("<pre>one\n  two</pre>")


@pytest.mark.parametrize(
    ("text", "settled_text"),
    [
        ("over 5\xa0minutes ago, 1\xa0hour, 3\xa0minutes", "over SOME TIME ago, SOME TIME"),
        ("5 minutes", "5 minutes"),
        ("2026-11-28T15:04:05.123456+00:00, 2026-11-28", "TIME, DATE"),
        (
            "28 November 2026, 15:04; 28. November 2026; 28 November, 15:04:05; 28 November",
            "DATE; DATE; DATE; 28 November",
        ),
        ('<time title="x">just now</time>', '<time title="x">SOME TIME</time>'),
        ("28 Nov 2027; 2. Dez. 2026", "DATE; DATE"),
        ("key0, keys", "KEY0, KEYs"),
    ],
)
def test_what_changes_by_itself_is_left_out(text: str, settled_text: str) -> None:
    assert settled(text, {"key": "KEY"}) == settled_text


def test_changes_say_what_is_different_and_not_where() -> None:
    assert changes("a\nb\nc\n", "a\nx\nc\n") == "  a\n- b\n+ x\n"
    assert changes("a\n", "a\n") == ""
