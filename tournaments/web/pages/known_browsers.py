"""Browsers in which a person has signed in before: guesses at the account from elsewhere do not lock them out.

A signed cookie names the browser and, by their digests alone, the accounts that were opened in it. It grants no access:
guesses from that browser are only counted separately.
"""

import secrets
from hashlib import sha256
from typing import TypeVar

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

from tournaments.models import User

R = TypeVar("R", bound=HttpResponseBase)
COOKIE, SALT = f"{settings.PREFIX}device", "device"
LASTS = 365 * 86_400  # seconds
MOST = 5  # accounts, the latest


def remember_browser(request: HttpRequest, user: User, response: R) -> R:
    """Mark this browser as one of theirs."""
    device, *accounts = _known(request) or [secrets.token_urlsafe(12)]
    mine = _digest(user.username)
    accounts = [mine, *(each for each in accounts if each != mine)][:MOST]
    value = signing.dumps([device, *accounts], salt=SALT)
    response.set_cookie(COOKIE, value, max_age=LASTS, httponly=True, secure=settings.HTTPS, samesite="Lax")
    return response


def device_of(request: HttpRequest, name: str) -> str | None:
    """The browser, if the account of that name was opened in it."""
    device, *accounts = _known(request) or [""]
    return device if _digest(name) in accounts else None


def _known(request: HttpRequest) -> list[str]:
    try:
        return [str(each) for each in signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)]
    except signing.BadSignature:
        return []


def _digest(name: str) -> str:
    return sha256(name.casefold().encode(errors="replace")).hexdigest()[:20]
