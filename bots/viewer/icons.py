"""The signs of boards beside the words that name the same things: in the log, in lists and in what one may answer."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import Final, NamedTuple

from bots.games.gigabucks import icons as gigabucks
from bots.games.kaiju import icons as kaiju
from bots.games.network import icons as network
from bots.games.shangzhou import icons as shangzhou
from bots.games.zaibatsu import icons as zaibatsu
from bots.viewer.svg import Markup, element
from bots.viewer.vocabulary import Vocabulary

VOCABULARIES: Final[Mapping[str, Vocabulary]] = {
    "zaibatsu": zaibatsu.VOCABULARY,
    "kaiju": kaiju.VOCABULARY,
    "shangzhou": shangzhou.VOCABULARY,
    "gigabucks": gigabucks.VOCABULARY,
    "network": network.VOCABULARY,
}


class Sign(NamedTuple):
    """An icon, and before which letter of a sentence it stands."""

    at: int
    icon: str


def icon_signs(game: str, sentence: str) -> Iterator[Sign]:
    """Return where in the sentence an icon belongs, and which; nothing for a game from outside."""
    if game not in VOCABULARIES:
        return
    vocabulary = VOCABULARIES[game]
    for match in _pattern(game).finditer(sentence):
        for icon in vocabulary.icons_of(match):
            yield Sign(match.start(), icon)


@cache
def _pattern(game: str) -> re.Pattern[str]:
    return VOCABULARIES[game].pattern()


def for_script(game: str, sentence: str) -> list[tuple[int, str]]:
    """Counted as JavaScript counts letters."""
    return [(len(sentence[:index].encode("utf-16-le")) // 2, icon) for index, icon in icon_signs(game, sentence)]


@lru_cache(maxsize=1 << 12)
def signed(game: str, sentence: str) -> Markup:
    """The sentence, escaped, with its icons in it."""
    parts, done = [], 0
    for index, icon in icon_signs(game, sentence):
        parts += [escape(sentence[done:index]), drawn_icon(game, icon)]
        done = index
    return "".join([*parts, escape(sentence[done:])])


@cache
def drawn_icon(game: str, icon: str) -> Markup:
    """Readers of screens hear the word alone."""
    picture = element("svg", VOCABULARIES[game].drawn[icon], viewBox="0 0 16 16")
    return element("span", picture, class_="picture icon", aria_hidden="true", data_icon=icon)


@cache
def sheet(game: str) -> Markup:
    """Return all icons of a game, from which the script takes them (static/screen.js)."""
    icons = VOCABULARIES[game].drawn if game in VOCABULARIES else ()
    return f"<template data-icons>{''.join(drawn_icon(game, icon) for icon in icons)}</template>" if icons else ""
