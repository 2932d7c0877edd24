"""Refuses text with a NUL, which the database cannot hold, in paths, queries, cookies and forms."""

import logging
from collections.abc import Callable
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from tournaments.errors import PROBLEM, problem

NUL = "\0"
log = logging.getLogger("django.request")


class Storable:
    """Middleware: an address with a NUL names nothing, a query with one means nothing, a cookie with one is nobody's.

    Form fields check their own values. Where a value gets past them and the database refuses it, the answer is 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        of_api = request.path.startswith("/api/")
        if NUL in request.path and of_api:
            detail = "There is nothing at an address with a NUL in it."
            return JsonResponse(problem("unknown_address", detail, 404), status=404, content_type=PROBLEM)
        if NUL in request.path:
            raise Http404("There is no page at an address with a NUL in it.")
        if not of_api and NUL in unquote(request.META.get("QUERY_STRING", "")):
            raise BadRequest("A query has no NUL in it.")
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if NUL not in value}
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, problem: Exception) -> HttpResponse | None:
        if not isinstance(problem, DataError):
            return None
        log.warning("The database cannot hold what was sent to %s", request.path, exc_info=problem)
        return render(request, "400.html", status=400)
