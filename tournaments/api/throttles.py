"""How often somebody may ask: counters of fixed windows in the shared cache, each counted by one atomic step.

Redis is the bell, not the truth: while it is away nothing is counted and the API answers as ever. Only guessing at
passwords is not left uncounted: those requests are refused until it is back.
"""

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from tournaments.api.authentication import WORKER
from tournaments.errors import Refused

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rate:
    """So many times in so many seconds."""

    name: str
    times: int
    seconds: int
    closed_without_cache: bool = False


ANONYMOUS = Rate("anonymous", 120, 60)
USER = Rate("user", 600, 60)
UPLOAD = Rate("upload", 30, 3600)
SIGN_IN = Rate("sign-in", 10, 600, closed_without_cache=True)  # of an address
GUESSES = Rate("guesses", 20, 3600, closed_without_cache=True)  # at one name, from wherever


def spend(rate: Rate, who: str) -> None:
    """Count one request. Raises Throttled when `who` has none left in this window."""
    window, into = divmod(time.time(), rate.seconds)
    key = f"throttle:{rate.name}:{who}:{int(window)}"
    try:
        cache.add(key, 0, timeout=rate.seconds + 60)
        used = cache.incr(key)
    except (RedisError, OSError, ValueError) as error:
        if rate.closed_without_cache:
            raise Refused("try_later", "Passwords cannot be taken just now; try again in a minute.") from error
        log.warning("Requests are not counted: %s", error)
        return
    if used > rate.times:
        raise Throttled(rate.seconds - into)


def guess_at(username: str) -> None:
    """Count one try at somebody's password, from whatever address it comes."""
    spend(GUESSES, username.casefold())


class Everyone(BaseThrottle):
    """The rate of the person, or of the address of somebody unknown; match workers are not counted."""

    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.auth == WORKER:
            return True
        if request.user.is_authenticated:
            spend(USER, str(request.user.pk))
        else:
            spend(ANONYMOUS, self.get_ident(request))
        return True


class Uploads(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend(UPLOAD, str(request.user.pk))
        return True


class SignIns(BaseThrottle):
    def allow_request(self, request: Request, _view: APIView) -> bool:
        if request.method == "POST":
            spend(SIGN_IN, self.get_ident(request))
        return True
