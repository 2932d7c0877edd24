"""Whether a game can be learnt in a guided first game."""

from django import template

from bots.viewer.first_games import first_game_of

register = template.Library()


@register.filter
def is_taught(game: str) -> bool:
    return first_game_of(game) is not None
