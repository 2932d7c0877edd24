"""In which language matches are told: English, unless the caller has handed in another one's sentences.

    with told_in(german):
        seen = find_moment(replay, perspective, 0)

What is told is told at once, and nothing keeps which language it was; so what is kept, is kept for each language
(`cached_by_language`). Names of pieces stay as the rules of the game call them, and are never looked up.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from engine.sentences import Sentence, translate_text

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Language:
    """`gettext` translates a sentence; `counted` one with a number, of which there are two forms in English."""

    name: str
    gettext: Callable[[str], str]
    counted: Callable[[str, str, int], str]
    point: str = "."  # before decimals

    def one(self, sentence: str) -> str:
        """Return the sentence translated. Catalogues keep their header under the empty text, which stays empty."""
        return self.gettext(sentence) if sentence else ""


ENGLISH = Language("en", str, lambda singular, plural, number: singular if number == 1 else plural)


class Unfilled(Sentence):
    """A sentence that is kept as such when it is filled in."""

    def __mod__(self, filled: Any) -> Sentence:
        return Sentence(self.sentence, **filled)


# What is told in it can be kept, and told in any language later: English that knows what it was made of.
AS_SENTENCES = Language("sentences", Unfilled, lambda one, more, number: Unfilled(one if number == 1 else more))
SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


@contextmanager
def told_in(language: Language) -> Iterator[None]:
    before = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(before)


def say(sentence: str, **filled: object) -> str:
    """`say("%(name)s passes.", name=name)`: the sentence as a whole is translated, then filled in."""
    translated = SPOKEN.get().one(sentence)
    return translated % filled if filled else translated


def word(text: str) -> str:
    """One of a list whose words the site translates for itself: a verdict."""
    return SPOKEN.get().one(text)


def passed_on(text: str) -> str:
    """Return the translation of what the engine said in a `Sentence`; any other text as it is."""
    return translate_text(text, SPOKEN.get().one)


def say_number(singular: str, plural: str, number: int, **filled: object) -> str:
    """Return the sentence for one thing or that for more, translated; `number` is filled in."""
    return SPOKEN.get().counted(singular, plural, number) % {"number": number, **filled}


def decimal(value: float | str) -> str:
    """Return a number, or one that is written already, with a minus sign and the decimal sign of the language."""
    written = str(value) if isinstance(value, str | int) else f"{value:g}"
    return ("−" + written[1:] if written.startswith("-") else written).replace(".", SPOKEN.get().point)


def cached_by_language(most: int | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A cache of what has words in it, for each language."""

    def keeping(make: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(most)
        def made(_: str, *args: Hashable, **named: Hashable) -> R:
            return make(*args, **named)  # type: ignore[arg-type]

        @wraps(make)
        def told(*args: P.args, **named: P.kwargs) -> R:
            return made(SPOKEN.get().name, *cast("tuple[Hashable, ...]", args), **cast("dict[str, Hashable]", named))

        return told

    return keeping
