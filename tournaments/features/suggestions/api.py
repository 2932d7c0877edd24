"""What a seat should have done, for programs of those whose seat it was."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.errors import Refused
from tournaments.features.suggestions.recordings import Recording, own_game, own_match
from tournaments.features.suggestions.rules import ask_suggestion
from tournaments.models import Suggestion, User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, read_form, show
from tournaments.web.api.inputs import Form, Number


class MomentBody(Form):
    at = Number(min_value=0, max_value=2**31 - 1, help_text="How many answers were given before the seat's own.")


class TriedShape(serializers.Serializer[Any]):
    answer = serializers.JSONField()
    chance = serializers.FloatField(help_text="Of winning, from 0 to 1.")
    margin = serializers.FloatField(help_text="What it gains over the given answer is so far off at most, with 95 %.")


class SuggestionShape(serializers.ModelSerializer[Suggestion]):
    tried = TriedShape(many=True, help_text="The given answer first, then others, the best first; none before the end.")

    class Meta:
        model = Suggestion
        fields = ("at", "seat", "status", "reason", "rules", "playouts", "tried", "created_at", "ended_at")


class SuggestionListShape(serializers.Serializer[Any]):
    results = SuggestionShape(many=True)


class Suggestions(View):
    permission_classes = (SignedIn,)
    find: Callable[[int, User], Recording]
    what: str

    def found(self, request: Request, number: int) -> Recording:
        """Raises Refused: unknown_match, unknown_practice."""
        try:
            return type(self).find(number, api_user(request))
        except Http404 as missing:
            raise Refused(f"unknown_{self.what}", str(missing)) from None

    def listed(self, request: Request, number: int) -> Response:
        return Response(show(SuggestionListShape, {"results": self.found(request, number).rows}, request))

    def asked(self, request: Request, number: int) -> Response:
        recording, body = self.found(request, number), read_form(MomentBody, request.data)
        row = ask_suggestion(recording=recording, at=body["at"], by=api_user(request))
        return Response(show(SuggestionShape, row, request), 201)


class MatchSuggestions(Suggestions):
    find, what = staticmethod(own_match), "match"

    @extend_schema(responses=SuggestionListShape)
    def get(self, request: Request, match: int) -> Response:
        """Return what was asked about decisions of your seats in a match that is over."""
        return self.listed(request, match)

    @extend_schema(request=MomentBody, responses={201: SuggestionShape})
    def post(self, request: Request, match: int) -> Response:
        """Have other answers tried at a decision. Asked again it is the same, unless it has failed."""
        return self.asked(request, match)


class PracticeSuggestions(Suggestions):
    find, what = staticmethod(own_game), "practice"

    @extend_schema(responses=SuggestionListShape)
    def get(self, request: Request, practice: int) -> Response:
        """Return what was asked about your decisions in a practice game that is over."""
        return self.listed(request, practice)

    @extend_schema(request=MomentBody, responses={201: SuggestionShape})
    def post(self, request: Request, practice: int) -> Response:
        """The same as in a match."""
        return self.asked(request, practice)
