"""A language that nobody speaks: each letter of a sentence that is translated has a stroke or a dot.

What is left in plain letters was never translated, or is a name.
"""

import re
from collections.abc import Iterable
from html import unescape
from html.parser import HTMLParser
from typing import Final

from bots.viewer.language import Language

PLAIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MARKED: Final = str.maketrans(PLAIN, "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž")
KEPT: Final = re.compile(r"(%\(\w+\)s|%%|<[^>]*>|&\w+;)")  # what is filled in, and marks around words
WORD: Final = re.compile(r"(?<!\w)[A-Za-z]{2,}(?!\w)")
CLIPPED: Final = re.compile(r"\S+…")  # it may be any word
READ: Final = {"title", "aria-label", "placeholder", "alt", "data-say", "data-words"}


def pseudo(sentence: str) -> str:
    parts = KEPT.split(sentence)
    return "".join(part if KEPT.fullmatch(part) else part.translate(MARKED) for part in parts)


PSEUDO: Final = Language("xx", pseudo, lambda singular, plural, number: pseudo(singular if number == 1 else plural))


def plain_words(texts: Iterable[str], names: Iterable[str]) -> set[str]:
    """Words that no translation has reached, and that are in no name."""
    own_words = {word for name in names for word in WORD.findall(name)}
    return {word for text in texts for word in WORD.findall(CLIPPED.sub("", text)) if word not in own_words}


class Read(HTMLParser):
    """All that a reader of a page, or a part of one, sees or hears."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.inside: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += [tag] if tag in ("script", "style", "pre", "code", "textarea") else []
        self.texts += [unescape(value) for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        self.texts += [] if self.inside else [data]
