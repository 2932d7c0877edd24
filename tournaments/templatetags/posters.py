"""The posters of games on pages: the drawing, what people ask before they sit down to one, and how they learn it."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.urls import reverse

from bots.viewer.first_games import first_game_of
from bots.viewer.posters import DRAWING, drawing_of, pitch_of, poster_of
from engine.games import GAMES

register = template.Library()


@register.filter
def is_taught(game: str) -> bool:
    """Return whether the game can be learnt in a guided first game."""
    return first_game_of(game) is not None


@register.simple_tag
def play_now(game: str) -> str:
    """Return the address at which anybody begins to play the game."""
    return f"{reverse('play-now')}?game={game}"


@register.simple_tag
def card_address(game: str) -> str:
    """Return the address of the picture for who shows a link to a page of the game; "" for a game without a poster."""
    return reverse("poster-card", args=[game]) if game and drawing_of(game) else ""


@register.inclusion_tag("_poster.html")
def poster(game: str) -> dict[str, Any]:
    address = static(f"games/{game}/{DRAWING}") if drawing_of(game) else ""
    return {"address": address, "poster": poster_of(game)}


@register.inclusion_tag("_game_facts.html")
def game_facts(game: str) -> dict[str, Any]:
    players = GAMES[game].players if game in GAMES else ()
    least, most = min(players, default=0), max(players, default=0)
    return {"pitch": pitch_of(game), "poster": poster_of(game), "least": least, "most": most}
