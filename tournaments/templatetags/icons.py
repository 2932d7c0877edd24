"""Sentences of games with the icons of what they name, and what explains a board beside it."""

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString, mark_safe

from bots.viewer import film_markup, guide_panel, icons

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


@register.simple_tag
def goal_line(game: str, words: Mapping[str, str] | None) -> SafeString:
    return mark_safe(guide_panel.aim(game, words or {}))  # noqa: S308 - it has escaped the guide


@register.simple_tag
def board_guide(game: str) -> SafeString:
    """Say how to read the board of the game, if it has a guide."""
    return mark_safe(guide_panel.guide_panel(game))  # noqa: S308 - it has escaped the guide


@register.simple_tag
def seat_needs(words: Mapping[str, str], seat: int) -> SafeString:
    """Say what the seat needs to win, by the words of its board."""
    return mark_safe(guide_panel.needed(words, seat))  # noqa: S308 - it has escaped the words


@register.simple_tag
def what_is_asked(words: Mapping[str, str]) -> SafeString:
    return mark_safe(guide_panel.asks(words))  # noqa: S308 - it has escaped the words
