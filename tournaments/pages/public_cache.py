"""Pages that are the same for everybody who has not signed in, and may be kept for a moment (`server.page_cache`)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

SECONDS = 1
View = Callable[..., HttpResponse]


def shared(view: View) -> View:
    """The view, for GET and HEAD. Answers to signed-in users, or with a form, are private."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        with_form = request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
        if response.status_code == 200 and not (request.user.is_authenticated or with_form):
            response.headers.setdefault("Cache-Control", f"public, max-age=0, s-maxage={SECONDS}")
        return response

    return require_safe(respond)
