"""Sentences of games with the icons of what they name."""

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString, mark_safe

from bots.viewer import film_markup, icons

register = template.Library()


@register.filter
def signed(sentence: str, game: str) -> SafeString:
    return mark_safe(icons.with_icons(game, sentence))  # noqa: S308 - it has escaped the sentence


@register.simple_tag
def icon_sheet(game: str) -> SafeString:
    """Once in a page whose script writes sentences."""
    return mark_safe(icons.sheet(game))  # noqa: S308 - drawn by us alone


@register.simple_tag
def in_words(words: Mapping[str, str] | None) -> SafeString:
    """Say what is on a board, if there is one."""
    return mark_safe(film_markup.in_words(words or {}))  # noqa: S308 - it has escaped the words
