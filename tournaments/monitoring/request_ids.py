"""A name for each request: in its answer, and in every line of the log that was written because of it."""

import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from workers.logs import begin

SANE = re.compile(r"[A-Za-z0-9_.-]{8,64}")

log = logging.getLogger(__name__)


def request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: takes the name that a proxy gave in X-Request-ID, if it is of a sane shape, and answers it."""

    def respond(request: HttpRequest) -> HttpResponse:
        began, told = time.monotonic(), request.headers.get("X-Request-ID", "")
        name = told if SANE.fullmatch(told) else uuid4().hex
        begin(request=name)  # and no end: Django logs what was refused after the last middleware
        response = get_response(request)
        seconds = time.monotonic() - began
        log.debug("%s %s %d in %.3f s", request.method, request.path, response.status_code, seconds)
        response.headers["X-Request-ID"] = name
        return response

    return respond
