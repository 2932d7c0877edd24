"""Whether a ladder looks fair, for programs."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from tournaments.models import FairnessReport
from tournaments.web.api.base import View, show, unchanging
from tournaments.web.api.ladders import reach_of_ladder
from tournaments.web.api.named import named_ladder
from tournaments.web.api.shapes.texts import Slug

NAMES = ("deals", "seats", "refit", "foretold", "halves", "times", "gate", "twins")


class FairnessCheckShape(serializers.Serializer[Any]):
    name = serializers.ChoiceField(choices=NAMES)
    state = serializers.ChoiceField(choices=("ok", "found", "waits", "skipped", "absent"))
    has = serializers.IntegerField(help_text="Sets, or versions, that it goes by")
    needs = serializers.IntegerField(help_text="of so many that it needs.")
    values = serializers.DictField(help_text="Its figures, by name.")


class FairnessReportShape(serializers.Serializer[Any]):
    sets = serializers.IntegerField(help_text="Rated sets.")
    made_at = serializers.DateTimeField()
    checks = FairnessCheckShape(many=True)


class FairnessShape(serializers.Serializer[Any]):
    ladder = Slug()
    report = FairnessReportShape(allow_null=True, help_text="Null until one was made.")


class Fairness(View):
    @extend_schema(responses=FairnessShape)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Whether the ladder is fair: checks of its public ledger, made every ten minutes at most."""
        ladder = named_ladder(request.user, slug)
        report = FairnessReport.objects.filter(ladder=ladder).first()
        row = {"ladder": slug, "report": report}
        return unchanging(show(FairnessShape, row, request), f"{reach_of_ladder(ladder)}, no-cache")
