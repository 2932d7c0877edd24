"""Sentences that are stored as English texts, found again: of the rules, of faults and of checks of uploads.

Which there are, stands in `fault_sentences.json`, which `python3 -m tests.tournaments.web.pages.fault_sentences`
writes. A text is read line by line, and the reading counts that explains most of its letters. What bots wrote stays as
it is.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from bots.table import LAST_LINES
from engine.sentences import Sentence, listed
from tournaments.core.config.sentence_templates import Template

LAST_WRITTEN: Final = Sentence("The last it wrote on stderr:")  # what follows is the bot's own
FORMER: Final = (
    Sentence("gave no answer for %(waited)s s and used %(used)s s of CPU time", waited="", used=""),
    Sentence("%(reason)s; not one byte came: end each line, and flush it", reason=""),
)
AGAIN_OURS: Final = ("It was asked: ", "It answered: ", LAST_WRITTEN)  # after the last lines of a bot
INNER: Final = ("how", "known", "listed", "other", "others", "reason", "verdict")  # what may be a sentence itself
LISTS: Final = ("; ", ", ")
MOST_TRIES: Final = 50_000


class Reading(NamedTuple):
    """What a text may have been made of, and how many letters of it our own words explain."""

    explained: int
    sentence: Sentence


@cache
def templates() -> tuple[Template, ...]:
    stored = json.loads(Path(__file__).with_name("fault_sentences.json").read_text())
    return tuple(map(Template.of, stored))


def sentence_of_text(text: str) -> Sentence:
    """The whole text, for whoever shows it in another language: what was no sentence of ours stays."""
    parts, is_theirs = list[str](), False
    lines = text.split("\n")
    last = lines.index(LAST_WRITTEN) + 1 if LAST_WRITTEN in lines else len(lines)
    for line in lines[:last]:
        is_theirs = is_theirs and not line.startswith(AGAIN_OURS)
        parts.append(line if is_theirs else _line(line))
        is_theirs |= line == LAST_LINES
    return listed([*parts, *lines[last:]], Sentence("none"), "\n")


@lru_cache(1000)
def _line(line: str) -> str:
    """A line of its own begins with words."""
    try:
        reading = Reader().read(line)
    except TooMuch:
        return line
    return reading.sentence if reading else line


class TooMuch(Exception):
    """A line that could be read in so many ways is none of ours: it was made for that."""


@dataclass(slots=True)
class Reader:
    """Of one line, whoever wrote it."""

    tries: int = 0

    def read(self, line: str) -> Reading | None:
        return _best(reading for reading in self._readings(line) if not reading.sentence.sentence.startswith("%("))

    def _readings(self, text: str) -> Iterator[Reading]:
        self.tries += len(templates())
        if self.tries > MOST_TRIES:
            raise TooMuch
        for template in templates():
            values = template.filled(text)
            if values is not None:
                yield self._filled_in(template, values)

    def _filled_in(self, template: Template, values: Mapping[str, str]) -> Reading:
        inner = {name: part for name, value in values.items() if name in INNER and (part := self._inner(value))}
        explained = template.letters + sum(reading.explained for reading in inner.values())
        sentences = {name: reading.sentence for name, reading in inner.items()}
        return Reading(explained, Sentence(template.sentence, **{**values, **sentences}))

    def _inner(self, text: str) -> Reading | None:
        """A sentence, or a list with some in it."""
        lists = (self._list(text.split(between), between) for between in LISTS if between in text)
        return _best((*self._readings(text), *lists))

    def _list(self, parts: list[str], between: str) -> Reading | None:
        readings = [None if part.isdecimal() else _best(self._readings(part)) for part in parts]
        explained = sum(reading.explained for reading in readings if reading)
        items = [reading.sentence if reading else part for reading, part in zip(readings, parts, strict=True)]
        return Reading(explained, listed(items, Sentence("none"), between)) if explained else None


def _best(readings: Iterable[Reading | None]) -> Reading | None:
    return max(filter(None, readings), key=lambda reading: reading.explained, default=None)
