"""Notes of bots."""

from typing import Any

from rest_framework import serializers


class NoteShape(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    bot_id = serializers.IntegerField()
    answer = serializers.IntegerField(help_text="Its place in the replay; -1 before the first question.")
    tag = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    mark = serializers.DictField(help_text="Of `place`, `to` and `number` those that the bot gave.")


class NotesShape(serializers.Serializer[Any]):
    match = serializers.IntegerField()
    notes = NoteShape(many=True)
