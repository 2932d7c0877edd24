"""Starting points of a draft: empty, the first bot of the manual, a sample, or one of the user's versions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from bots.archive import BundleError
from bots.bundle import ENDINGS, read_bundle
from bots.contest import sample_files
from engine.sentences import Sentence
from tournaments.errors import Refused
from tournaments.features.drafts.rules import MOST
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
        """Its program says what it does, in English."""
        return not isinstance(self.about, Sentence)


@cache
def starts(game: str) -> list[Start]:
    """The easiest first: Python, and of that the shortest."""
    samples = sorted(_samples(game), key=lambda start: (start.filename != "bot.py", len(start.source)))
    return [*_first(game), *samples, _empty()]


def start_of(game: str, key: str) -> Start:
    """Raises Refused: unknown_start."""
    found = next((start for start in starts(game) if start.key == key), None)
    if found is None:
        raise Refused(
            "unknown_start", "a bot cannot begin from %(key)s; choose one of those on the page", key=f"{key:.40}"
        )
    return found


def source_of(version: Version) -> str | None:
    """Its text, if it is one file of a size that can be edited here."""
    if version.bundle.size > MOST:
        return None
    return files_of(version).get(f"bot{Path(version.filename).suffix.lower() or '.py'}") if _is_one(version) else None


def files_of(version: Version) -> dict[str, str | None]:
    """The files of its bundle by path; None for one that is no text."""
    try:
        files = read_bundle(bytes(version.bundle.content), version.filename).files
    except BundleError:  # of rules that were looser once
        return {}
    return {path: _text(content) for path, content in files.items()}


def editable(versions: QuerySet[Version]) -> list[Version]:
    """Versions that consist of one text file, judged by name and size."""
    few = versions.filter(bundle__size__lte=MOST).select_related("bot", "bundle").defer("bundle__content")
    return [version for version in few if _is_one(version)]


def _is_one(version: Version) -> bool:
    return Path(version.filename or "bot.py").suffix.lower() in ENDINGS


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _first(game: str) -> Iterator[Start]:
    """The complete bot that `docs/write-a-bot.md` begins with, for the game that it is about."""
    page = settings.ROOT / "docs" / "write-a-bot.md"
    found = re.search(r"```python\n(.*?)```", page.read_text() if page.is_file() else "", re.DOTALL)
    if found and f"engine.games.{game} " in found[1]:
        about = Sentence("Ten lines that win most matches against bots that play anyhow.")
        yield Start("first", Sentence("The first bot of the manual"), about, "bot.py", found[1])


def _samples(game: str) -> Iterator[Start]:
    for name, path in sample_files(game).items():
        text = path.read_text()
        yield Start(name, Sentence("The sample %(name)s", name=name), _about(text), f"bot{path.suffix}", text)


def _about(text: str) -> str:
    """The first paragraph of a program's first comment or docstring, in one line."""
    found = re.match(r'(?:"""|/\*+|//)\s*(.*?)(?:"""|\*/|\n\s*\n|\n(?!//))', text, re.DOTALL)
    words = re.sub(r"\n\s*(?://|\*)?\s*", " ", found[1]) if found else ""
    return words.strip()


def _empty() -> Start:
    return Start(EMPTY, Sentence("An empty file"), Sentence("For those who know how it goes."), "bot.py", "")
