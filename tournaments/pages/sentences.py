"""A page's sentences in the reader's language. Our sentences that are stored elsewhere are English."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext

from engine.sentences import Sentence

Choices = Sequence[tuple[str, str]]


def say(sentence: str, **filled: object) -> str:
    """`say("There is no bot %(number)s.", number=7)`: the sentence as a whole is translated, then filled in."""
    return gettext(sentence) % filled


def in_words(text: str) -> str:
    """What our own code said in a `Sentence`; any other text stays as it is, for somebody may have written it."""
    if not isinstance(text, Sentence):
        return text
    said = gettext(text.sentence)
    return said % {name: in_words(value) for name, value in text.filled.items()} if text.filled else said


def translated(choices: Choices) -> Callable[[], Choices]:
    """The choices of a form that is asked for now."""
    return lambda: [(value, gettext(str(label))) for value, label in choices]
