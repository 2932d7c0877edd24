"""Searching the docs: sections that contain all words or others of their meaning, first those that are about them."""

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
FILLERS = frozenset(
    "a am an and are be can did do does for get has have how i in is it me my not of on or the to was were what when "
    "where which why will with you your".split()
)
SAME_MEANING = tuple(
    frozenset(words.split())
    for words in (
        "lose lost loses losing loss defeat",
        "timeout timeouts timed time-out time-outs clock slow",
        "went goes gone moved moves move change changed drop dropped fall fell down up lower",
        "elo rating ratings",
        "crash crashed crashes crashing ended died fault faults fail failed fails error errors",
        "password passkey",
        "delete remove erase deletion",
    )
)
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
    typed = [word.lower() for word in words.each]
    patterns = [pattern_of(word) for word in dict.fromkeys(typed) if word not in FILLERS] or list(map(pattern_of, typed))
    if not patterns:
        return []
    ranked = [(score_of_section(section, patterns), section) for name in PAGES for section in doc_sections(name)]
    best = sorted((pair for pair in ranked if pair[0]), key=lambda pair: -pair[0])
    return [_excerpt(section, patterns) for section in _spread(section for _, section in best)][:MOST]


def pattern_of(word: str) -> re.Pattern[str]:
    """Return what finds a word or another of its meaning, at the beginning of a word; the word itself anywhere."""
    others = set[str]().union(*(words for words in SAME_MEANING if word in words)) - {word}
    return re.compile("|".join([re.escape(word), *(rf"\b{re.escape(other)}\b" for other in sorted(others))]), re.IGNORECASE)


def _spread(best: Iterable[Section]) -> Iterator[Section]:
    """Yield at most a few sections of one page, so that others are seen."""
    taken: Counter[str] = Counter()
    for section in best:
        taken[section.page] += 1
        if taken[section.page] <= OF_A_PAGE:
            yield section


def score_of_section(section: Section, patterns: Sequence[re.Pattern[str]]) -> float:
    """Return 0 if a word is missing; a word in the title or in the heading is worth several in the text."""
    title = read_doc(section.page).title
    if not all(any(map(word.search, (title, section.heading, section.text))) for word in patterns):
        return 0.0
    in_title = 5.0 if section.heading else 25.0  # what stands above the first heading leads to the whole page
    return sum(
        20.0 * bool(word.search(section.heading))
        + in_title * bool(word.search(title))
        + min(5, len(word.findall(section.text)))
        for word in patterns
    )


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


def _excerpt(section: Section, patterns: Sequence[re.Pattern[str]]) -> Excerpt:
    """Return the text around the first of the words, in whole words."""
    text = section.text
    first = min((place.start() for word in patterns if (place := word.search(text))), default=0)
    begin = text.rfind(" ", 0, first - AROUND) + 1 if first > AROUND else 0
    end = text.find(" ", first + 2 * AROUND) if first + 2 * AROUND < len(text) else -1
    end = len(text) if end < 0 else end
    excerpt = f"{'... ' if begin else ''}{text[begin:end]}{' ...' if end < len(text) else ''}"
    link = doc_url(section.page) + (f"#{section.anchor}" if section.anchor else "")
    return Excerpt(read_doc(section.page).title, section.heading, excerpt, link)
