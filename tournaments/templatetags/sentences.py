"""Sentences from our code, in the language of the page: they are stored, and sent to programs, in English.

Only what is constant is found: choices' words, labels, verdicts. What people wrote must not go through here: a bot's
name may be one of our words.
"""

from django import template
from django.utils.translation import gettext

from engine.sentences import Sentence
from tournaments.pages.sentences import in_words

register = template.Library()


@register.filter
def said(text: str) -> str:
    """What our code said in a `Sentence`; what people wrote stays as it is."""
    return in_words(text)


@register.filter
def translated(text: object) -> str:
    """The same where there is no translation."""
    if isinstance(text, Sentence):
        return in_words(text)
    return gettext(text if isinstance(text, str) else str(text)) if text else ""
