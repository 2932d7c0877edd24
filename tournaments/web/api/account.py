"""The user's own account: its description, e-mail notices, and notices and feed.

What opens the account (the password, the second factor, a session) is not here: pages ask for it.
"""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.organisers import has_factor
from tournaments.core.errors import Refused
from tournaments.core.notices.channels import (
    KINDS,
    check_has_address,
    choose_mailed,
    mark_all_read,
    new_feed_key,
    send_confirmation,
)
from tournaments.ledger.competitors.about_texts import LONGEST, describe_oneself
from tournaments.models import User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, paged, read_form, show
from tournaments.web.api.inputs import Changes, Form, PageQuery, Text
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.account import AccountShape, FeedShape, NoticeShape
from tournaments.web.api.throttles import guess_at, spend_request, was_right
from tournaments.web.server.request_rates import LETTERS


class AccountBody(Changes):
    about = Text(required=False, allow_blank=True, max_length=LONGEST, help_text="Plain text; public.")
    mailed = serializers.ListField(
        child=serializers.ChoiceField(KINDS), required=False, help_text="Which kinds of notices come by e-mail."
    )


class EmailBody(Form):
    email = serializers.EmailField(allow_blank=True, max_length=254, help_text="Empty: remove the address.")
    password = Text(max_length=1024, trim_whitespace=False)


class OwnView(View):
    permission_classes = (SignedIn,)


def account_of(user: User) -> dict[str, Any]:
    """Return the account as it is now in the database."""
    now = User.objects.get(pk=user.pk)
    places = now.memberships.select_related("team").order_by("role", "team__name")
    return {
        "name": now.username,
        "about": now.about,
        "email": now.email,
        "email_confirmed": bool(now.email) and now.email == now.confirmed_email,
        "second_factor": has_factor(now),
        "mailed": now.mailed,
        "teams": [{"team": place.team_id, "name": place.team.name, "role": place.role} for place in places],
        "unread": now.notices.filter(read_at=None).count(),
    }


class Account(OwnView):
    @extend_schema(responses=AccountShape)
    def get(self, request: Request) -> Response:
        """Your own account, with your teams and the invitations that wait for your answer."""
        return Response(show(AccountShape, account_of(api_user(request)), request))

    @extend_schema(request=AccountBody, responses=AccountShape)
    def patch(self, request: Request) -> Response:
        """Say something about yourself, or which notices come by e-mail."""
        user, given = api_user(request), read_form(AccountBody, request.data)
        if "about" in given:
            describe_oneself(user=user, about=given["about"])
        if "mailed" in given:
            choose_mailed(user=user, kinds=given["mailed"])
        return Response(show(AccountShape, account_of(user), request))


class Email(OwnView):
    @extend_schema(request=EmailBody, responses=AccountShape)
    def post(self, request: Request) -> Response:
        """Change the account's address. It requires the password: mail to the address can open the account."""
        user, given = api_user(request), read_form(EmailBody, request.data)
        guess_at(request, user.username)
        if not user.check_password(given["password"]):
            raise Refused("bad_password", "This is not your password.")
        was_right(request, user.username)
        if not settings.CAN_MAIL:
            raise Refused("no_mail", "This site sends no mail, so it keeps no addresses.")
        User.objects.filter(pk=user.pk).update(email=given["email"])
        return Response(show(AccountShape, account_of(user), request))


class Letter(OwnView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        """Send a mail with a link that confirms your address."""
        user = api_user(request)
        check_has_address(user)
        spend_request(LETTERS, str(user.pk))
        outcome = send_confirmation(user)
        if not outcome.arrived:
            raise Refused("try_later", f"The letter could not be sent: {outcome.says}. Try again later.")
        return HttpResponse(status=204)


class Feed(OwnView):
    @extend_schema(request=None, responses=FeedShape)
    def post(self, request: Request) -> Response:
        """Create a new address for your feed; the old one stops working. Anyone who knows it can read your notices."""
        user = api_user(request)
        path = reverse("feed-person", args=[user.username, new_feed_key(user)])
        return Response(show(FeedShape, {"address": f"{settings.SITE_URL}{path}"}, request))


class Notices(OwnView):
    @extend_schema(parameters=[PageQuery], responses=list_shape(NoticeShape))
    def get(self, request: Request) -> Response:
        """Your notices, newest first."""
        return paged(NoticeShape, request, api_user(request).notices.all())


class NoticesRead(OwnView):
    while_suspended = True

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> HttpResponse:
        """Mark all as read."""
        mark_all_read(api_user(request))
        return HttpResponse(status=204)
