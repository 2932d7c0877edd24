"""Examinations from a program: a version with its cards, and asking for another."""

from typing import Any, get_args

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.doctor.findings import Status
from tournaments.core.broker.available_workers import nobody_plays
from tournaments.features.examinations.card import card_of, examination_findings, examination_of
from tournaments.features.examinations.requests import examine_again
from tournaments.features.examinations.rules import BUDGET
from tournaments.models import Examination, Version
from tournaments.web.api.base import View, api_user, find_row, show
from tournaments.web.api.named import named_versions
from tournaments.web.api.shapes.bots import VersionShape
from tournaments.web.api.throttles import Everyone, Examinations


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
        return FindingShape(examination_findings(examination) or [], many=True).data

    def get_readable(self, examination: Examination) -> bool:
        return examination_findings(examination) is not None


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


class Examine(View):
    throttle_classes = (Everyone, Examinations)

    @extend_schema(request=None, responses=OneVersionShape)
    def post(self, request: Request, bot: int, number: int) -> Response:
        """Have a version examined again that has passed its check, or for the first time if an older release checked
        it: by those who run the bot, and by organisers. The card that there was goes."""
        examine_again(version=find_row(named_versions(request.user, bot), number, number=number), by=api_user(request))
        return Response(
            show(OneVersionShape, find_row(named_versions(request.user, bot), number, number=number), request)
        )
