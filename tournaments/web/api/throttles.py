"""How often the API may be asked, together with the pages: neither bypasses the other (`server.request_rates`)."""

from math import ceil

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from tournaments.web.api.authentication import WORKER
from tournaments.web.api.rate_limit_headers import note
from tournaments.web.server import request_rates
from tournaments.web.server.request_rates import (
    ANONYMOUS,
    EXAMINE,
    GUESSES,
    SIGN_IN,
    UPLOAD,
    USER,
    Rate,
    Spent,
    TooOften,
    address_of,
)


def spend(rate: Rate, who: str, request: Request | None = None) -> None:
    """Take one from the bucket of `who`; what is left is told in the answer to `request`. Raises Throttled when it is
    empty."""
    try:
        spent = request_rates.spend(rate, who)
    except TooOften as empty:
        note(request, rate, Spent(0, ceil(empty.wait)))
        raise Throttled(empty.wait) from None
    note(request, rate, spent)


def guess_at(request: HttpRequest, username: str) -> None:
    """Count one try at somebody's password. Tries from elsewhere are others': nobody locks out an owner."""
    spend(GUESSES, _guesser(request, username))


def was_right(request: HttpRequest, username: str) -> None:
    """Give the try back, for it was no guess."""
    request_rates.give_back(GUESSES, _guesser(request, username))


def _guesser(request: HttpRequest, username: str) -> str:
    return f"{address_of(request)} {username.casefold()}"


class Everyone(BaseThrottle):
    """The rate of the person, or of the address of somebody unknown; match workers are not counted."""

    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.auth == WORKER:
            return True
        if request.user.is_authenticated:
            spend(USER, str(request.user.pk), request)
        else:
            spend(ANONYMOUS, address_of(request), request)
        return True


class Uploads(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend(UPLOAD, str(request.user.pk), request)
        return True


class Examinations(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        spend(EXAMINE, str(request.user.pk), request)
        return True


class SignIns(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend(SIGN_IN, address_of(request), request)
        return True
