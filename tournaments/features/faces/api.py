"""Badges of bots."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.features.faces.cards import badges_of, name_of_badge
from tournaments.models import Badge
from tournaments.web.api.base import View, paged
from tournaments.web.api.inputs import PageQuery
from tournaments.web.api.named import named_bot
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.texts import Slug


class BadgeShape(serializers.ModelSerializer[Badge]):
    name = serializers.SerializerMethodField()
    ladder = Slug(source="set.ladder.slug")
    set = serializers.IntegerField(source="set_id", help_text="The id of the rated set that earned it.")
    character = serializers.CharField(help_text="Whom it has beaten, of the characters of its game; else empty.")

    class Meta:
        model = Badge
        fields = ("id", "kind", "name", "character", "ladder", "set", "earned_at")

    def get_name(self, badge: Badge) -> str:
        """What it is for, in English."""
        return name_of_badge(badge)


class Badges(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(BadgeShape))
    def get(self, request: Request, bot: int) -> Response:
        """What a bot has earned in rated sets, the latest first."""
        return paged(BadgeShape, request, badges_of([named_bot(request.user, bot)]))
