"""Practice games: against bots, with invited people, or continued from a match. Others do not see them."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import open_to
from tournaments.core.errors import Refused
from tournaments.features.practice.gathering import LONGEST, MOST_MINUTES, take_seat
from tournaments.features.practice.seats import at_tables_of, seated_player
from tournaments.features.practice.shapes import OnePracticeShape, PracticeShape
from tournaments.features.practice.shares import end_share_link, make_share_link
from tournaments.features.practice.slow_play import TABLE_ACTIONS, leave_practice
from tournaments.features.practice.start import begin_practice, fork_practice, play_again
from tournaments.features.practice.turns import answer_question, retry
from tournaments.models import Practice, User
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import api_user, find_row, paged, read_form, show, verb_view
from tournaments.web.api.inputs import BIGGEST_ID, EmptyBody, Form, Number, PageQuery, SlugText, Text
from tournaments.web.api.matches import matches_of
from tournaments.web.api.named import named_ladder
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.parsers import Gzipped

MOST_SEATS = 8
WHO = 'By seat: "person" (you), "invited" (who has the invitation), "version-12", "draft-3", "sample-random".'


@extend_schema_field({"type": "string", "pattern": r"^(person|invited|(version|draft)-[0-9]{1,18}|sample-.+)$"})
class SeatKey(Text):
    """What has another form names nobody, and is refused as unknown."""


def seat_list() -> serializers.ListField:
    return serializers.ListField(child=SeatKey(max_length=60), min_length=1, max_length=MOST_SEATS, help_text=WHO)


class PracticeBody(Form):
    ladder = SlugText(help_text="The slug of a ladder, whose clock and limits apply.")
    seats = seat_list()
    hours = Number(
        min_value=1,
        max_value=LONGEST,
        required=False,
        help_text="Hours for each answer, if people are invited; by default 24.",
    )
    minutes = Number(
        min_value=1, max_value=MOST_MINUTES, required=False, help_text="For each answer, in the place of hours."
    )


class ForkBody(Form):
    at = Number(min_value=0, max_value=BIGGEST_ID, help_text="The number of the match's answers to keep.")
    seats = seat_list()


class AnswerBody(Form):
    turn = Number(min_value=0, max_value=BIGGEST_ID, help_text="`answers` of the practice, as you saw it.")
    action = serializers.DictField(help_text="What a bot would answer (docs/protocol.md).")


class JoinBody(Form):
    invitation = Text(max_length=60, help_text="The last part of the link.")


class SeatBody(Form):
    seat = Number(min_value=0, max_value=MOST_SEATS, help_text="A free one.")
    player = SeatKey(max_length=60, help_text='"version-12", "draft-3" or "sample-random".')


def practices_of(user: User) -> QuerySet[Practice]:
    return Practice.objects.filter(at_tables_of(user), open_to(user, "ladder__space")).select_related("ladder", "owner")


def own_practice(request: Request, practice: int) -> Practice:
    return find_row(practices_of(api_user(request)), practice, pk=practice)


def practice_data(request: Request, practice: int) -> Any:
    return show(OnePracticeShape, own_practice(request, practice), request)


def practice_created(request: Request, practice: Practice) -> Response:
    location = reverse("api:practice", args=[practice.pk])
    return Response(practice_data(request, practice.pk), 201, headers={"Location": location})


class Practices(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(PracticeShape))
    def get(self, request: Request) -> Response:
        """Your practice games and those at whose tables you sit, newest first."""
        return paged(PracticeShape, request, practices_of(api_user(request)).defer("replay", "report", "faults_data"))

    @extend_schema(request=PracticeBody, responses={201: OnePracticeShape})
    def post(self, request: Request) -> Response:
        """Begin a game beside all ratings: against bots, with people whom you invite, or for bots to play."""
        given, by = read_form(PracticeBody, request.data), api_user(request)
        seats = [seated_player(key, by) for key in given["seats"]]
        ladder, hours, minutes = named_ladder(by, given["ladder"]), given.get("hours"), given.get("minutes")
        begun = begin_practice(by=by, ladder=ladder, seats=seats, hours=hours, minutes=minutes)
        return practice_created(request, begun)


class MatchFork(OwnView):
    @extend_schema(request=ForkBody, responses={201: OnePracticeShape})
    def post(self, request: Request, match: int) -> Response:
        """Go on from a moment of a match whose set is over, with others at its seats."""
        given, by = read_form(ForkBody, request.data), api_user(request)
        row = find_row(matches_of(by), match, pk=match)
        seats = [seated_player(key, by) for key in given["seats"]]
        return practice_created(request, fork_practice(by=by, match=row, moment=given["at"], seats=seats))


class OnePractice(OwnView):
    @extend_schema(responses=OnePracticeShape)
    def get(self, request: Request, practice: int) -> Response:
        """One of your games; `asked` is what you have to answer now."""
        return Response(practice_data(request, practice))


class PracticeAnswer(OwnView):
    @extend_schema(request=AnswerBody, responses=OnePracticeShape)
    def post(self, request: Request, practice: int) -> Response:
        """Answer what you are asked."""
        row, given = own_practice(request, practice), read_form(AnswerBody, request.data)
        answer_question(practice=row, by=api_user(request), turn=given["turn"], action=given["action"])
        return Response(practice_data(request, practice))


class PracticeLeave(OwnView):
    while_suspended = True

    @extend_schema(request=None, responses=OnePracticeShape)
    def post(self, request: Request, practice: int) -> Response:
        """Leave a game for good; one of several people goes on, with defaults at your seat."""
        leave_practice(practice=own_practice(request, practice), by=api_user(request))
        return Response(practice_data(request, practice))


class PracticeRetry(OwnView):
    @extend_schema(request=None, responses=OnePracticeShape)
    def post(self, request: Request, practice: int) -> Response:
        """Have the bots asked again in a game that has failed."""
        retry(practice=own_practice(request, practice), by=api_user(request))
        return Response(practice_data(request, practice))


class PracticeAgain(OwnView):
    @extend_schema(request=None, responses={201: OnePracticeShape})
    def post(self, request: Request, practice: int) -> Response:
        """The same table with another deal, everybody one seat on."""
        return practice_created(request, play_again(practice=own_practice(request, practice), by=api_user(request)))


class PracticeShare(OwnView):
    @extend_schema(request=None, responses=OnePracticeShape)
    def post(self, request: Request, practice: int) -> Response:
        """Show a game that is over to whoever has its link."""
        make_share_link(practice=own_practice(request, practice), by=api_user(request))
        return Response(practice_data(request, practice))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, practice: int) -> HttpResponse:
        """Take the link back; it leads nowhere any more."""
        end_share_link(practice=own_practice(request, practice), by=api_user(request))
        return HttpResponse(status=204)


class PracticeReplay(OwnView):
    renderer_classes = (Gzipped,)

    @extend_schema(responses={(200, "application/gzip"): OpenApiTypes.BINARY})
    def get(self, request: Request, practice: int) -> HttpResponse:
        """The replay of a game that is over, for `python3 -m engine.verify`."""
        row = own_practice(request, practice)
        if not row.replay:
            raise Refused("not_played", f"Practice {practice} is not over, so it has no replay.")
        response = HttpResponse(bytes(row.replay), content_type="application/gzip")
        name = f"{row.ladder.game}-practice-{practice}.json.gz"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response


class PracticeJoin(OwnView):
    @extend_schema(request=JoinBody, responses=OnePracticeShape)
    def post(self, request: Request) -> Response:
        """Take a seat to which you are invited; who sits there already stays."""
        given = read_form(JoinBody, request.data)
        return Response(practice_data(request, take_seat(key=given["invitation"], by=api_user(request)).pk))


class TableActing(OwnView):
    """The address of one action."""

    does: str
    body: type[Form]

    def do(self, request: Request, practice: int) -> Response:
        row, given = own_practice(request, practice), read_form(self.body, request.data)
        TABLE_ACTIONS[self.does](row, api_user(request), given)
        return Response(practice_data(request, practice))


SAYS = {
    "invite": "Make another invitation to your table; the former leads nowhere any more.",
    "uninvite": "Take the invitation to your table back; who sits there stays.",
    "fill": "Give a free seat at your table to a bot.",
    "start": "Begin without waiting for more people: samples take the free seats.",
    "end": "End a game that you host, for everybody.",
    "return": "Come back to a table at which you were late too often.",
}


def table_view(does: str) -> type[TableActing]:
    body = SeatBody if does == "fill" else EmptyBody
    return verb_view(TableActing, f"Table{does.title()}", SAYS[does], body, OnePracticeShape, does=does)


TableInvite, TableUninvite, TableFill = table_view("invite"), table_view("uninvite"), table_view("fill")
TableStart, TableEnd, TableReturn = table_view("start"), table_view("end"), table_view("return")
