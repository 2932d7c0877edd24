"""How often somebody may ask: a bucket for each asker and rate, filled and emptied by one atomic step in Redis.

Redis is not the source of truth: while it is down nothing is counted and all requests are answered as usual. Only
guesses at passwords and codes must be counted: those requests are refused until it is back.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from time import monotonic

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest
from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

from tournaments.core.errors import Refused
from tournaments.web.server.client_address import client_address

log = logging.getLogger(__name__)

# What is kept is when the bucket will be full again, in microseconds by Redis's own clock. A request puts that off by
# `each`; one that would put it further off than a whole bucket takes to fill is refused and told how long to wait.
TAKE_ONE = """
local clock = redis.call('TIME')
local now, each, whole = clock[1] * 1e6 + clock[2], tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + each
if full - now > whole then return {full - now - whole, full - now - each} end
if ARGV[3] == 'look' then return {0, full - now - each} end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return {0, full - now}
"""


GIVE_BACK = """
local clock = redis.call('TIME')
local now, full = clock[1] * 1e6 + clock[2], tonumber(redis.call('GET', KEYS[1]) or 0) - tonumber(ARGV[1])
if full <= now then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
"""
AWAY = 5.0  # seconds for which a Redis that failed is not asked again: a page must not wait for it each time
_away: dict[str, float] = {}  # until when, by address


@dataclass(frozen=True, slots=True)
class Spent:
    """How many are left at once, and in how many seconds all are."""

    left: int
    full_in: int


class TooOften(Exception):
    """The bucket is empty for so many seconds more."""

    def __init__(self, wait: float) -> None:
        super().__init__(wait)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Rate:
    """So many times at once; they come back one by one, all of them in so many seconds."""

    name: str
    times: int
    seconds: int
    closed_without_cache: bool = False

    @property
    def interval(self) -> int:
        """Return the microseconds after which one comes back."""
        return self.seconds * 1_000_000 // self.times


ANONYMOUS = Rate("anonymous", 120, 60)
USER = Rate("user", 600, 60)
UPLOAD = Rate("upload", 30, 3600)
EXAMINE = Rate("examine", 30, 3600)  # of a person: versions that are examined again
SIGN_IN = Rate("sign-in", 50, 600, closed_without_cache=True)  # of an address; a class of students shares it
GUESSES = Rate("guesses", 10, 1800, closed_without_cache=True)  # at one name, from one address, browser or session
CODES = Rate("codes", 5, 900, closed_without_cache=True)  # of one person's second factor
SIGN_UP = Rate("sign-up", 20, 3600)  # of an address; a class of students shares one
OPENING = Rate("opening", 20, 3600)  # tries of a person to open a space
JOIN_CODES = Rate("join-codes", 20, 1800, closed_without_cache=True)  # wrong ones of a person, or of an address
OWN_DATA = Rate("own-data", 5, 3600)  # of a person: it may be hundreds of megabytes
LETTERS = Rate("letters", 10, 3600)  # of a person: letters and tests that they have sent


@cache
def script(address: str, source: str = TAKE_ONE) -> Script:
    # A Redis that hangs must not hold up the requests, which can do without; a connection it has dropped is made anew.
    waits = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5, "retry": Retry(NoBackoff(), 1)}
    return Redis.from_url(address, **waits).register_script(source)


def check_tries(rate: Rate, client: str) -> None:
    """Check that there may be another try, where failures alone are counted. Raises TooOften."""
    take_try(rate, client, "look")


def take_try(rate: Rate, client: str, how: str = "take", number: int = 1) -> Spent | None:
    """Take one from the bucket of `client`; None where nothing is counted. Raises TooOften when it is empty."""
    each, whole = rate.interval * number, rate.interval * rate.times
    if not rate.closed_without_cache and monotonic() < _away.get(settings.REDIS_URL, 0.0):
        return None
    try:
        wait, until_full = script(settings.REDIS_URL)([_key(rate, client)], [each, whole, how])
    except (RedisError, OSError) as error:
        if rate.closed_without_cache:
            raise Refused(
                "try_later", "Passwords and codes cannot be checked right now; try again in a minute."
            ) from error
        log.warning("Requests are not counted: %s", error)
        _away[settings.REDIS_URL] = monotonic() + AWAY
        return None
    if wait:
        raise TooOften(int(wait) / 1_000_000)
    return Spent(rate.times - -(-int(until_full) // rate.interval), -(-int(until_full) // 1_000_000))


def give_back_try(rate: Rate, client: str, number: int = 1) -> None:
    """Put one back into the bucket of `client`: what was taken for it was no guess, for it was right."""
    with suppress(RedisError, OSError):  # then it counts as a wrong one
        script(settings.REDIS_URL, GIVE_BACK)([_key(rate, client)], [rate.interval * number])


def _key(rate: Rate, client: str) -> str:
    return caches["default"].make_key(f"throttle:{rate.name}:{client}")


def asker_address(request: HttpRequest) -> str:
    """Return the address at the other end (`server.client_address`)."""
    names = ("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED")
    peer, listed, forwarded = (request.META.get(name, "") for name in names)
    return client_address(peer, listed, forwarded, settings.PROXIES)
