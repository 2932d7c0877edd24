"""A person who has just changed something gets fresh pages, whichever web process answers: a cached one may be older
than the change. This is noted in Redis, for longer than any page is cached; while Redis is down, all pages are made
fresh.
"""

import logging
from collections.abc import Callable

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from tournaments.models import User
from tournaments.web.server.own_parts import FORGET_HEADER

SECONDS = 15  # more than the `OLDEST` that `server.own_pages` takes for a person
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
Answer = Callable[[HttpRequest], HttpResponse]

log = logging.getLogger(__name__)


def changes_noted(get_response: Answer) -> Answer:
    """Middleware: behind those that know who asks. The API says who asks when it has answered."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE and isinstance(request.user, User) and must_forget(request.user):
            response.headers[FORGET_HEADER] = "all"
        return response

    return respond


def must_forget(user: User) -> bool:
    """Whether nothing may be kept from before: organisers change what all see, and else if it could not be noted."""
    return not note_change(user) or user.is_staff


def note_change(user: User) -> bool:
    try:
        caches["default"].set(cache_key_of(user), 1, SECONDS)
    except (RedisError, OSError) as error:
        log.warning("A change cannot be noted: %s", error)
        return False
    return True


def has_just_changed(user: User) -> bool:
    try:
        return caches["default"].get(cache_key_of(user)) is not None
    except (RedisError, OSError):
        return True


def cache_key_of(user: User) -> str:
    return f"changed:{user.pk}"
