"""Bots and their versions."""

from collections.abc import Iterable

from django.urls import reverse
from rest_framework import serializers

from tournaments.models import Bot, Version
from tournaments.web.api.shapes.shape import ForOwner
from tournaments.web.api.shapes.texts import Digest


class BotShape(serializers.ModelSerializer[Bot]):
    owner = serializers.CharField(source="owner.username")
    team = serializers.IntegerField(
        source="team_id", allow_null=True, help_text="The id of the team that runs it with its owner."
    )
    active_version = serializers.IntegerField(allow_null=True, help_text="The number of the version that plays.")

    house = serializers.CharField(help_text="The character or sample that it is, of the house's own bots; else empty.")
    colours = serializers.SerializerMethodField()
    emblem = serializers.SerializerMethodField()
    upload_mb = serializers.IntegerField(help_text="How large an upload of it may be, in MB.")

    class Meta:
        model = Bot
        fields = (
            *("id", "game", "name", "owner", "team", "about", "motto", "active_version", "gate", "gate_test"),
            *("named_at", "house", "colours", "emblem", "upload_mb", "created_at"),
        )

    def get_colours(self, bot: Bot) -> list[str]:
        """Of its emblem; empty: those of its name."""
        return bot.colours.split()

    def get_emblem(self, bot: Bot) -> str:
        """The address of its picture on this site."""
        return reverse("bot-emblem", args=[bot.pk])


class VersionShape(ForOwner, serializers.ModelSerializer[Version]):
    for_owner: tuple[str, ...] = ("note", "report", "check_match")

    bundle = Digest(source="bundle.sha256", help_text="SHA-256 of the upload.")
    size = serializers.IntegerField(source="bundle.size", help_text="Bytes.")
    note = serializers.CharField(allow_null=True, help_text="What is new; for the owner.")
    report = serializers.CharField(allow_null=True, help_text="Of the check; for the owner.")
    check_match = serializers.IntegerField(allow_null=True, help_text="The match of the check; for the owner.")

    class Meta:
        model = Version
        fields: tuple[str, ...] = (
            *("id", "bot", "number", "status", "note", "bundle", "size", "created_at"),
            *("report", "check_match"),
        )

    def bots_of(self, instance: Version) -> Iterable[Bot]:
        return (instance.bot,)
