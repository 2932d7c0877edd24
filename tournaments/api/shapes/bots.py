"""Bots and their versions."""

from collections.abc import Iterable
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.doctor.findings import Status
from tournaments.api.shapes.shape import ForOwner
from tournaments.api.shapes.texts import Digest
from tournaments.broker.available_workers import nobody_plays
from tournaments.features.examinations.card import card_of, examination_of, examined
from tournaments.features.examinations.rules import BUDGET
from tournaments.models import Bot, Examination, Version


class BotShape(serializers.ModelSerializer[Bot]):
    owner = serializers.CharField(source="owner.username")
    team = serializers.IntegerField(
        source="team_id", allow_null=True, help_text="The id of the team that runs it with its owner."
    )
    active_version = serializers.IntegerField(allow_null=True, help_text="The number of the version that plays.")

    upload_mb = serializers.IntegerField(help_text="How large an upload of it may be, in MB.")

    class Meta:
        model = Bot
        fields = (
            *("id", "game", "name", "owner", "team", "about", "active_version", "gate", "gate_test", "named_at"),
            *("upload_mb", "created_at"),
        )


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


class FindingShape(serializers.Serializer[Any]):
    """As `boardroom check` tells it."""

    about = serializers.CharField(help_text="Stable: the name of its row.")
    status = serializers.ChoiceField(choices=get_args(Status))
    text = serializers.CharField()
    numbers = serializers.DictField(help_text="What the text says, for programs.")


class ExaminationShape(serializers.ModelSerializer[Examination]):
    """Of a version that passed its check: some thousand questions in the sandbox, a few seconds at a time."""

    wanted = serializers.IntegerField(
        default=BUDGET.questions, help_text="How many questions are asked, if they do not take too long."
    )
    reason = serializers.CharField(help_text="Why the last try failed, if it did.")
    findings = serializers.SerializerMethodField()
    readable = serializers.SerializerMethodField(help_text="False of a card that only another release can read.")

    class Meta:
        model = Examination
        fields = (
            *("status", "questions", "wanted", "matches", "reason", "findings", "readable"),
            *("created_at", "ended_at"),
        )

    @extend_schema_field(FindingShape(many=True, help_text="The card; none before the end."))
    def get_findings(self, examination: Examination) -> Any:
        return FindingShape(examined(examination) or [], many=True).data

    def get_readable(self, examination: Examination) -> bool:
        return examined(examination) is not None


class OneVersionShape(VersionShape):
    for_owner = (*VersionShape.for_owner, "findings", "examination")

    waits_for = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField()
    examination = serializers.SerializerMethodField()

    class Meta(VersionShape.Meta):
        fields = (*VersionShape.Meta.fields, "waits_for", "findings", "examination")

    @extend_schema_field(
        serializers.CharField(
            allow_null=True, help_text="The language for which its check waits, because no worker online can run it."
        )
    )
    def get_waits_for(self, version: Version) -> str | None:
        waits = version.status == Version.Status.CHECKING and nobody_plays([version.need], version.bot.space)
        return version.need if waits else None

    @extend_schema_field(FindingShape(many=True, allow_null=True, help_text="Of the check's match; for the owner."))
    def get_findings(self, version: Version) -> Any:
        return FindingShape(card_of(version), many=True).data if self.shown_to_viewer(version.bot) else None

    @extend_schema_field(ExaminationShape(allow_null=True, help_text="By the doctor of the kit; for the owner."))
    def get_examination(self, version: Version) -> Any:
        examination = examination_of(version) if self.shown_to_viewer(version.bot) else None
        return ExaminationShape(examination).data if examination else None
