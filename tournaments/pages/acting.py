"""Doing what a button asked for, and saying how it went on the next page."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from tournaments.errors import Refused


def sentence(refused: Refused) -> str:
    """Its detail as it stands on a page: with a capital and a full stop."""
    return f"{refused.detail[:1].upper()}{refused.detail[1:].rstrip('.')}."


def act(request: HttpRequest, verb: Callable[[], object], done: str) -> None:
    try:
        verb()
    except Refused as refused:
        messages.error(request, sentence(refused))
    else:
        messages.success(request, done)
