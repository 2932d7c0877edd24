"""Django with the addresses of the door for workers alone, and none of what pages need: sessions, languages, forms."""

from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.urls import ResolverMatch, get_resolver

URLS = "tournaments.features.worker_door.door_urls"
THREADS = 2  # of a web process, which no page has: however many workers ask, and however slowly


class DoorHandler(WSGIHandler):
    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002  Django's
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        self._middleware_chain = convert_exception_to_response(self._get_response)  # type: ignore[attr-defined]

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """The site's own addresses stay those that `reverse` finds: a notice may name one."""
        request.resolver_match = get_resolver(URLS).resolve(request.path_info)
        return request.resolver_match
