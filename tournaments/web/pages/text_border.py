"""The border of the site for text: queries, cookies and forms of pages are cleaned here, once for all fields.

Bodies of the API are cleaned by its parsers (`tournaments.web.api.parsers`), by the same rule.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render

from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.plain_text import clean_text, cleaned_query
from tournaments.core.errors import PROBLEM, problem
from tournaments.web.server.body_lengths import UPLOADS, USUAL, budget_of

NUL = "\0"
SHOWN = declare(
    Budget(
        name="size of a form on the page that shows it again",
        resource="Requests and pages",
        most=2_000_000,
        unit="characters",
        holder="form",
        where="tournaments.web.pages.text_border.check_typed",
        sentence="the form is too long: a page that shows it again may take at most %(most)s characters",
    )
)
log = logging.getLogger("django.request")


class CleanText:
    """Middleware: text comes in without what no text needs (`tournaments.core.config.plain_text`).

    An address with a NUL names nothing, a cookie that is not clean is nobody's: ours are. Where the database refuses a
    value all the same, the answer is 400.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if NUL in request.path:
            return nothing_there(request)
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value == clean_text(value)}
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


def check_typed(fields: QueryDict, path: str) -> None:
    """Raise RequestDataTooBig for a form that would be too long to be shown again."""
    most = USUAL.most if budget_of(path) is UPLOADS else SHOWN.most
    if sum(2 * size_on_page(name) + sum(map(size_on_page, values)) for name, values in fields.lists()) > most:
        raise RequestDataTooBig("The form is too long to be shown again.")


def size_on_page(text: str) -> int:
    """Return about how many characters a page takes for it, where quotes and brackets are spelt out."""
    return len(text) + sum(5 * text.count(sign) for sign in "\"'<>&")


def clean_when_read(request: HttpRequest) -> None:
    """Clean the form when a view first reads it, and not before: some refuse its size or its sender first."""
    inside: Any = request  # Django has no public place between parsing and `POST`
    load = inside._load_post_and_files  # noqa: SLF001

    def load_clean() -> None:
        load()
        try:
            check_typed(inside._post, request.path)  # noqa: SLF001
        except RequestDataTooBig:
            inside._mark_post_parse_error()  # noqa: SLF001
            raise
        inside._post = cleaned_query(inside._post)  # noqa: SLF001

    inside._load_post_and_files = load_clean  # noqa: SLF001
