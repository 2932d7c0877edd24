"""Joining a space by codes, addresses or a roster; and leaving the space that an account was made for."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.account import OwnView
from tournaments.api.base import View, read, show, signed_in
from tournaments.api.inputs import BIGGEST_ID, Choice, Form, Number, Text
from tournaments.api.throttles import spend
from tournaments.errors import Refused
from tournaments.features.spaces import who_is_who
from tournaments.features.spaces.admission import MOST_ADDRESSES, admit_addresses
from tournaments.features.spaces.api import run_by
from tournaments.features.spaces.invitations import bring_in_and_mail, link_for
from tournaments.features.spaces.join_codes import (
    MOST_DAYS,
    MOST_USES,
    find_code,
    is_short,
    join_by,
    make_code,
    open_codes,
)
from tournaments.features.spaces.join_codes import revoke as revoke_code
from tournaments.features.spaces.members import leave_home
from tournaments.features.spaces.roster import Planned, plan, uninvited
from tournaments.features.spaces.roster_text import MOST_BYTES
from tournaments.features.spaces.shapes import CodeShape, RosterShape, SpaceShape
from tournaments.server.request_rates import JOIN_CODES, SIGN_UP, TooOften, address_of, look


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
        return Response(CodeShape(open_codes(run_by(request, slug)), many=True).data)

    @extend_schema(request=CodeBody, responses={201: CodeShape})
    def post(self, request: Request, slug: str) -> Response:
        """Create a code."""
        space = run_by(request, slug)
        made = make_code(space=space, by=signed_in(request), **read(CodeBody, request.data))
        return Response(show(CodeShape, made, request), 201)


class OneCode(View):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Revoke a code: nobody can join with it any more."""
        if number > BIGGEST_ID:
            raise Refused("unknown_join_code", f"There is no code {number}.")
        revoke_code(space=run_by(request, slug), number=number, by=signed_in(request))
        return HttpResponse(status=204)


class Joins(View):
    @extend_schema(request=JoinSpaceBody, responses={201: SpaceShape})
    def post(self, request: Request) -> Response:
        """Join the space of a code. At most twenty wrong codes in half an hour."""
        by, typed = signed_in(request), read(JoinSpaceBody, request.data)["code"]
        if is_short(typed):
            try:
                look(JOIN_CODES, f"user {by.pk}")
            except TooOften as empty:
                raise Throttled(empty.wait) from None
        code = find_code(typed)
        if code is None:
            spend(JOIN_CODES, f"user {by.pk}", request)
            raise Refused("unknown_join_code", "This code opens nothing: it is mistyped, or has ended, or is used up.")
        join_by(code=code, user=by)
        return Response(show(SpaceShape, code.space, request), 201)


class Addresses(View):
    @extend_schema(responses=AddressesShape)
    def get(self, request: Request, slug: str) -> Response:
        """The addresses whose confirmed owners may join a space that you organise."""
        admits = run_by(request, slug).admits.order_by("address")
        return Response({"addresses": list(admits.values_list("address", flat=True))})

    @extend_schema(request=AddressesBody, responses=AddressesShape)
    def patch(self, request: Request, slug: str) -> Response:
        """Set these addresses: these, and no others."""
        space, given = run_by(request, slug), read(AddressesBody, request.data)["addresses"]
        admit_addresses(space=space, by=signed_in(request), lines="\n".join(given))
        return self.get(request, slug)


class Roster(View):
    @extend_schema(request=RosterBody, responses=RosterShape)
    def post(self, request: Request, slug: str) -> Response:
        """Add people: each gets an account in the space, by mail or with a link for you to pass on."""
        space, by, given = run_by(request, slug), signed_in(request), read(RosterBody, request.data)
        if given["preview"]:
            planned = who_is_who.told(space, plan(space=space, text=given["people"], by=by))
            return Response(show(RosterShape, told(planned, 0, []), request))
        planned, mailed = bring_in_and_mail(space=space, text=given["people"], by=by)
        waiting = [] if settings.CAN_MAIL else uninvited(planned)
        if space.blind:
            planned, mailed, waiting = who_is_who.told(space, planned), 0, []
        return Response(show(RosterShape, told(planned, mailed, waiting), request))


def told(planned: list[Planned], mailed: int, waiting: list[Planned]) -> dict[str, Any]:
    links = {row.user.pk: link_for(row.user) for row in waiting if row.user}
    lines = [
        {
            "line": row.line.number,
            "address": row.line.address,
            "identity": row.line.identity,
            "what": row.what,
            "account": row.user.username if row.user else None,
            "link": links.get(row.user.pk) if row.user else None,
        }
        for row in planned
    ]
    return {"lines": lines, "mailed": mailed}


class WholeSite(OwnView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        """Make an account created for a space visible on the whole site."""
        spend(SIGN_UP, address_of(request), request)
        leave_home(user=signed_in(request))
        return HttpResponse(status=204)
