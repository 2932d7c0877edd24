"""Who makes a request."""

import time

from django.http import HttpRequest

from tournaments.models import User

SIGNED_ON, FRESH = "signed_on", 600  # in the session; seconds


def signed_in(request: HttpRequest) -> User:
    """Return the person behind a request that only signed-in people can make."""
    assert isinstance(request.user, User)
    return request.user


def note_sign_on(request: HttpRequest) -> None:
    """Note that a provider has just said who they are."""
    request.session[SIGNED_ON] = time.time()


def has_just_signed_on(request: HttpRequest) -> bool:
    """Return whether somebody signed on a moment ago: what those have to show who have no password."""
    return float(request.session.get(SIGNED_ON, 0)) > time.time() - FRESH
