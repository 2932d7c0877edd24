"""The table over all games, and which bot counts there."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.features.overall.rules import name_bot
from tournaments.features.overall.standings import overall_standings
from tournaments.web.api.base import View, api_user, find_row, show, unchanging
from tournaments.web.api.named import bots_shown_to, named_bot
from tournaments.web.api.shapes.bots import BotShape


class OwnerShape(serializers.Serializer[Any]):
    rank = serializers.IntegerField(help_text="By the score.")
    score = serializers.FloatField(
        help_text="The sum over all games of rating - 1.645 errors; a game without a bot counts as one without games."
    )
    rank_lo = serializers.IntegerField(help_text="By the true means the rank of this one lies from here")
    rank_hi = serializers.IntegerField(help_text="to here with 95 %.")
    all_lo = serializers.IntegerField(help_text="By the true means the ranks of all lie from here")
    all_hi = serializers.IntegerField(help_text="to here, every one of them, with 95 %.")
    owner = serializers.CharField(source="name")
    elo = serializers.FloatField(help_text="The mean over all games; those without a bot are left open.")
    ci95 = serializers.FloatField(help_text="elo - ci95 to elo + ci95 holds it with 95 %: wider for each missing game.")
    games = serializers.DictField(child=serializers.FloatField(), help_text="The rating in each game it plays.")


class OverallShape(serializers.Serializer[Any]):
    ladders = serializers.ListField(child=serializers.CharField(), help_text="The bots that count, one for each game.")
    between = serializers.FloatField(help_text="How much owners differ in all games, in Elo.")
    within = serializers.FloatField(help_text="How much one owner differs from game to game, in Elo.")
    standings = OwnerShape(many=True)


class OverallTable(View):
    @extend_schema(responses=OverallShape)
    def get(self, request: Request) -> HttpResponse:
        """Owners over all games, best first: by what is sure of the ratings of the bots that count, added up. A joint
        fit of the same ratings describes their mean, in which a missing game is left open."""
        ladders, joint = overall_standings()
        deviations = {"between": joint.between, "within": joint.within}
        table = {"ladders": [ladder.slug for ladder in ladders], **deviations, "standings": joint.lines}
        return unchanging(show(OverallShape, table, request), "public, no-cache")


class Overall(View):
    @extend_schema(request=None, responses=BotShape)
    def post(self, request: Request, bot: int) -> Response:
        """Name the bot of yours that counts over all games, by the sets dealt from now on, once there are 60;
        the one that counts now does so until then. After 30 days another may be named, if the named one counts by then.
        By default the first that entered counts, by all of its sets."""
        name_bot(bot=named_bot(request.user, bot), by=api_user(request))
        return Response(show(BotShape, find_row(bots_shown_to(request.user), bot, pk=bot), request))
