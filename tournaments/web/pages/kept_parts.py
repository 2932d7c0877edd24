"""Parts of pages that are the same for many people: made once for all of them, and again two seconds later.

One request makes a page's parts again, and those that come meanwhile get the ones before. Visitors' pages are kept
whole by the front (`server.page_cache`), so their parts are made each time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Any

from django.core.cache import caches
from django.core.cache.utils import make_template_fragment_key
from django.http import HttpRequest
from django.utils.translation import get_language

from tournaments.models import Act

SECONDS = 2.0  # that a part is fresh
STALE = 5.0  # seconds after which nobody gets the one before any more
LARGEST = 256 << 10  # bytes of a part that is kept
Context = dict[str, Any]


@dataclass
class KeptParts:
    """All people with the same key see the same parts: it holds what they may see, and what they change and are to see
    changed at once. `make` returns all that templates find in the parts, beside the request."""

    key: tuple[object, ...]
    make: Callable[[], Context]
    _is_renewing: bool | None = None

    @cached_property
    def context(self) -> Context:
        return self.make()

    def text_of(self, name: str, request: HttpRequest, render: Callable[[Context], str]) -> str:
        """Return the part of that name of the page that is asked for."""
        cache, page = caches["parts"], repr((get_language(), request.get_full_path(), self.key))
        key = make_template_fragment_key(name, [page])
        text, until = cache.get(key, (None, 0.0))
        if text is not None and request.user.is_authenticated and (until > monotonic() or not self._renews(page)):
            return str(text)
        begun = monotonic()
        text = render(self.context)
        if len(text.encode()) <= LARGEST:
            cache.set(key, (text, begun + SECONDS), SECONDS + STALE)
        return text

    def _renews(self, page: str) -> bool:
        """Return whether this request makes the page's parts again: one does in two seconds, all of them from one
        context."""
        if self._is_renewing is None:
            self._is_renewing = caches["parts"].add(make_template_fragment_key("renewal", [page]), 1, SECONDS)
        return self._is_renewing


def last_act() -> int:
    """Return the number of organisers' latest action: in a key, for all to see at once what they changed."""
    return Act.objects.order_by("-number").values_list("number", flat=True).first() or 0
