"""Following, and its news, for programs."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.features.follow.news import sentence_of_news, timeline
from tournaments.features.follow.rules import KINDS, follows_seen_by, start_following, target_named
from tournaments.models import Follow, NewsItem
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, find_row, paged, read_form, show
from tournaments.web.api.inputs import BIGGEST_ID, Form, Number, PageQuery, SlugText, Text
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.texts import Slug


class FollowBody(Form):
    """One of its fields."""

    bot = Number(required=False, min_value=1, max_value=BIGGEST_ID, help_text="Its id.")
    person = Text(required=False, max_length=150, help_text="Somebody's name.")
    ladder = SlugText(required=False)
    event = SlugText(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if len(given) != 1:
            raise serializers.ValidationError("Say what to follow by one of bot, person, ladder and event.")
        return given


class TargetShape(serializers.Serializer[Any]):
    """What it is about; the others are null."""

    bot = serializers.IntegerField(source="bot_id", allow_null=True)
    person = serializers.CharField(source="person.username", default=None, allow_null=True)
    ladder = Slug(source="ladder.slug", default=None, allow_null=True)
    event = Slug(source="event.slug", default=None, allow_null=True)


class FollowShape(TargetShape):
    id = serializers.IntegerField()
    title = serializers.CharField(source="target", help_text="The name of what is followed.")
    since = serializers.DateTimeField()


class NewsShape(TargetShape):
    id = serializers.IntegerField()
    kind = serializers.ChoiceField(NewsItem.Kind.choices)
    text = serializers.SerializerMethodField()
    path = serializers.CharField(help_text="Of the page that shows more.")
    at = serializers.DateTimeField()

    def get_text(self, item: NewsItem) -> str:
        return sentence_of_news(item)


class Follows(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(FollowShape))
    def get(self, request: Request) -> Response:
        """What you follow, newest first."""
        return paged(FollowShape, request, follows_seen_by(api_user(request)))

    @extend_schema(request=FollowBody, responses={201: FollowShape})
    def post(self, request: Request) -> Response:
        """Follow a bot, a person, a ladder or an event."""
        user, given = api_user(request), read_form(FollowBody, request.data)
        [kind] = given.keys() & KINDS.keys()
        follow = start_following(user=user, target=target_named(user, kind, str(given[kind])))
        return Response(show(FollowShape, follow, request), 201)


class OneFollow(OwnView):
    while_suspended = True

    @extend_schema(responses={204: None})
    def delete(self, request: Request, follow: int) -> HttpResponse:
        """Stop following."""
        find_row(Follow.objects.filter(user=api_user(request)), follow, pk=follow).delete()
        return HttpResponse(status=204)


class Timeline(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(NewsShape))
    def get(self, request: Request) -> Response:
        """The news of what you follow, newest first."""
        return paged(NewsShape, request, timeline(api_user(request)))
