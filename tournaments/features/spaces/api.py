"""Spaces, their organisers and members, and joining them. Actions with a reason are at `acts`."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.spaces import check_runs_space, listed_for, spaces_open_to
from tournaments.core.errors import Refused
from tournaments.features.spaces import opening
from tournaments.features.spaces.admission import (
    MOST_ADDRESSES,
    NAME_SOMEBODY,
    SPACE_ACTIONS,
    admit_addresses,
    spaces_admitting,
)
from tournaments.features.spaces.join_codes import (
    MOST_DAYS,
    MOST_USES,
    find_code,
    is_short,
    join_by,
    make_code,
    open_codes,
    revoke_join_code,
)
from tournaments.features.spaces.members import leave_home
from tournaments.features.spaces.own_workers import workers_of
from tournaments.features.spaces.roster import Planned, bring_in_and_mail, lines_as_shown, link_for, plan, uninvited
from tournaments.features.spaces.roster_text import MOST_BYTES, columns_read
from tournaments.features.spaces.shapes import (
    AnnouncementShape,
    CodeShape,
    MemberShape,
    RosterShape,
    SpaceShape,
    WorkerShape,
)
from tournaments.models import Announcement, Space, User
from tournaments.web.api.account import OwnView
from tournaments.web.api.base import View, api_user, find_row, paged, read_form, show, verb_view
from tournaments.web.api.inputs import (
    BIGGEST_ID,
    Changes,
    Choice,
    EmptyBody,
    Form,
    Number,
    PageQuery,
    SomebodyBody,
    Text,
)
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.throttles import spend_request
from tournaments.web.server.request_rates import JOIN_CODES, OPENING, SIGN_UP, TooOften, asker_address, check_tries


class SpaceBody(Form):
    slug = Text(max_length=30, help_text="3 to 30 small letters and digits, beginning with a letter.")
    title = Text(max_length=80)
    about = Text(default="", allow_blank=True, max_length=opening.LONGEST_ABOUT, help_text="Markdown.")
    access = serializers.ChoiceField(Space.Access.choices, default=Space.Access.PRIVATE)
    pseudonyms = Choice(default=False, help_text="Members have only drawn names; this cannot be changed.")
    blind = Choice(default=False, help_text="With pseudonyms: organisers do not see who is who either, until lifted.")


class SpaceChangesBody(Changes):
    title = Text(required=False, max_length=80)
    about = Text(required=False, allow_blank=True, max_length=opening.LONGEST_ABOUT, help_text="Markdown.")


def requested_space(request: Request, slug: str) -> Space:
    """Return the space. Raises Refused: unknown_space."""
    return find_row(spaces_open_to(request.user), slug, slug=slug)


def organised_space(request: Request, slug: str) -> Space:
    """Return the space, for its organisers. Raises Refused: unknown_space, not_organiser, not_signed_in."""
    space = requested_space(request, slug)
    if not isinstance(request.user, User):
        raise Refused("not_signed_in", "Sign in: this is for the space's organisers.")
    check_runs_space(request.user, space.pk)
    return space


class Spaces(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(SpaceShape))
    def get(self, request: Request) -> Response:
        """Public spaces and yours, newest first."""
        rows: QuerySet[Space] = Space.objects.filter(listed_for(request.user, "pk"))
        return paged(SpaceShape, request, rows)

    @extend_schema(request=SpaceBody, responses={201: SpaceShape})
    def post(self, request: Request) -> Response:
        """Open a space, with you as its organiser."""
        by, given = api_user(request), read_form(SpaceBody, request.data)
        spend_request(OPENING, str(by.pk))
        made = opening.open_space(by=by, **given)
        shown = show(SpaceShape, made, request)
        return Response(shown, 201, headers={"Location": reverse("api:space", args=[made.slug])})


class OneSpace(View):
    @extend_schema(responses=SpaceShape)
    def get(self, request: Request, slug: str) -> Response:
        """One space."""
        return Response(show(SpaceShape, requested_space(request, slug), request))

    @extend_schema(request=SpaceChangesBody, responses=SpaceShape)
    def patch(self, request: Request, slug: str) -> Response:
        """Change the title and description of a space that you organise."""
        space, given = organised_space(request, slug), read_form(SpaceChangesBody, request.data)
        described: dict[str, Any] = {"title": space.title, "about": space.about, **given}
        opening.describe_space(space=space, by=api_user(request), **described)
        return Response(show(SpaceShape, requested_space(request, slug), request))


class Members(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(MemberShape))
    def get(self, request: Request, slug: str) -> Response:
        """The members of a space that you organise, the newest first."""
        return paged(MemberShape, request, organised_space(request, slug).members.select_related("user", "space"))


class Announcements(View):
    @extend_schema(parameters=[PageQuery], responses=list_shape(AnnouncementShape))
    def get(self, request: Request, slug: str) -> Response:
        """What its organisers announce in a space and on its ladders, the newest first."""
        space = requested_space(request, slug)
        rows = Announcement.objects.filter(Q(space=space) | Q(ladder__space=space), withdrawn=None)
        return paged(AnnouncementShape, request, rows.select_related("act", "ladder"))


class OwnWorkers(View):
    @extend_schema(responses=WorkerShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The workers of a space of which you are an organiser, bound to it by the site's operator."""
        return Response(WorkerShape(workers_of(organised_space(request, slug)), many=True).data)


class SpaceActing(View):
    """The address of one action."""

    does: str
    body: type[Form]

    def do(self, request: Request, slug: str) -> HttpResponse:
        by, somebody = api_user(request), read_form(self.body, request.data)
        admitting = spaces_admitting(by).filter(slug=slug).first() if self.does == "join" else None
        space = admitting or requested_space(request, slug)
        with transaction.atomic():
            SPACE_ACTIONS[self.does](space, somebody.get("user", ""), by)
        return HttpResponse(status=204)


SAYS = {
    "join": "Join a space that admits your confirmed address.",
    "ask": "Ask to join a space.",
    "take-back": "Take back the request to join a space.",
    "approve": "Accept somebody's request to join a space that you organise.",
    "refuse": "Refuse somebody's request to join a space.",
    "leave": "Leave a space; your bots leave its ladders and events.",
    "organiser": "Make a member an organiser.",
    "step-down": "Become a member instead of an organiser.",
}


def space_view(does: str) -> type[SpaceActing]:
    name, body = f"Space{does.title().replace('-', '')}", SomebodyBody if does in NAME_SOMEBODY else EmptyBody
    return verb_view(SpaceActing, name, SAYS[does], body, {204: None}, does=does)


SpaceJoin, SpaceAsk, SpaceTakeBack = space_view("join"), space_view("ask"), space_view("take-back")
SpaceApprove, SpaceRefuse, SpaceLeave = space_view("approve"), space_view("refuse"), space_view("leave")
SpaceOrganiser, SpaceStepDown = space_view("organiser"), space_view("step-down")


class CodeBody(Form):
    days = Number(min_value=1, max_value=MOST_DAYS, help_text="How long it works.")
    uses = Number(min_value=1, max_value=MOST_USES, help_text="How many people may join with it.")


class JoinSpaceBody(Form):
    code = Text(max_length=64, help_text="The code, or the last part of its link.")


class AddressesBody(Form):
    addresses = serializers.ListField(
        child=Text(max_length=254), max_length=MOST_ADDRESSES, help_text="All of them; @example.org is a whole domain."
    )


class AddressesShape(serializers.Serializer[Any]):
    addresses = serializers.ListField(child=serializers.CharField())


class RosterBody(Form):
    people = Text(max_length=MOST_BYTES, trim_whitespace=False, help_text="CSV: address, name, account's name.")
    preview = Choice(default=False, help_text="True: only show what would happen.")


class Codes(View):
    @extend_schema(responses=CodeShape(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The join codes of a space that you organise."""
        return Response(CodeShape(open_codes(organised_space(request, slug)), many=True).data)

    @extend_schema(request=CodeBody, responses={201: CodeShape})
    def post(self, request: Request, slug: str) -> Response:
        """Create a code."""
        space = organised_space(request, slug)
        made = make_code(space=space, by=api_user(request), **read_form(CodeBody, request.data))
        return Response(show(CodeShape, made, request), 201)


class OneCode(View):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Revoke a code: nobody can join with it any more."""
        if number > BIGGEST_ID:
            raise Refused("unknown_join_code", f"There is no code {number}.")
        revoke_join_code(space=organised_space(request, slug), number=number, by=api_user(request))
        return HttpResponse(status=204)


class Joins(View):
    @extend_schema(request=JoinSpaceBody, responses={201: SpaceShape})
    def post(self, request: Request) -> Response:
        """Join the space of a code. At most twenty wrong codes in half an hour."""
        by, typed = api_user(request), read_form(JoinSpaceBody, request.data)["code"]
        if is_short(typed):
            try:
                check_tries(JOIN_CODES, f"user {by.pk}")
            except TooOften as empty:
                raise Throttled(empty.wait) from None
        code = find_code(typed)
        if code is None:
            spend_request(JOIN_CODES, f"user {by.pk}", request)
            raise Refused("unknown_join_code", "This code opens nothing: it is mistyped, or has ended, or is used up.")
        join_by(code=code, user=by)
        return Response(show(SpaceShape, code.space, request), 201)


class Addresses(View):
    @extend_schema(responses=AddressesShape)
    def get(self, request: Request, slug: str) -> Response:
        """The addresses whose confirmed owners may join a space that you organise."""
        admits = organised_space(request, slug).admits.order_by("address")
        return Response({"addresses": list(admits.values_list("address", flat=True))})

    @extend_schema(request=AddressesBody, responses=AddressesShape)
    def patch(self, request: Request, slug: str) -> Response:
        """Set these addresses: these, and no others."""
        space, given = organised_space(request, slug), read_form(AddressesBody, request.data)["addresses"]
        admit_addresses(space=space, by=api_user(request), lines="\n".join(given))
        return self.get(request, slug)


class Roster(View):
    @extend_schema(request=RosterBody, responses=RosterShape)
    def post(self, request: Request, slug: str) -> Response:
        """Add people: each gets an account in the space, by mail or with a link for you to pass on."""
        space, by, given = organised_space(request, slug), api_user(request), read_form(RosterBody, request.data)
        if given["preview"]:
            planned = lines_as_shown(space, plan(space=space, text=given["people"], by=by))
            return Response(show(RosterShape, roster_answer(given["people"], planned, 0, []), request))
        planned, mailed = bring_in_and_mail(space=space, text=given["people"], by=by)
        waiting = [] if settings.CAN_MAIL else uninvited(planned)
        if space.blind:
            planned, mailed, waiting = lines_as_shown(space, planned), 0, []
        return Response(show(RosterShape, roster_answer(given["people"], planned, mailed, waiting), request))


def roster_answer(text: str, planned: list[Planned], mailed: int, waiting: list[Planned]) -> dict[str, Any]:
    links = {row.user.pk: link_for(row.user) for row in waiting if row.user}
    lines = [
        {
            "line": row.line.number,
            "address": row.line.address,
            "identity": row.line.identity,
            "what": row.what,
            "says": str(row.says),
            "account": row.user.username if row.user else None,
            "link": links.get(row.user.pk) if row.user else None,
        }
        for row in planned
    ]
    read, not_read = columns_read(text)
    return {"lines": lines, "mailed": mailed, "read": read, "not_read": not_read}


class WholeSite(OwnView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        """Make an account created for a space visible on the whole site."""
        spend_request(SIGN_UP, asker_address(request), request)
        leave_home(user=api_user(request))
        return HttpResponse(status=204)
