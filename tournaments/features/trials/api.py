"""Trials from a program: what their pages show, as numbers."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.sequential_test import Evidence, elo_of
from tournaments.core.accounts.spaces import open_to
from tournaments.features.trials.evidence import evidence_of, test_of
from tournaments.models import Trial
from tournaments.web.api.base import View, find_row, paged, show
from tournaments.web.api.inputs import PageQuery
from tournaments.web.api.named import named_bot
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.texts import Slug


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


class Trials(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(TrialShape))
    def get(self, request: Request, bot: int) -> Response:
        """The trials of a bot's versions, newest first."""
        named_bot(request.user, bot)
        trials = Trial.objects.filter(candidate__bot=bot).select_related("ladder", "candidate", "champion")
        return paged(TrialShape, request, trials)


class OneTrial(View):
    @extend_schema(responses=OneTrialShape)
    def get(self, request: Request, trial: int) -> Response:
        """One trial: the likelihood ratio after each set, and how its sets ended."""
        rows = Trial.objects.filter(open_to(request.user, "ladder__space"))
        row = find_row(rows.select_related("ladder", "candidate", "champion"), trial, pk=trial)
        return Response(show(OneTrialShape, row, request))
