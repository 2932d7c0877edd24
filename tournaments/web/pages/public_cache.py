"""Pages that are the same for every anonymous visitor, and may be cached briefly (`server.page_cache`).

For people who are signed in the front puts their own parts into the kept page, where a view says which these are
(`pages.page_parts`) and nothing else can make their page another.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.core.accounts.spaces import VisitorOf
from tournaments.models import User
from tournaments.web.pages.page_parts import IN_SPACE, Marks, parts_alone, take_out_marks
from tournaments.web.pages.recent_changes import has_just_changed
from tournaments.web.server.own_parts import HOLES, OWN, SPACE, SPACE_HEADER, WANTS

SECONDS = 1
View = Callable[..., HttpResponse]


def cached_for_public(view: View) -> View:
    """The view, for GET and HEAD. Answers to signed-in users, or with a form, are private."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.META.get(WANTS) == OWN and (parts := own_parts(view, request, *args, **kwargs)):
            return parts
        if space := request.META.get(SPACE):
            request.user = VisitorOf(int(space))
        with marked(request, view):
            response = view(request, *args, **kwargs)
            take_out_marks(request, response)
        return with_age(request, response)

    return require_safe(respond)


def own_parts(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse | None:
    """Return the person's own parts; None where their page may differ from the visitors' in anything else."""
    declared = getattr(view, "own", None)
    if declared is None or not seen_as_visitors_do(request):
        return None
    context = declared(request, *args, **kwargs)
    if context is None:
        return None
    response = parts_alone(request, getattr(view, "parts", ()), context)
    if space := context.get(IN_SPACE):
        response.headers[SPACE_HEADER] = str(space)
    return with_age(request, response)


def seen_as_visitors_do(request: HttpRequest) -> bool:
    """Organisers see more, messages stand in the page itself, and who has just changed something sees it done."""
    user = request.user
    if not isinstance(user, User) or not user.is_active or user.is_staff or user.is_superuser:
        return False
    return not len(get_messages(request)) and not has_just_changed(user)


@contextmanager
def marked(request: HttpRequest, view: View) -> Iterator[None]:
    """Marks around the parts, for the time in which the view makes its page: the page of an error has none."""
    wanted = request.META.get(WANTS) == HOLES and hasattr(view, "own") and not request.user.is_authenticated
    request.marks = Marks() if wanted else None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        request.marks = None  # type: ignore[attr-defined]


def with_age(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    with_form = request.META.get("CSRF_COOKIE_NEEDS_UPDATE")
    if request.user.is_authenticated:
        response.headers.setdefault("Cache-Control", "private, no-cache")
    elif response.status_code == 200 and not with_form:
        response.headers.setdefault("Cache-Control", f"public, max-age=0, s-maxage={SECONDS}")
    return response
