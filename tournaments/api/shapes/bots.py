"""Bots, their versions and trials."""

from collections.abc import Iterable

from rest_framework import serializers

from tournaments.api.shapes.shape import ForOwner
from tournaments.models import Bot, Trial, Version


class BotShape(serializers.ModelSerializer[Bot]):
    owner = serializers.CharField(source="owner.username")
    team = serializers.IntegerField(
        source="team_id", allow_null=True, help_text="The id of the team that runs it with its owner."
    )
    active_version = serializers.IntegerField(allow_null=True, help_text="The number of the version that plays.")

    class Meta:
        model = Bot
        fields = ("id", "game", "name", "owner", "team", "about", "active_version", "gate", "created_at")


class TrialShape(serializers.ModelSerializer[Trial]):
    ladder = serializers.CharField(source="ladder.slug", help_text="Under whose settings it is played.")
    candidate = serializers.IntegerField(source="candidate.number", help_text="The number of the new version.")
    champion = serializers.IntegerField(source="champion.number")
    played = serializers.IntegerField(help_text="Sets.")
    score = serializers.FloatField(help_text="The candidate's mean share against the champion: 1 ahead, 0.5 level.")
    llr = serializers.FloatField(help_text="Log-likelihood ratio; above 2.94 it is stronger, below -2.94 it is not.")

    class Meta:
        model = Trial
        fields = (
            *("id", "ladder", "candidate", "champion", "status", "played", "score", "llr", "reason"),
            *("created_at", "ended_at"),
        )


class VersionShape(ForOwner, serializers.ModelSerializer[Version]):
    for_owner = ("report", "check_match")

    bundle = serializers.CharField(source="bundle.sha256", help_text="SHA-256 of the upload.")
    size = serializers.IntegerField(source="bundle.size", help_text="Bytes.")
    report = serializers.CharField(allow_null=True, help_text="Of the check; for the owner.")
    check_match = serializers.IntegerField(allow_null=True, help_text="The match of the check; for the owner.")

    class Meta:
        model = Version
        fields = ("id", "bot", "number", "status", "note", "bundle", "size", "created_at", "report", "check_match")

    def bots_of(self, instance: Version) -> Iterable[Bot]:
        return (instance.bot,)
