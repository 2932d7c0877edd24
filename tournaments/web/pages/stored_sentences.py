"""Sentences of ours that were stored as English texts: each is found again among those that are translated.

The log, whose entries are hashed, notices and reasons are kept in English alone. A text is taken apart by the sentence
that it was made of; so old rows are translated too, and nothing more is stored.

Names in it are hostile: a bot may be called like a sentence. So a text stays English unless one sentence explains it,
in one way; of several, the one that is a special case of all others counts. What is filled in stays as it is, unless it
is named `..._said`: then it is a sentence of ours as well. What people wrote never goes through here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Final, Self

from django.conf import settings

from engine.sentences import Sentence

LOCALES = Path(settings.ROOT) / "tournaments" / "locale"
TYPED = {"reason", "text", "title"}  # by people: at the end of a sentence it may hold anything
OURS = "_said"
LETTERS = 6  # that a sentence has at least: fewer explain too much
REMEMBERED, LONGEST = 2048, 2000  # texts, and characters of one
PLACE: Final = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with what is filled in: `texts` stand around them, one more than there are `names`."""

    sentence: str
    texts: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, sentence: str) -> Self:
        texts, names = PLACE.split(sentence)[::2], PLACE.split(sentence)[1::2]
        return cls(sentence, tuple(text.replace("%%", "%") if names else text for text in texts), tuple(names))

    @property
    def said(self) -> str:
        """Sentence as it is said, with the places where something is filled in."""
        return self.sentence.replace("%%", "%") if self.names else self.sentence

    @property
    def letters(self) -> int:
        return sum(sign.isalpha() for text in self.texts for sign in text)

    def explains(self, text: str) -> bool:
        return self.values(text) is not None

    def values(self, text: str) -> list[str] | None:
        """Return what is filled in, each as short as can be, from the first on."""
        if not self.names:
            return [] if text == self.sentence else None
        first, *between, last = self.texts
        if not (len(text) >= len(first) + len(last) and text.startswith(first) and text.endswith(last)):
            return None
        values, remainder = list[str](), text[len(first) : len(text) - len(last)]
        for mark in between:
            value, separator, remainder = remainder.partition(mark) if mark else ("", " ", remainder)
            if not separator:
                return None
            values.append(value)
        return [*values, remainder]


def found_again(text: str, least: int = LETTERS) -> Sentence | None:
    """The sentence that the text is, as it was when it was stored. `least`: the letters that it has without names."""
    return _found(text, least) if 0 < len(text) <= LONGEST else None


@lru_cache(REMEMBERED)
def _found(text: str, least: int) -> Sentence | None:
    explaining = [each for each in _beginning_as(text) if each.explains(text) and each.letters >= least]
    best = next((each for each in explaining if _is_special(each, explaining)), None)
    filled = _only(best, text) if best else None
    if best is None or filled is None:
        return None
    return Sentence(best.sentence, **{name: _meant(name, value) for name, value in filled.items()})


def _only(template: Template, text: str) -> Mapping[str, str] | None:
    """Return by name the values that make the template the text, if only these do; else None."""
    values = template.values(text)
    filled = dict(zip(template.names, values or (), strict=False))
    is_only = values is not None and values == _latest(template, values)
    return filled if is_only and values == [filled[name] for name in template.names] else None


def _latest(template: Template, values: Sequence[str]) -> list[str]:
    """The same values, each as short as can be from the last on; but what was typed is as long as can be."""
    between = list(template.texts[1:-1])
    pairs = zip(values, [*between, ""], strict=True) if values else ()
    rest, found = "".join(value + mark for value, mark in pairs), list[str]()
    if between and template.names[-1] in TYPED:
        found = [values[-1]]
        rest = rest[: len(rest) - len(values[-1]) - len(between.pop())]
    for mark in reversed(between):
        rest, _, value = rest.rpartition(mark) if mark else (rest, "", "")
        found.insert(0, value)
    return [rest, *found] if values else []


def _meant(name: str, value: str) -> str:
    return (found_again(value, 1) or value) if name.endswith(OURS) else value


def _is_special(one: Template, others: Sequence[Template]) -> bool:
    return all(other.explains(one.said) for other in others)


def _beginning_as(text: str) -> Sequence[Template]:
    known = _templates()
    return [*known.get(text.partition(" ")[0], ()), *known.get("", ())]


@cache
def _templates() -> Mapping[str, Sequence[Template]]:
    """Return all templates by the first word; those that have something filled in there by none."""
    found: dict[str, list[Template]] = {}
    for template in map(Template.of, sorted(set(_translated()))):
        begin = template.texts[0] if " " in template.texts[0] or not template.names else ""
        found.setdefault(begin.partition(" ")[0], []).append(template)
    return found


def _translated() -> Iterator[str]:
    """Yield the sentences that a language has a translation of, without those of templates that have marks in them."""
    for path in sorted(LOCALES.glob("*/LC_MESSAGES/django.mo")):
        with path.open("rb") as file:
            catalogue = vars(GNUTranslations(file))["_catalog"]
        yield from (
            sentence for sentence in catalogue if isinstance(sentence, str) and sentence and "<" not in sentence
        )
