"""The signs of boards beside the words that name the same things: in the log, in lists and in what one may answer."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from html import escape
from typing import Final, NamedTuple

from bots.viewer.game_viewers import part_of
from bots.viewer.svg import Markup, element

Icons = Callable[[str], Sequence[str]]  # of the words that were found


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`drawn`: icons by name, in a box of 16 by 16. `words` name things; `patterns` find more."""

    drawn: Mapping[str, Markup]
    words: Mapping[str, Sequence[str]]
    patterns: Mapping[str, Icons] = field(default_factory=dict)

    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of all words; where one begins as another, the longer one is meant."""
        words = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        groups = [f"(?P<word>{words})", *(f"(?P<p{number}>{pattern})" for number, pattern in enumerate(self.patterns))]
        return re.compile(rf"(?<![\w-])(?:{'|'.join(groups)})(?!\w)")

    def icons_of(self, match: re.Match[str]) -> Sequence[str]:
        kind = match.lastgroup or "word"
        if kind == "word":
            return self.words[match[0]]
        finds = [*self.patterns.values()][int(kind.removeprefix("p"))]
        return [icon for icon in finds(match[0]) if icon in self.drawn]


WITHOUT_ICONS: Final = Vocabulary({}, {})


class Sign(NamedTuple):
    """An icon, and before which letter of a sentence it stands."""

    at: int
    icon: str


def icon_signs(game: str, sentence: str) -> Iterator[Sign]:
    """Return where in the sentence an icon belongs, and which; nothing for a game without icons."""
    vocabulary = vocabulary_of(game)
    for match in _pattern(game).finditer(sentence) if vocabulary.words else ():
        for icon in vocabulary.icons_of(match):
            yield Sign(match.start(), icon)


def vocabulary_of(game: str) -> Vocabulary:
    """Return the icons of the game and the words that have them."""
    vocabulary: Vocabulary = part_of(game, "VOCABULARY", WITHOUT_ICONS)
    return vocabulary


@cache
def _pattern(game: str) -> re.Pattern[str]:
    return vocabulary_of(game).pattern()


def for_script(game: str, sentence: str) -> list[tuple[int, str]]:
    """Counted as JavaScript counts letters."""
    return [(len(sentence[:index].encode("utf-16-le")) // 2, icon) for index, icon in icon_signs(game, sentence)]


@lru_cache(maxsize=1 << 12)
def with_icons(game: str, sentence: str) -> Markup:
    """The sentence, escaped, with its icons in it."""
    parts, done = [], 0
    for index, icon in icon_signs(game, sentence):
        parts += [escape(sentence[done:index]), drawn_icon(game, icon)]
        done = index
    return "".join([*parts, escape(sentence[done:])])


@cache
def drawn_icon(game: str, icon: str) -> Markup:
    """Readers of screens hear the word alone."""
    picture = element("svg", vocabulary_of(game).drawn[icon], viewBox="0 0 16 16")
    return element("span", picture, class_="picture icon", aria_hidden="true", data_icon=icon)


@cache
def sheet(game: str) -> Markup:
    """Return all icons of a game, from which the script takes them (static/screen.js)."""
    icons = vocabulary_of(game).drawn
    return f"<template data-icons>{''.join(drawn_icon(game, icon) for icon in icons)}</template>" if icons else ""
