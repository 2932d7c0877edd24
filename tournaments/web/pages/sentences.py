"""A page's sentences in the reader's language. Our sentences that are stored elsewhere are English."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext

from engine.sentences import translate_text

Choices = Sequence[tuple[str, str]]


def say(sentence: str, **filled: object) -> str:
    """`say("There is no bot %(number)s.", number=7)`: the sentence as a whole is translated, then filled in."""
    return gettext(sentence) % filled


def in_page_language(text: str) -> str:
    """Return in the page's language what our own code said in a `Sentence`, and any other text as it is."""
    return translate_text(text, gettext)


def choices_now(choices: Choices) -> Callable[[], Choices]:
    """The choices of a form that is asked for now."""
    return lambda: [(value, gettext(str(label))) for value, label in choices]
