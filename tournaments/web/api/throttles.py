"""How often the API may be asked, together with the pages: neither bypasses the other (`server.request_rates`)."""

from math import ceil

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from tournaments.web.api.authentication import WORKER
from tournaments.web.api.rate_limit_headers import note_spent_rate
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
    asker_address,
)


def spend_request(rate: Rate, who: str, request: Request | None = None) -> None:
    """Take one from the bucket of `who`; what is left is told in the answer to `request`. Raises Throttled when it is
    empty."""
    try:
        spent = request_rates.take_try(rate, who)
    except TooOften as empty:
        note_spent_rate(request, rate, Spent(0, ceil(empty.wait)))
        raise Throttled(empty.wait) from None
    note_spent_rate(request, rate, spent)


def guess_at(request: HttpRequest, username: str) -> None:
    """Count one try at somebody's password. Tries from elsewhere are others': nobody locks out an owner."""
    spend_request(GUESSES, _guesser(request, username))


def was_right(request: HttpRequest, username: str) -> None:
    """Give the try back, for it was no guess."""
    request_rates.give_back_try(GUESSES, _guesser(request, username))


def _guesser(request: HttpRequest, username: str) -> str:
    return f"{asker_address(request)} {username.casefold()}"


class Everyone(BaseThrottle):
    """The rate of the person, or of the address of somebody unknown; match workers are not counted."""

    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.auth == WORKER:
            return True
        if request.user.is_authenticated:
            spend_request(USER, str(request.user.pk), request)
        else:
            spend_request(ANONYMOUS, asker_address(request), request)
        return True


class Uploads(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend_request(UPLOAD, str(request.user.pk), request)
        return True


class Examinations(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        spend_request(EXAMINE, str(request.user.pk), request)
        return True


class SignIns(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend_request(SIGN_IN, asker_address(request), request)
        return True
