"""Bots, their versions and trials."""

from collections.abc import Iterable
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots.doctor.findings import Status
from bots.sequential_test import Evidence, elo_of
from tournaments.api.shapes.shape import ForOwner
from tournaments.api.shapes.texts import Digest, Slug
from tournaments.broker.available_workers import nobody_plays
from tournaments.competitors.check_card import card_of, examination_of, examined
from tournaments.competitors.examinations import BUDGET
from tournaments.features.trials.evidence import evidence_of, test_of
from tournaments.models import Bot, Examination, Trial, Version


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


class TrialShape(serializers.ModelSerializer[Trial]):
    ladder = Slug(source="ladder.slug", help_text="Under whose settings it is played.")
    candidate = serializers.IntegerField(source="candidate.number", help_text="The number of the new version.")
    champion = serializers.IntegerField(source="champion.number")
    played = serializers.IntegerField(help_text="Sets.")
    score = serializers.FloatField(help_text="The candidate's mean share against the champion: 1 ahead, 0.5 level.")
    llr = serializers.FloatField(help_text="Log-likelihood ratio so far.")
    elo0 = serializers.FloatField(help_text="It is refused if it is this much stronger rather than `elo1`.")
    elo1 = serializers.FloatField(help_text="It is accepted if it is this much stronger rather than `elo0`.")
    rule = serializers.IntegerField(
        help_text="2: today's. 1: at most 150 sets, refused if they did not decide; none is begun by it any more."
    )
    lower = serializers.SerializerMethodField(help_text="Refused where the ratio is at or below.")
    upper = serializers.SerializerMethodField(help_text="Accepted where the ratio is at or above.")

    class Meta:
        model = Trial
        fields: tuple[str, ...] = (
            *("id", "ladder", "candidate", "champion", "status", "played", "score", "llr", "reason"),
            *("rule", "elo0", "elo1", "lower", "upper", "created_at", "ended_at"),
        )

    def get_lower(self, trial: Trial) -> float:
        return test_of(trial).lower

    def get_upper(self, trial: Trial) -> float:
        return test_of(trial).upper


class EvidenceShape(serializers.Serializer[Evidence]):
    sets = serializers.IntegerField(help_text="That count, up to the one that decided.")
    share = serializers.FloatField(source="mean", help_text="The candidate's mean share against the champion.")
    interval = serializers.ListField(child=serializers.FloatField(), help_text="Of the share, 95 %.")
    elo = serializers.SerializerMethodField(help_text="What the share is in Elo.")
    variance = serializers.FloatField(help_text="Of a set's share.")
    spent = serializers.FloatField(help_text="Information; at 15 the sign of the ratio decides.")
    llrs = serializers.ListField(child=serializers.FloatField(), help_text="The ratio after each set.")
    outcomes = serializers.ListField(
        child=serializers.IntegerField(), help_text="Sets in which it took 0, 1/2, 1, ... all of the games of a set."
    )

    def get_elo(self, evidence: Evidence) -> float:
        return elo_of(evidence.mean)


class OneTrialShape(TrialShape):
    evidence = serializers.SerializerMethodField()

    class Meta(TrialShape.Meta):
        fields = (*TrialShape.Meta.fields, "evidence")

    @extend_schema_field(EvidenceShape)
    def get_evidence(self, trial: Trial) -> Any:
        return EvidenceShape(evidence_of(trial)).data


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
