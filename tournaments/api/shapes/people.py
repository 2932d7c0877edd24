"""Tokens, and who asks."""

from typing import Any

from rest_framework import serializers

from tournaments.models import ApiToken


class TokenShape(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ("id", "name", "created_at", "used_at", "expires_at", "reads_only")


class SecretShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    token = serializers.CharField(help_text="Shown this once. Send it as `Authorization: Token brd_...`.")


class IndexShape(serializers.Serializer[Any]):
    user = serializers.CharField(allow_null=True, help_text="Who you are here; null for nobody in particular.")
    audit = serializers.URLField()
    bots = serializers.URLField()
    events = serializers.URLField()
    ladders = serializers.URLField()
    matches = serializers.URLField()
    tokens = serializers.URLField()
    schema = serializers.URLField()
    docs = serializers.URLField()
