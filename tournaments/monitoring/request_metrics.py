"""How many requests each route had, and how long they took: kept in the broker, where all web processes add theirs."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from redis import Redis, RedisError

REQUESTS, SECONDS = "boardroom:requests", "boardroom:request-seconds"  # by "METHOD STATUS ROUTE"
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
EVERY, AFTER_FAILURE = 1.0, 10.0  # seconds between two words to the broker

Answer = Callable[[HttpRequest], HttpResponse]


class Traffic:
    """Of this process, as far as the broker has not heard of it yet."""

    def __init__(self, redis_url: str) -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=0.5, socket_connect_timeout=0.5)
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
        self._tell(requests, taken)

    def _tell(self, requests: Mapping[str, int], taken: Mapping[str, float]) -> None:
        """Without the lock: nobody waits for the broker but the request that tells it. What gets lost is lost."""
        try:
            with self._redis.pipeline() as pipe:
                for called, number in requests.items():
                    pipe.hincrby(REQUESTS, called, number)
                    pipe.hincrbyfloat(SECONDS, called, taken[called])
                pipe.execute()
            self._due = time.monotonic() + EVERY
        except RedisError:
            """The pages can do without."""


def count_requests(get_response: Answer) -> Answer:
    """Middleware."""
    traffic = Traffic(settings.REDIS_URL)

    def respond(request: HttpRequest) -> HttpResponse:
        began = time.monotonic()
        response = get_response(request)
        traffic.add(name_of(request, response.status_code), time.monotonic() - began)
        return response

    return respond


def name_of(request: HttpRequest, status: int) -> str:
    """By the route and not the path: whoever asks cannot make up names."""
    method = request.method if request.method in METHODS else "OTHER"
    route = f"/{request.resolver_match.route}" if request.resolver_match else "-"
    return f"{method} {status} {route}"
