"""Kinds of text with a pattern or list that a client can use: slugs, hashes, games, verdicts."""

from typing import Any

from rest_framework import serializers

from engine.referee import Verdict
from tournaments.core.config.game_titles import games

SLUG = r"^[-a-zA-Z0-9_]+$"
SHA256 = r"^[0-9a-f]{64}$"
GAME_CHOICES = games()
GAME_NAMES = [name for name, _ in GAME_CHOICES]
VERDICTS = [(str(verdict), str(verdict)) for verdict in Verdict]


class Slug(serializers.RegexField):
    def __init__(self, **given: Any) -> None:
        super().__init__(SLUG, **given)


class Digest(serializers.RegexField):
    """SHA-256, in hexadecimal."""

    def __init__(self, **given: Any) -> None:
        super().__init__(SHA256, **given)


class GameName(serializers.ChoiceField):
    def __init__(self, **given: Any) -> None:
        super().__init__(GAME_CHOICES, **given)
