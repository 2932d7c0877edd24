"""Number and duration of requests by route, summed in the broker over all web processes."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from redis import Redis, RedisError

REQUESTS, SECONDS = "boardroom:requests", "boardroom:request-seconds"  # by "METHOD STATUS ROUTE"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
EVERY, AFTER_FAILURE = 1.0, 10.0  # seconds between two updates of the broker

Answer = Callable[[HttpRequest], HttpResponse]


@cache
def counters_broker(redis_url: str) -> Redis:
    """One pool of connections, however many handlers of requests there are: every client of the tests has its own."""
    return Redis.from_url(redis_url, socket_timeout=0.5, socket_connect_timeout=0.5)


class Traffic:
    """Requests of this process that are not in the broker yet."""

    def __init__(self, redis_url: str) -> None:
        self._redis = counters_broker(redis_url)
        self._lock = Lock()
        self._requests: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._due = 0.0

    def add(self, called: str, seconds: float) -> None:
        with self._lock:
            self._requests[called] += 1
            self._seconds[called] += seconds
            if time.monotonic() < self._due:
                return
            self._due = time.monotonic() + AFTER_FAILURE
            requests, self._requests = self._requests, Counter()
            taken, self._seconds = self._seconds, defaultdict(float)
        self._flush(requests, taken)

    def _flush(self, requests: Mapping[str, int], taken: Mapping[str, float]) -> None:
        """Add counts to the broker's, without the lock: only this request waits. Failures lose a few counts."""
        try:
            with self._redis.pipeline() as pipe:
                for called, number in requests.items():
                    pipe.hincrby(REQUESTS, called, number)
                    pipe.hincrbyfloat(SECONDS, called, taken[called])
                pipe.execute()
            self._due = time.monotonic() + EVERY
        except RedisError:
            """The pages work without."""


def count_requests(get_response: Answer) -> Answer:
    """Middleware."""
    traffic = Traffic(settings.REDIS_URL)

    def respond(request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        response = get_response(request)
        traffic.add(route_label(request, response.status_code), time.monotonic() - began)
        return response

    return respond


def route_label(request: HttpRequest, status: int) -> str:
    """Return a request's name by its route, not its path, so that clients cannot make up names."""
    method = request.method if request.method in METHODS else "OTHER"
    route = f"/{request.resolver_match.route}" if request.resolver_match else "-"
    return f"{method} {status} {route}"
