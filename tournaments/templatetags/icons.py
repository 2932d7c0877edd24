"""Sentences of games with the icons of what they name."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from bots.viewer import icons

register = template.Library()


@register.filter
def signed(sentence: str, game: str) -> SafeString:
    return mark_safe(icons.signed(game, sentence))  # noqa: S308 - it has escaped the sentence


@register.simple_tag
def icon_sheet(game: str) -> SafeString:
    """Once in a page whose script writes sentences."""
    return mark_safe(icons.sheet(game))  # noqa: S308 - drawn by us alone
