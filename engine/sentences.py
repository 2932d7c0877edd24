"""Sentences for people, in English, which know what they were made of, so that who shows one may translate it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Self


class Sentence(str):
    """`Sentence("there is no bot %(number)s", number=7)` is the text "there is no bot 7", for programs and to be kept.

    What is filled in may be such a sentence itself; all else is a name or a number, which no translation touches.
    """

    __slots__ = ("filled", "sentence")

    sentence: str
    filled: Mapping[str, str]

    def __new__(cls, sentence: str, /, **filled: object) -> Self:
        words = {name: value if isinstance(value, Sentence) else str(value) for name, value in filled.items()}
        made = super().__new__(cls, sentence % words if words else sentence)
        made.sentence, made.filled = sentence, words
        return made

    def told(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in another language."""
        return self._with_all(translate(self.sentence) if self.sentence else "", translate)

    def _with_all(self, sentence: str, translate: Callable[[str], str]) -> str:
        return (
            sentence % {name: translate_text(text, translate) for name, text in self.filled.items()}
            if self.filled
            else sentence
        )


class Row(Sentence):
    """Sentences, names or numbers with a comma between, or so: it has no words of its own."""

    __slots__ = ()

    def told(self, translate: Callable[[str], str]) -> str:
        return self._with_all(self.sentence, translate)


def translate_text(text: str, translate: Callable[[str], str]) -> str:
    """Return a `Sentence` in another language; any other text stays as it is, for somebody may have written it."""
    return text.told(translate) if isinstance(text, Sentence) else text


def as_data(text: str) -> object:
    """Return plain data of which `tournaments.core.config.sentence_data` makes the sentence again."""
    if not isinstance(text, Sentence):
        return text
    return {"sentence": text.sentence, "filled": {name: as_data(value) for name, value in text.filled.items()}}


def listed_parts(text: str, between: str) -> list[str]:
    """Return what `list_sentence` has put together with `between`; of any other text that is no sentence, its parts."""
    if not isinstance(text, Sentence):
        return text.split(between)
    is_list = text.sentence == between.join(f"%({name})s" for name in text.filled)
    return list(text.filled.values()) if is_list else [text]


def list_sentence(parts: Sequence[object], none: Sentence, between: str = ", ") -> Sentence:
    """Return a list to be filled in: sentences, names or numbers with `between`; or `none` for an empty one."""
    named = {f"part{number}": part for number, part in enumerate(parts)}
    return Row(between.join(f"%({name})s" for name in named), **named) if named else none
