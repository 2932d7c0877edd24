"""Drafts of bots, and their earlier states."""

from typing import Any

from rest_framework import serializers

from tournaments.models import Draft, DraftState


class StartShape(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="What a new draft says to begin from it.")
    title = serializers.CharField()
    about = serializers.CharField()
    filename = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class StartsShape(serializers.Serializer[Any]):
    results = StartShape(many=True)


class DraftShape(serializers.ModelSerializer[Draft]):
    bot = serializers.IntegerField(source="bot_id", allow_null=True, help_text="Whose next version it becomes.")
    tried = serializers.IntegerField(source="tried_id", allow_null=True, help_text="The practice of its last check.")

    class Meta:
        model = Draft
        fields: tuple[str, ...] = ("id", "game", "bot", "name", "filename", "tried", "created_at", "saved_at")


class OneDraftShape(DraftShape):
    class Meta(DraftShape.Meta):
        fields = (*DraftShape.Meta.fields, "source")


class DraftStateShape(serializers.ModelSerializer[DraftState]):
    class Meta:
        model = DraftState
        fields: tuple[str, ...] = ("id", "filename", "size", "saved_at")


class OneDraftStateShape(DraftStateShape):
    class Meta(DraftStateShape.Meta):
        fields = (*DraftStateShape.Meta.fields, "source")
