"""Searching the docs: sections that contain all words, those with them in their headings first."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tournaments.ledger.search.words import Words
from tournaments.web.pages.docs import PAGES, doc_source, doc_url, read_doc
from tournaments.web.pages.markdown import anchor_of

MOST, OF_A_PAGE = 8, 3  # sections
AROUND = 70  # characters shown before the first word found, and twice as many after it
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$")
MARKS = re.compile(r"[`*|]|\[|\]\([^)]*\)")  # of Markdown, which an excerpt is better without


@dataclass(frozen=True, slots=True)
class Section:
    page: str
    heading: str  # empty above the first heading of a page
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    title: str
    heading: str
    excerpt: str
    address: str


def search_docs(words: Words) -> list[Excerpt]:
    if not words:
        return []
    lowered = [word.lower() for word in words.each]
    ranked = [(score_of_section(section, lowered), section) for name in PAGES for section in doc_sections(name)]
    best = sorted((pair for pair in ranked if pair[0]), key=lambda pair: -pair[0])
    return [_excerpt(section, lowered) for section in _spread(section for _, section in best)][:MOST]


def _spread(best: Iterable[Section]) -> Iterator[Section]:
    """Yield at most a few sections of one page, so that others are seen."""
    taken: Counter[str] = Counter()
    for section in best:
        taken[section.page] += 1
        if taken[section.page] <= OF_A_PAGE:
            yield section


def score_of_section(section: Section, words: Sequence[str]) -> float:
    """Return 0 if a word is missing; a word in the title or in the heading is worth several in the text."""
    title, heading, text = read_doc(section.page).title.lower(), section.heading.lower(), section.text.lower()
    if not all(word in title or word in heading or word in text for word in words):
        return 0.0
    in_title = 5.0 if heading else 25.0  # what stands above the first heading leads to the whole page
    return sum(20.0 * (word in heading) + in_title * (word in title) + min(5, text.count(word)) for word in words)


def doc_sections(name: str) -> tuple[Section, ...]:
    return _sections(name, doc_source(name).stat().st_mtime_ns)


@lru_cache(maxsize=2 * len(PAGES))
def _sections(name: str, changed: int) -> tuple[Section, ...]:  # noqa: ARG001 - a page that changed is another page
    return tuple(_cut(name, doc_source(name).read_text("utf-8").splitlines()))


def _cut(name: str, lines: Sequence[str]) -> Iterator[Section]:
    heading, level, text, code = "", 0, list[str](), False
    for line in lines:
        code = code != line.startswith("```")
        if code or not (begun := HEADING.match(line)):
            text.append(line)
            continue
        yield from _section(name, heading, level, text)
        heading, level, text = begun[2], len(begun[1]), []
    yield from _section(name, heading, level, text)


def _section(name: str, heading: str, level: int, text: Sequence[str]) -> Iterator[Section]:
    plain, title = " ".join(MARKS.sub("", " ".join(text)).split()), MARKS.sub("", heading)
    if plain and level <= 1:
        yield Section(name, "", "", plain)
    elif plain:
        yield Section(name, title, anchor_of(title), plain)


def _excerpt(section: Section, words: Sequence[str]) -> Excerpt:
    lower = section.text.lower()
    first = min((place for word in words if (place := lower.find(word)) >= 0), default=0)
    begin, end = max(0, first - AROUND), first + 2 * AROUND
    excerpt = f"{'... ' if begin else ''}{section.text[begin:end].strip()}{' ...' if end < len(lower) else ''}"
    link = doc_url(section.page) + (f"#{section.anchor}" if section.anchor else "")
    return Excerpt(read_doc(section.page).title, section.heading, excerpt, link)
