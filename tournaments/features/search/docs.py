"""Searching the docs: sections that contain all words or others of their meaning, first those that are about them."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from tournaments.ledger.search.words import Words
from tournaments.web.pages.docs import PAGES, PARTS, doc_source, doc_url, read_doc
from tournaments.web.pages.markdown import anchor_of

MOST, OF_A_PAGE = 8, 3  # sections
AROUND = 70  # characters shown before the first word found, and twice as many after it
FILLERS = re.compile(
    r"(a|am|an|and|are|be|bots?|can|did|do|does|for|get|has|have|how|i|in|is|it|many|match|matches|me|much|my|not|of|on"
    r"|or|that|the|there|this|to|too|was|we|were|what|when|where|which|who|why|will|with|works?|you|your)[?.!,]*"
)
SAME_MEANING = [
    frozenset(words.split(", "))
    for words in (
        "lose, lost, loses, losing, loss, defeat",
        "timeout, timeouts, time-out, time-outs, timed out, out of time, time, slow",
        "went, goes, move, moves, moved, change, changes, changed, drop, dropped, fall, fell, down",
        "elo, rating, ratings",
        "crash, crashes, crashed, fails, failed, error, errors, exception, wrong",
        "delete, remove, erase, erased, close",
        "submit, upload, uploads",
        "hook, webhook",
        "mark, marks, grade, grades",
    )
]
FOR_USERS = frozenset(page.name for part in PARTS[:3] for page in part.pages)
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$")
MARKS = re.compile(r":?-{3,}:?|[`*|]|\[|\]\([^)]*\)")  # of Markdown, which an excerpt is better without


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
    telling = [word.strip("?.!,") for word in typed if not FILLERS.fullmatch(word)]
    patterns = [pattern_of(word) for word in dict.fromkeys(telling or typed) if word]
    if not patterns:
        return []
    sections = [section for name in PAGES for section in doc_sections(name)]
    counts = [[len(word.findall(section.text)) for word in patterns] for section in sections]
    rarity = [
        math.log(1 + len(sections) / (1 + len(counts) - of_word.count(0))) for of_word in zip(*counts, strict=True)
    ]
    scores = [
        score_of_section(section, patterns, rarity, in_text) for section, in_text in zip(sections, counts, strict=True)
    ]
    ranked = sorted(zip(scores, sections, strict=True), key=lambda pair: -pair[0])
    best = _spread(section for score, section in ranked if score)
    return [_excerpt(section, patterns) for section in islice(best, MOST)]


def pattern_of(word: str) -> re.Pattern[str]:
    """Return what finds the beginning of a word, and others of its meaning."""
    others = set[str]().union(*(words for words in SAME_MEANING if word in words)) - {word}
    either = "|".join([re.escape(word), *(rf"{re.escape(other)}\b" for other in sorted(others))])
    return re.compile(rf"(?<!\w)(?:{either})", re.IGNORECASE)


def _spread(best: Iterable[Section]) -> Iterator[Section]:
    """Yield at most a few sections of one page, so that others are seen."""
    taken: Counter[str] = Counter()
    for section in best:
        taken[section.page] += 1
        if taken[section.page] <= OF_A_PAGE:
            yield section


def score_of_section(
    section: Section, patterns: Sequence[re.Pattern[str]], rarity: Sequence[float], in_text: Sequence[int]
) -> float:
    """Return how well it answers; 0 if a word is missing and none stands in the heading.

    A word is worth the more, the rarer it is, and in the title or the heading several times as much as in the text. A
    page for those who run or develop the site is worth less than one for its users.
    """
    title = read_doc(section.page).title
    in_title = 2.0 if section.heading else 10.0  # what stands above the first heading leads to the whole page
    headed = [8.0 * bool(word.search(section.heading)) + in_title * bool(word.search(title)) for word in patterns]
    scores = [head + min(5, count) for head, count in zip(headed, in_text, strict=True)]
    if not all(scores) and not any(headed):
        return 0.0
    weighed = list(zip(rarity, scores, strict=True))
    known = sum(rare for rare, score in weighed if score) / sum(rarity)
    worth = 1.0 if section.page in FOR_USERS else 0.2 if "/" in section.page else 0.4
    return worth * known * sum(rare * score for rare, score in weighed)


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
