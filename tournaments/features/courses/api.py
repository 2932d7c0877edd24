"""The gradebook of a ladder."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import runs
from tournaments.core.errors import Refused
from tournaments.features.courses.gradebook import GradebookRow, gradebook_of, state_of_marks
from tournaments.features.courses.marks import Record
from tournaments.features.courses.panel import course_of, panel_names, scheme_of
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, show
from tournaments.web.api.named import named_ladder


class ChanceShape(serializers.Serializer[Any]):
    bot = serializers.CharField(help_text="A bot of the panel.")
    chance = serializers.FloatField(
        allow_null=True, help_text="The probability of finishing ahead of it; null before the first set."
    )
    low = serializers.FloatField(help_text="Of the 95 % interval.")
    high = serializers.FloatField()
    sets = serializers.IntegerField()


class GradeShape(serializers.Serializer[Any]):
    person = serializers.CharField()
    identity = serializers.CharField(help_text="The student's name on the space's roster.")
    bot = serializers.IntegerField(source="bot_id", allow_null=True, help_text="Null: no bot is in the ladder.")
    name = serializers.CharField(source="bot", help_text="The bot's name.")
    version = serializers.IntegerField(allow_null=True, help_text="The version's number.")
    uploads = serializers.IntegerField()
    late_days = serializers.IntegerField()
    chances = ChanceShape(many=True)
    points = serializers.IntegerField(help_text="The mark, minus the cost of late days.")
    sure = serializers.IntegerField(help_text="The mark at the lower ends of all intervals.")
    of = serializers.IntegerField(help_text="The highest mark.")


class GradebookShape(serializers.Serializer[Any]):
    ladder = serializers.CharField()
    state = serializers.ChoiceField(("provisional", "under_way", "final"))
    scheme = serializers.CharField(help_text="A line for each rule.")
    within = serializers.IntegerField(help_text="The precision required for each probability, in percentage points.")
    deadline = serializers.DateTimeField(allow_null=True)
    time_zone = serializers.CharField(help_text="By whose clock deadlines are meant, and late days counted.")
    late_days = serializers.IntegerField(help_text="Late days of each student.")
    penalty = serializers.IntegerField(help_text="Points that each late day costs.")
    rows = GradeShape(many=True)


class Gradebook(OwnView):
    @extend_schema(responses=GradebookShape)
    def get(self, request: Request, slug: str) -> Response:
        """All rows for organisers of the ladder; for others only their own."""
        ladder, person = named_ladder(request.user, slug), api_user(request)
        course = course_of(ladder)
        if course is None:
            raise Refused("unknown_gradebook", f"{ladder} has no gradebook")
        names = list(panel_names(course).values())
        rows = gradebook_of(course, None if runs(person, ladder.space_id) else person.pk)
        told: dict[str, object] = {
            name: getattr(course, name) for name in ("within", "deadline", "late_days", "penalty")
        }
        whole = {
            **told,
            "time_zone": course.zone.key,
            "ladder": slug,
            "state": state_of_marks(course),
            "scheme": scheme_of(course),
        }
        return Response(show(GradebookShape, {**whole, "rows": [_told(row, names) for row in rows]}, request))


def _told(row: GradebookRow, panel: list[str]) -> dict[str, object]:
    fields = {name: getattr(row, name) for name in row.__slots__}
    chances = [_chance(name, record) for name, record in zip(panel, row.records, strict=True)]
    return {**fields, "chances": chances}


def _chance(bot: str, record: Record) -> dict[str, object]:
    low, high = record.interval
    return {"bot": bot, "chance": record.estimate, "low": low, "high": high, "sets": record.sets}
