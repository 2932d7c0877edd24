"""Starting points of a bot of a game: a sample, the first bot of the manual, an empty file. And a version's files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.contest import sample_files
from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.models import Version

EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Start:
    """`key` names it in a form."""

    key: str
    title: str
    about: str
    filename: str
    source: str

    @property
    def is_sample(self) -> bool:
        """Return whether it is a sample, of which the program says what it does, in English."""
        return not isinstance(self.about, Sentence)


@cache
def starts(game: str) -> list[Start]:
    """Return the starting points of a game, the easiest first: Python, and of that the shortest."""
    samples = sorted(_samples(game), key=lambda start: (start.filename != "bot.py", len(start.source)))
    return [*_first(game), *samples, _empty()]


def start_of(game: str, key: str) -> Start:
    """Return the starting point with this key. Raises Refused: unknown_start."""
    start = next((start for start in starts(game) if start.key == key), None)
    if start is None:
        raise Refused(
            "unknown_start", "a bot cannot begin from %(key)s; choose one of those on the page", key=f"{key:.40}"
        )
    return start


def files_of_version(version: Version) -> dict[str, str | None]:
    """Return the files of the version's bundle by path; None for a file that is no text."""
    try:
        files = read_bundle(bytes(version.bundle.content), version.filename).files
    except BundleError:  # of rules that were looser once
        return {}
    return {path: _text(content) for path, content in files.items()}


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _first(game: str) -> Iterator[Start]:
    """Yield the complete bot that `docs/write-a-bot.md` begins with, for the game that it is about."""
    page = settings.ROOT / "docs" / "write-a-bot.md"
    program = re.search(r"```python\n(.*?)```", page.read_text() if page.is_file() else "", re.DOTALL)
    if program and f"engine.games.{game} " in program[1]:
        about = Sentence("Ten lines that win most matches against bots that play at random.")
        yield Start("first", Sentence("The first bot of the manual"), about, "bot.py", program[1])


def _samples(game: str) -> Iterator[Start]:
    for name, path in sample_files(game).items():
        text = path.read_text()
        yield Start(name, Sentence("The sample %(name)s", name=name), _about(text), f"bot{path.suffix}", text)


def _about(text: str) -> str:
    """Return the first paragraph of a program's first comment or docstring, in one line."""
    comment = re.match(r'(?:"""|/\*+|//)\s*(.*?)(?:"""|\*/|\n\s*\n|\n(?!//))', text, re.DOTALL)
    words = re.sub(r"\n\s*(?://|\*)?\s*", " ", comment[1]) if comment else ""
    return words.strip()


def _empty() -> Start:
    return Start(EMPTY, Sentence("An empty file"), Sentence("For those who need no example."), "bot.py", "")
