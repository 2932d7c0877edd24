"""The sentences that stored texts were made of, as templates: which of them explain a text, and what is filled in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

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

    def filled(self, text: str) -> Mapping[str, str] | None:
        """Return what is filled in, by its name."""
        values = self.values(text)
        return None if values is None else dict(zip(self.names, values, strict=True))

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
