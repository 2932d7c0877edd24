"""Authentication: a person (by token or by the site's cookie), a worker, or nobody."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.core.accounts.api_tokens import token_with_secret
from tournaments.core.accounts.organisers import NEEDED, lacks_one, organises
from tournaments.core.accounts.spaces import runs_a_space
from tournaments.core.broker.worker_identity import blocked, worker_of_token
from tournaments.core.errors import Refused
from tournaments.models import ApiToken, User

WORKER = "worker"  # what `request.auth` is when a match worker asks


def secret_after(request: Request, *schemes: str) -> str | None:
    """Return what the Authorization header says after one of these schemes; None where it speaks of another."""
    found, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if found.lower() in schemes else None


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        if (secret := secret_after(request, "bearer", "token")) is None:
            return None
        if (token := token_with_secret(secret)) is None:
            gone = "The token is unknown, revoked or has expired; make another one at /tokens/."
            raise AuthenticationFailed(gone, "bad_token")
        if token.reads_only and request.method not in SAFE_METHODS:
            raise PermissionDenied("This token may only read; make one that may write at /tokens/.", "reads_only")
        return token.user, token

    def authenticate_header(self, _request: Request) -> str:
        return "Token, Bearer"


class CookieAuthentication(SessionAuthentication):
    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise PermissionDenied(
                "With the site's cookie, send the CSRF cookie's value in X-CSRFToken; programs use a token.",
                "csrf_failed",
            ) from error


class WorkerAuthentication(BaseAuthentication):
    """Each match worker has a key of its own, made from the site's WORKER_TOKEN; where that is not set, nobody has."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, str] | None:
        if (secret := secret_after(request, "worker")) is None:
            return None
        if (name := worker_of_token(secret)) is None:
            raise AuthenticationFailed("This is no key that the site made for a match worker.", "bad_worker_token")
        if blocked(name):
            raise AuthenticationFailed(f"The match worker {name} is blocked.", "worker_blocked")
        return AnonymousUser(), WORKER


class SignedInToWrite(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        takes = request.method in view.allowed_methods  # else 405 says more than 401
        return request.method in SAFE_METHODS or not takes or bool(request.user.is_authenticated)


class SignedIn(BasePermission):
    def has_permission(self, request: Request, _view: APIView) -> bool:
        return bool(request.user.is_authenticated)


class SignedInOrWorker(BasePermission):
    def has_permission(self, request: Request, _view: APIView) -> bool:
        return request.auth == WORKER or bool(request.user.is_authenticated)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, _schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "`Bearer brd_...`, or `Token brd_...`."}


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = CookieAuthentication
    name = "cookie"

    def get_security_definition(self, _schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class WorkerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = WorkerAuthentication
    name = "worker"

    def get_security_definition(self, _schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "`Worker NAME:KEY`"}


class Organiser(BasePermission):
    message = "Only organisers may do that."

    def has_permission(self, request: Request, view: APIView) -> bool:
        if lacks_one(request.user):
            raise Refused("second_factor_needed", f"{NEEDED[:1].upper()}{NEEDED[1:]}.")
        return request.method not in view.allowed_methods or organises(request.user) or runs_a_space(request.user)
