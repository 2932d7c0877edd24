"""The border of the site for text: queries, cookies and forms of pages are cleaned here, once for all fields.

Bodies of the API are cleaned by its parsers (`tournaments.api.parsers`), by the same rule.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from tournaments.config.plain_text import clean, cleaned_query
from tournaments.errors import PROBLEM, problem

NUL = "\0"
log = logging.getLogger("django.request")


class CleanText:
    """Middleware: text comes in without what no text needs (`tournaments.config.plain_text`).

    An address with a NUL names nothing, a cookie that is not clean is nobody's: ours are. Where the database refuses a
    value all the same, the answer is 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path:
            return nothing_there(request)
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value == clean(value)}
        request.GET = cleaned_query(request.GET)  # type: ignore[assignment]  # that it is mutable harms nobody
        clean_when_read(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        if not isinstance(problem, DataError):
            return None
        log.warning("The database cannot hold what was sent to %s", request.path, exc_info=problem)
        return render(request, "400.html", status=400)


def nothing_there(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        detail = "There is nothing at an address with a NUL in it."
        return JsonResponse(problem("unknown_address", detail, 404), status=404, content_type=PROBLEM)
    raise Http404("There is no page at an address with a NUL in it.")


def clean_when_read(request: HttpRequest) -> None:
    """Clean the form when a view first reads it, and not before: some refuse its size or its sender first."""
    inside: Any = request  # Django has no public place between parsing and `POST`
    load = inside._load_post_and_files  # noqa: SLF001

    def load_clean() -> None:
        load()
        inside._post = cleaned_query(inside._post)  # noqa: SLF001

    inside._load_post_and_files = load_clean  # noqa: SLF001
