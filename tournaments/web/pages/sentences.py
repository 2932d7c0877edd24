"""A page's sentences in the reader's language. Our sentences that are stored elsewhere are English."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from django.utils.translation import gettext

from bots.viewer.language import decimal
from engine.sentences import Sentence, translate_text

Choices = Sequence[tuple[str, str]]
NUMBER: Final = re.compile(r"-?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]+)?( ?%)?")  # as Python writes it


def say(sentence: str, **filled: object) -> str:
    """`say("There is no bot %(number)s.", number=7)`: the sentence as a whole is translated, then filled in."""
    return gettext(sentence) % filled


def in_page_language(text: str) -> str:
    """Return in the page's language what our own code said in a `Sentence`, and any other text as it is."""
    return translate_text(_with_figures(text), gettext) if isinstance(text, Sentence) else text


def _with_figures(sentence: Sentence) -> Sentence:
    filled = {name: _filled(value) for name, value in sentence.filled.items()}
    return type(sentence)(sentence.sentence, **filled)


def _filled(value: str) -> str:
    return _with_figures(value) if isinstance(value, Sentence) else figure(value) if NUMBER.fullmatch(value) else value


def figure(number: str) -> str:
    """Return a number that Python has written, such as -4,800.5, as the page's language writes it."""
    comma = "," if decimal(".") == "." else "."
    return comma.join(decimal(part) for part in number.split(","))


def chance(share: float) -> str:
    """Return a probability as two digits of per cent; what is very unlikely is `under 0.01 %`."""
    return gettext("under 0.01 %") if share < 0.0001 else decimal(f"{100 * share:.2g} %") if share < 0.995 else "100 %"


def choices_now(choices: Choices) -> Callable[[], Choices]:
    """The choices of a form that is asked for now."""
    return lambda: [(value, gettext(str(label))) for value, label in choices]
