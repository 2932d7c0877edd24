"""Friendly sets of one table taken together."""

from typing import Any

from rest_framework import serializers

from tournaments.api.shapes.ladders import RequestShape
from tournaments.api.shapes.texts import Slug
from tournaments.matchmaking.friendly_series import FriendlySet, Series
from tournaments.models import MatchSet


class NewSeriesShape(serializers.Serializer[Any]):
    sets = RequestShape(many=True)


class SeriesSetShape(serializers.Serializer[FriendlySet]):
    id = serializers.IntegerField(source="set.pk")
    status = serializers.ChoiceField(MatchSet.Status.choices, source="set.status")
    share = serializers.FloatField(allow_null=True, help_text="1 ahead of all, 0 behind all; null: it does not count.")
    matches = serializers.SerializerMethodField()

    def get_matches(self, played: FriendlySet) -> list[int]:
        """Their ids."""
        return [match.pk for match in played.matches]


class SeriesShape(serializers.Serializer[Series]):
    ladder = Slug(source="ladder.slug")
    asked_by = serializers.CharField(source="asked_by.username")
    version = serializers.IntegerField(source="version.pk", help_text="The bot's own.")
    others = serializers.SerializerMethodField()
    score = serializers.FloatField(allow_null=True, help_text="The percentage of points scored.")
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Of the score, 95 %; null before two sets count."
    )
    sets = SeriesSetShape(many=True)

    def get_others(self, series: Series) -> list[int]:
        """Ids of versions."""
        return [version.pk for version in series.others]


class SeriesListShape(serializers.Serializer[Any]):
    results = SeriesShape(many=True)
