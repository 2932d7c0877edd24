"""What bots wrote in a match, for their owners."""

from collections.abc import Iterator, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from bots.notes import lines_of
from tournaments.core.accounts.permissions import evidence_seen
from tournaments.core.errors import Refused
from tournaments.models import Match, MatchSet, SeatNotes, User
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, find_row, read_form, show
from tournaments.web.api.inputs import Form, Text
from tournaments.web.api.matches import SEATS, matches_of


class NoteShape(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    bot_id = serializers.IntegerField()
    answer = serializers.IntegerField(help_text="Its place in the replay; -1 before the first question.")
    tag = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    mark = serializers.DictField(help_text="Of `place`, `to` and `number` those that the bot gave.")


class NotesShape(serializers.Serializer[Any]):
    match = serializers.IntegerField()
    notes = NoteShape(many=True)


class NotesQuery(Form):
    words = Text(required=False, default="", max_length=200, help_text="Only lines that contain all these words.")
    tag = Text(required=False, default="", max_length=31, help_text="Only lines with this tag.")
    seat = serializers.IntegerField(required=False, min_value=0, help_text="Only this seat's lines.")


class MatchNotes(OwnView):
    @extend_schema(parameters=[NotesQuery], responses=NotesShape)
    def get(self, request: Request, match: int) -> Response:
        """What your bots wrote to stderr, line by line, by question. Organisers see all bots' notes."""
        query, found = read_form(NotesQuery, request.query_params), matches_of(request.user).prefetch_related(*SEATS)
        one = find_row(found, match, pk=match)
        if one.set.status == MatchSet.Status.OPEN:
            raise Refused(
                "set_still_open", f"Match {match} is of a set still played; its notes show when all of it is over."
            )
        notes = list(notes_of(one, api_user(request), query))
        return Response(show(NotesShape, {"match": match, "notes": notes}, request))


def notes_of(match: Match, viewer: User, query: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    seats = {seat.pk: seat for seat in evidence_seen(viewer, match, match.seats.all())}
    for noted in SeatNotes.objects.filter(seat__in=seats).order_by("seat__number"):
        seat = seats[noted.seat_id]
        head = {"seat": seat.number, "bot_id": seat.version.bot_id}
        lines = [(answer, line) for answer, text in noted.pages for line in lines_of(text)]
        for answer, line in lines:
            if line.has(query["words"], query["tag"]) and query.get("seat", seat.number) == seat.number:
                yield {**head, "answer": answer, "tag": line.tag, "text": line.text, "mark": line.mark}
