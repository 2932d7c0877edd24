"""Bots of a ladder that may be copies of one another, for organisers: evidence, not a verdict."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import check_runs_space
from tournaments.features.likeness.findings import findings_of_survey, progress_of
from tournaments.features.likeness.sources import sources_alike
from tournaments.models import Version
from tournaments.web.api.authentication import Organiser, SignedInToWrite
from tournaments.web.api.base import View, api_user, show
from tournaments.web.api.named import named_ladder


class OneShape(serializers.ModelSerializer[Version]):
    bot = serializers.IntegerField(source="bot_id")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(source="number")

    class Meta:
        model = Version
        fields = ("bot", "name", "owner", "version")


class SourcePairShape(serializers.Serializer[Any]):
    one = OneShape()
    other = OneShape()
    share = serializers.FloatField(help_text="The share of the shorter text's fingerprints that are in the other's.")


class AnswerPairShape(serializers.Serializer[Any]):
    one = OneShape()
    other = OneShape()
    share = serializers.FloatField(
        source="pair.share", help_text="How much they have in common, with rarer answers weighing more."
    )
    low = serializers.FloatField(source="pair.low", help_text="The 95 % interval, from here")
    high = serializers.FloatField(source="pair.high", help_text="to here.")
    equal = serializers.IntegerField(source="pair.equal", help_text="Equal answers, out of those that both gave:")
    views = serializers.IntegerField(source="pair.views")
    of_pairs = serializers.FloatField(
        source="pair.of_pairs", help_text="The share of all pairs with as much in common."
    )


class AnswersShape(serializers.Serializer[Any]):
    asked_at = serializers.DateTimeField()
    compared = serializers.IntegerField(help_text="Versions.")
    views = serializers.IntegerField(help_text="Questions that each was asked.")
    median = serializers.FloatField(help_text="Half of all pairs of different people have less in common.")
    quantile = serializers.FloatField(help_text="99 of 100 have less.")
    pairs = AnswerPairShape(many=True)


class ProgressShape(serializers.Serializer[Any]):
    answered = serializers.IntegerField()
    of = serializers.IntegerField()


class AlikeShape(serializers.Serializer[Any]):
    sources = SourcePairShape(many=True)
    answers = AnswersShape(allow_null=True, help_text="When bots were last asked; null: never.")
    asking = ProgressShape(
        allow_null=True, help_text="The survey under way (`POST acts/compare_answers`), if there is one."
    )


class Alike(View):
    permission_classes = (SignedInToWrite, Organiser)

    @extend_schema(responses=AlikeShape)
    def get(self, request: Request, slug: str) -> Response:
        """Bots of different people with similar sources or similar answers to the same questions. For organisers."""
        ladder = named_ladder(request.user, slug)
        check_runs_space(api_user(request), ladder.space_id)
        answers = {"answers": findings_of_survey(ladder), "asking": progress_of(ladder)}
        return Response(show(AlikeShape, {"sources": sources_alike(ladder).pairs, **answers}, request))
