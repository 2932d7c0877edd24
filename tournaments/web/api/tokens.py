"""Keys to the API."""

from django.contrib.auth import authenticate
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.accounts.api_tokens import make_token, revoke_all, revoke_key
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.accounts.second_factor import check_factor_code
from tournaments.core.errors import Refused
from tournaments.models import User
from tournaments.web.api.authentication import SignedIn
from tournaments.web.api.base import View, api_user, find_row, paged, read_form
from tournaments.web.api.inputs import PageQuery, TokenBody
from tournaments.web.api.openapi import list_shape
from tournaments.web.api.shapes.people import SecretShape, TokenShape
from tournaments.web.api.throttles import Everyone, SignIns, guess_at, spend_request, was_right
from tournaments.web.server.request_rates import CODES, give_back_try


class Tokens(View):
    while_suspended = True
    throttle_classes = (Everyone, SignIns)

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else SignedIn()]

    @extend_schema(parameters=[PageQuery], responses=list_shape(TokenShape))
    def get(self, request: Request) -> Response:
        """Your tokens, without their secrets."""
        return paged(TokenShape, request, api_user(request).tokens.all())

    @extend_schema(request=TokenBody, responses={201: SecretShape})
    def post(self, request: Request) -> Response:
        """Create a token. It requires the password even if you are signed in: a stolen token cannot create others."""
        form = read_form(TokenBody, request.data)
        guess_at(request, name := form.pop("username"))
        user = authenticate(request, username=normalized_name(name), password=form.pop("password"))
        if not isinstance(user, User):
            raise Refused("bad_password", "There is no account of that name with that password.")
        was_right(request, name)
        pass_second_factor(user, form.pop("code"))
        return Response({"name": form["name"], "token": make_token(user=user, **form)}, 201)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> HttpResponse:
        """Revoke all your tokens, including the one you send."""
        revoke_all(by=api_user(request))
        return HttpResponse(status=204)


def pass_second_factor(user: User, code: str) -> None:
    """Raises Refused: code_needed, bad_code."""
    if not has_factor(user):
        return
    if not code:
        raise Refused("code_needed", "This account has a second factor: send its `code` too.")
    spend_request(CODES, str(user.pk))
    check_factor_code(user=user, code=code)
    give_back_try(CODES, str(user.pk))


class OneToken(View):
    while_suspended = True

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token: int) -> HttpResponse:
        """Revoke a token of yours."""
        person = api_user(request)
        revoke_key(token=find_row(person.tokens.all(), token, pk=token), by=person)
        return HttpResponse(status=204)
