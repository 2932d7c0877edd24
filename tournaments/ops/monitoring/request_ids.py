"""An id for each request: in its answer, and in every log line that it causes."""

import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from workers.logs import begin_facts

WELL_FORMED = re.compile(r"[A-Za-z0-9_.-]{8,64}")

log = logging.getLogger(__name__)


def request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: takes the id that a proxy sent in X-Request-ID, if it is well formed, and returns it."""

    def respond(request: HttpRequest) -> HttpResponse:
        began, given = time.monotonic(), request.headers.get("X-Request-ID", "")
        name = given if WELL_FORMED.fullmatch(given) else uuid4().hex
        begin_facts(request=name)  # without an end: Django logs refusals after the last middleware
        response = get_response(request)
        seconds = time.monotonic() - began
        log.debug("%s %s %d in %.3f s", request.method, request.path, response.status_code, seconds)
        response.headers["X-Request-ID"] = name
        return response

    return respond
