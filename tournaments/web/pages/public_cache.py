"""Pages that are the same for every anonymous visitor, and may be cached briefly (`server.page_cache`)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.web.server.page_cache import FORGET

SECONDS = 1
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
View = Callable[..., HttpResponse]


def cached_for_public(view: View) -> View:
    """Return the view, for GET and HEAD. Answers to signed-in users, or with a form, are private."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        with_form = request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        if request.user.is_authenticated:
            response.headers.setdefault("Cache-Control", "private, no-cache")
        elif response.status_code == 200 and not with_form:
            response.headers.setdefault("Cache-Control", f"public, max-age=0, s-maxage={SECONDS}")
        return response

    return require_safe(respond)


def organisers_changes_seen(get_response: View) -> View:
    """Return middleware behind those that know who asks: what organisers change, visitors see at once. The API says who
    asks when it has answered."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE and request.user.is_staff:
            response.headers[FORGET] = "all"
        return response

    return respond
