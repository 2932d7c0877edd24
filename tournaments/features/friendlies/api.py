"""Friendly sets, requested by people and never rated."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import Viewer
from tournaments.features.friendlies.rules import ask_friendly_set, ask_series, asked_by
from tournaments.features.friendlies.series import FriendlySet, Series, series_of
from tournaments.models import Bot, MatchSet, User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, paged, read_form, show
from tournaments.web.api.inputs import PageQuery, RequestBody, SeriesBody
from tournaments.web.api.named import named_bot, named_ladder
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.ladders import RequestShape
from tournaments.web.api.shapes.texts import Slug


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


def requests_of(user: User, slug: str) -> QuerySet[MatchSet]:
    rows = asked_by(user).filter(ladder=named_ladder(user, slug)).select_related("ladder")
    return rows.prefetch_related("matches__seats__version")


def bots_at_table(body: dict[str, Any], viewer: Viewer) -> list[Bot]:
    return [named_bot(viewer, wanted) for wanted in (body["bot"], *body["against"])]


class Requests(View):
    permission_classes = (SignedIn,)

    @extend_schema(parameters=[PageQuery], responses=list_shape(RequestShape))
    def get(self, request: Request, slug: str) -> Response:
        """The friendly sets that you have requested under this ladder's settings, newest first."""
        return paged(RequestShape, request, requests_of(api_user(request), slug))

    @extend_schema(request=RequestBody, responses={201: RequestShape})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for a friendly set of a bot of yours against bots of this ladder. It is public, and never rated."""
        ladder, body = named_ladder(request.user, slug), read_form(RequestBody, request.data)
        bot, *against = bots_at_table(body, request.user)
        made = ask_friendly_set(ladder=ladder, bot=bot, against=against, by=api_user(request))
        return Response(show(RequestShape, requests_of(api_user(request), slug).get(pk=made.pk), request), 201)


class NewSeries(View):
    @extend_schema(request=SeriesBody, responses={201: NewSeriesShape})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for several friendly sets of one table; all or none."""
        ladder, body = named_ladder(request.user, slug), read_form(SeriesBody, request.data)
        bot, *against = bots_at_table(body, request.user)
        made = ask_series(ladder=ladder, bot=bot, against=against, by=api_user(request), sets=body["sets"])
        dealt = requests_of(api_user(request), slug).filter(pk__in=[each.pk for each in made]).order_by("pk")
        return Response(show(NewSeriesShape, {"sets": dealt}, request), 201)


class BotSeries(View):
    @extend_schema(responses=SeriesListShape)
    def get(self, request: Request, bot: int) -> Response:
        """All friendly sets of a bot, table by table: its score against the others, with an interval."""
        found = series_of(named_bot(request.user, bot), request.user)
        return Response(show(SeriesListShape, {"results": found}, request))
