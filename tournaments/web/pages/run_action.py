"""Run what a button asks for, and report the outcome on the next page."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tournaments.core.errors import Refused
from tournaments.web.pages.sentences import in_page_language


def sentence(refused: Refused) -> str:
    """Return the refusal's detail as it stands on a page: with a capital and a full stop."""
    said = in_page_language(refused.detail)
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."


def act(request: HttpRequest, verb: Callable[[], object], done: str) -> bool:
    """Whether it was done. If not, `request.refused` tells the page that its form comes back as it was sent."""
    try:
        verb()
    except Refused as refused:
        messages.error(request, sentence(refused))
        request.refused = True  # type: ignore[attr-defined]
        return False
    messages.success(request, done)
    return True


def refused_form_page(page: HttpResponse) -> HttpResponse:
    """The page of a form that was refused: status 422."""
    page.status_code = 422
    return page
