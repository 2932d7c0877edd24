"""Histories of ratings, head to head, and whether a line is enough, by the API."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.features.statistics.head_to_head import meetings
from tournaments.features.statistics.rating_history import history_of
from tournaments.features.statistics.transitivity import transitivity_line
from tournaments.web.api.base import View, read_form, show, unchanging
from tournaments.web.api.inputs import BIGGEST_ID, MOST_A_PAGE, Form, PageSize, Text
from tournaments.web.api.ladders import reach_of_ladder
from tournaments.web.api.named import named_bot, named_ladder
from tournaments.web.api.shapes.texts import Slug

MOST_MET = 16  # bots whose meetings are asked for at once


class HistoryQuery(Form):
    """Of one bot, the latest sets first looked at."""

    bot = serializers.IntegerField(min_value=1, max_value=BIGGEST_ID, help_text="A bot's id.")
    before = serializers.IntegerField(
        required=False, min_value=1, max_value=BIGGEST_ID, help_text="Only sets of a number below it."
    )
    page_size = PageSize(default=50, min_value=1, max_value=MOST_A_PAGE)


class MeetingsQuery(Form):
    bots = Text(help_text="Ids of 2 to 16 bots, with commas between.")

    def validate_bots(self, text: str) -> list[int]:
        ids = [part.strip() for part in text.split(",")]
        are_ids = all(part.isascii() and part.isdigit() and len(part) < 19 for part in ids)
        if not 2 <= len(ids) <= MOST_MET or not are_ids:
            raise serializers.ValidationError(f"Must be 2 to {MOST_MET} ids of bots with commas between.")
        return [int(part) for part in ids]


class StepShape(serializers.Serializer[Any]):
    set = serializers.IntegerField(help_text="The set's number in the ladder.")
    version = serializers.IntegerField(help_text="The number of the version that played.")
    elo = serializers.FloatField(help_text="The classic Elo after it.")
    delta = serializers.FloatField(help_text="The change from the set.")
    at = serializers.DateTimeField(help_text="When the set was over.")


class HistoryShape(serializers.Serializer[Any]):
    ladder = Slug()
    bot = serializers.IntegerField()
    steps = StepShape(many=True, help_text="The oldest first.")
    before = serializers.IntegerField(
        allow_null=True, help_text="Use it to ask for the previous steps; null on the first page."
    )


class MeetingShape(serializers.Serializer[Any]):
    bot = serializers.IntegerField()
    other = serializers.IntegerField()
    games = serializers.IntegerField(help_text="In which both sat at the table, of the latest rated sets.")
    share = serializers.FloatField(help_text="The bot's share of them: 1 ahead, 0.5 tied, 0 behind.")
    low = serializers.FloatField(help_text="The true share is from here")
    high = serializers.FloatField(help_text="to here with 95 %.")


class MeetingsShape(serializers.Serializer[Any]):
    ladder = Slug()
    meetings = MeetingShape(many=True)


class RatedVersionShape(serializers.Serializer[Any]):
    version_id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="The version's number.")
    bot_id = serializers.IntegerField()
    bot = serializers.CharField()


class StrayShape(serializers.Serializer[Any]):
    one = RatedVersionShape()
    other = RatedVersionShape()
    sets = serializers.IntegerField(help_text="Together.")
    taken = serializers.FloatField(help_text="One's share of the games against the other, from 0 to 1.")
    expected = serializers.FloatField(help_text="The share expected from both ratings.")
    chance = serializers.FloatField(help_text="The probability by luck, corrected for the number of pairs (Holm).")


class BeatsShape(serializers.Serializer[Any]):
    winner = RatedVersionShape()
    loser = RatedVersionShape()
    share = serializers.FloatField(help_text="The winner's share, from 0 to 1.")


class CircleShape(serializers.Serializer[Any]):
    beats = BeatsShape(many=True, help_text="Each beats the next, and the last the first.")
    chance = serializers.FloatField(
        help_text="A bound on its probability by luck, corrected for the number of triples."
    )


class LineEnoughShape(serializers.Serializer[Any]):
    sets = serializers.IntegerField(help_text="Sets used by the fit.")
    clash = serializers.FloatField(help_text="How far pairs deviate from the ratings, in Elo, apart from luck.")
    pairs = serializers.IntegerField(help_text="Pairs that met often enough to be tested.")
    straying = serializers.IntegerField(help_text="Of these, the number that deviates beyond luck, with 95 %.")
    surprises = StrayShape(many=True, help_text="At most 10, the least likely first.")
    triples = serializers.IntegerField(help_text="Triples of bots that met often enough.")
    cycles = serializers.IntegerField(help_text="Of three bots, each of which beats the next.")
    by_chance = serializers.FloatField(help_text="The average number of cycles in ladders simulated from the ratings.")
    as_many = serializers.FloatField(help_text="The share of simulated ladders with at least as many.")
    strongest = CircleShape(many=True, help_text="At most 10 of the cycles, the most certain first.")


class TransitivityShape(serializers.Serializer[Any]):
    ladder = Slug()
    transitivity = LineEnoughShape(allow_null=True, help_text="Null until a fit has computed it.")


class History(View):
    @extend_schema(parameters=[HistoryQuery], responses=HistoryShape)
    def get(self, request: Request, slug: str) -> Response:
        """A bot's classic Elo set by set, whichever version played: the latest, or those before a set."""
        ladder, query = named_ladder(request.user, slug), read_form(HistoryQuery, request.query_params)
        bot = named_bot(request.user, query["bot"])
        steps = history_of(ladder, bot.pk, query["page_size"], query.get("before"))
        before = steps[0].set if len(steps) == query["page_size"] else None
        row = {"ladder": slug, "bot": bot.pk, "steps": steps, "before": before}
        return Response(show(HistoryShape, row, request))


class HeadToHead(View):
    @extend_schema(parameters=[MeetingsQuery], responses=MeetingsShape)
    def get(self, request: Request, slug: str) -> Response:
        """Results of some bots against each other in the latest rated sets; pairs that have not met are left out."""
        ladder, bots = named_ladder(request.user, slug), read_form(MeetingsQuery, request.query_params)["bots"]
        row = {"ladder": slug, "meetings": [met for _, met in sorted(meetings(ladder, bots).items())]}
        return Response(show(MeetingsShape, row, request))


class LineEnough(View):
    @extend_schema(responses=TransitivityShape)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Whether a line is enough: pairs that deviate from the ratings, and cycles, compared with luck."""
        row = {"ladder": slug, "transitivity": transitivity_line(ladder := named_ladder(request.user, slug))}
        return unchanging(show(TransitivityShape, row, request), f"{reach_of_ladder(ladder)}, no-cache")
