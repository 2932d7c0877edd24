"""Search by words."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.features.search.hits import KINDS, MOST, search
from tournaments.ledger.search.words import LONGEST, words_of
from tournaments.web.api.base import View, read_form, show
from tournaments.web.api.inputs import Form, PageSize, Text

MOST_OF_A_KIND = 50


class SearchQuery(Form):
    q = Text(max_length=LONGEST, help_text="Words: parts of names, words of what is said there, a match's number.")
    page_size = PageSize(default=MOST, min_value=1, max_value=MOST_OF_A_KIND, help_text="At most so many of each kind.")


class HitShape(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(list(KINDS))
    key = serializers.CharField(help_text="An id, a slug or a person's name: as the kind's own addresses take it.")
    title = serializers.CharField()
    about = serializers.CharField(help_text="One line.")
    address = serializers.CharField(help_text="Of its page, within the site.")


class FoundShape(serializers.Serializer[Any]):
    results = HitShape(many=True)


class Search(View):
    @extend_schema(parameters=[SearchQuery], responses=FoundShape)
    def get(self, request: Request) -> Response:
        """Matches, bots, people, teams, ladders and events with these words, the nearest of each kind first."""
        query = read_form(SearchQuery, request.query_params)
        hits_by_kind = search(request.user, words_of(query["q"]), query["page_size"])
        return Response(show(FoundShape, {"results": [hit for hits in hits_by_kind.values() for hit in hits]}, request))
