"""How many pages are made for one address, or one person, in a minute; the API counts its own requests.

Only what reaches Django counts: a page from the shared cache (`server.page_cache`) costs nothing and is not counted, so
that five hundred may look at one page from one address. A made-up query string is a page that is not cached. Streams
have a bucket of their own, of the same size, so that refused streams do not block pages.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.web.server.request_rates import Rate, TooOften, asker_address, take_try

SECONDS = 60
Answer = Callable[[HttpRequest], HttpResponse]


def counted_visits(get_response: Answer) -> Answer:
    """Middleware: behind those that know who asks."""

    def respond(request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/v1/") and not request.path.startswith("/api/v1/docs/"):
            return get_response(request)
        try:
            take_try(rate_of(request), asker(request))
        except TooOften as empty:
            return too_many_pages(request, empty)
        return get_response(request)

    return respond


def rate_of(request: HttpRequest) -> Rate:
    name = "streams" if request.path.endswith("/stream") else "visits"
    return Rate(name, settings.PAGE_REQUESTS, SECONDS)


def asker(request: HttpRequest) -> str:
    return f"user {request.user.pk}" if request.user.is_authenticated else asker_address(request)


def too_many_pages(request: HttpRequest, empty: TooOften) -> HttpResponse:
    wait = int(empty.wait) + 1
    response = render(request, "429.html", {"most": settings.PAGE_REQUESTS, "wait": wait}, status=429)
    response["Retry-After"], response["Cache-Control"] = str(wait), "no-store"
    return response
