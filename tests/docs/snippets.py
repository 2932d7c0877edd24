"""The code that README and docs show, to be run as by a reader who copies it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Snippet:
    """One block of a page or, of a block of a shell, one command with the output that the page shows."""

    page: str
    line: int
    language: str
    text: str
    output: str = ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@cache
def snippets() -> list[Snippet]:
    """Return all of them, in the order of the pages."""
    return [part for page in PAGES for block in _blocks(page) for part in _parts(block)]


def snippet(page: str, words: str) -> Snippet:
    """Return the one of a page that has these words."""
    (chosen,) = (candidate for candidate in snippets() if candidate.page == page and words in candidate.text)
    return chosen


def _blocks(path: Path) -> Iterator[Snippet]:
    text = path.read_text()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Snippet(str(path.relative_to(ROOT)), line, match[2].strip(), dedent(match[3]))


def _parts(block: Snippet) -> Iterator[Snippet]:
    if block.language != "console":
        yield block
        return
    lines = block.text.splitlines(keepends=True)
    while lines:
        command = lines.pop(0).removeprefix("$ ")
        while command.endswith("\\\n") or command.count("(") > command.count(")"):
            command += lines.pop(0)
        output = ""
        while lines and not lines[0].startswith("$ "):
            output += lines.pop(0)
        yield Snippet(block.page, block.line, block.language, command, output)
