"""Health and metrics endpoints: /healthz (does this process answer), /readyz (does the platform work), /metrics,
/arrivalz (how a request arrived).

A middleware, before those that check the host's name or redirect to HTTPS: load balancers and Prometheus ask each
process by its IP address and without TLS.
"""

import hmac
import time
from collections.abc import Callable
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from tournaments.ops.monitoring import arrivals, health, metrics
from tournaments.web.server.client_address import address_in

FRESH = 1.0  # seconds for which an answer is reused
CHECK_TIMEOUT = 5.0  # seconds

Answer = Callable[[HttpRequest], HttpResponse]


def monitoring_endpoints(get_response: Answer) -> Answer:
    endpoints: dict[str, Answer] = {
        "/healthz": healthy,
        "/readyz": Readiness(),
        "/metrics": metrics_page,
        arrivals.PATH: arrivals.arrival_page,
    }

    def respond(request: HttpRequest) -> HttpResponse:
        endpoint = endpoints.get(request.path_info)
        if not endpoint:
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return _refused(405, "bad_method", "Only GET and HEAD are answered here.", Allow="GET, HEAD")
        answer = endpoint(request)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return respond


def healthy(_: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok", "detail": "This process answers."})


class Readiness:
    """The answer of /readyz. `?exclude=PART`, once or more, leaves parts out of the verdict."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._parts: list[health.HealthPart] = []
        self._until = 0.0

    def __call__(self, request: HttpRequest) -> HttpResponse:
        excluded = set(request.GET.getlist("exclude"))
        if unknown := sorted(excluded - set(health.PARTS)):
            listing = ", ".join(health.PARTS)
            return _refused(400, "unknown_part", f"There is no part {unknown[0]!r}; the parts are {listing}.")
        if not (parts := self._look()):
            return _refused(503, "slow", f"The checks have not ended within {CHECK_TIMEOUT:g} s.")
        chosen = [part for part in parts if part.name not in excluded]
        well = all(part.well for part in chosen)
        details = {part.name: {"ok": part.well, "detail": part.says} for part in chosen}
        return JsonResponse({"status": "ok" if well else "failing", "parts": details}, status=200 if well else 503)

    def _look(self) -> list[health.HealthPart]:
        """One request checks, others wait for its result, up to a timeout: a server may hang."""
        if not self._lock.acquire(timeout=CHECK_TIMEOUT):
            return []
        try:
            if time.monotonic() >= self._until:
                self._parts, self._until = health.check_health(), time.monotonic() + FRESH
            return self._parts
        finally:
            self._lock.release()


def metrics_page(request: HttpRequest) -> HttpResponse:
    if not may_measure(request):
        detail = "Metrics are told to whoever brings METRICS_TOKEN as a Bearer token, or asks from this very machine."
        return _refused(403 if settings.METRICS_TOKEN else 404, "no_metrics", detail)
    return HttpResponse(metrics.metrics_text(), content_type=metrics.CONTENT_TYPE)


def may_measure(request: HttpRequest) -> bool:
    """Return whether the asker may measure: by the token if one is set, else from the loopback, not through a proxy."""
    if token := settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())
    proxied = {"X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"} & request.headers.keys()
    peer = address_in(request.META.get("REMOTE_ADDR", ""))
    return not proxied and peer is not None and peer.is_loopback


def _refused(status: int, code: str, detail: str, **headers: str) -> HttpResponse:
    return JsonResponse({"code": code, "detail": detail}, status=status, headers=headers)
