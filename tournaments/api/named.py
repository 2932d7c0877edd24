"""Looks up what a request names by an id, if the user may see it."""

from tournaments.accounts.spaces import Viewer, open_to, spaces_open_to
from tournaments.api.base import find
from tournaments.models import Bot, Ladder, Space


def bot_of(viewer: Viewer, number: int) -> Bot:
    """Raises Refused: unknown_bot."""
    return find(Bot.objects.filter(open_to(viewer)), number, pk=number)


def ladder_of(viewer: Viewer, slug: str) -> Ladder:
    """Raises Refused: unknown_ladder."""
    return find(Ladder.objects.filter(open_to(viewer)), slug, slug=slug)


def space_of(viewer: Viewer, slug: str) -> Space:
    """Raises Refused: unknown_space."""
    return find(spaces_open_to(viewer), slug, slug=slug)
