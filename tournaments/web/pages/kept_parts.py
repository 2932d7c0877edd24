"""Parts of pages that are the same for many people: made once for all of them, and again a second later.

One request makes a part again, and those that come meanwhile get the one before. Visitors' pages are kept whole by the
front (`server.page_cache`), so their parts are made each time.
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

SECONDS = 1.0  # that a part is fresh
STALE = 5.0  # seconds after which nobody gets the one before any more
LONGEST = 10  # seconds that a request may take to make one
LARGEST = 256 << 10  # bytes of a part that is kept
Context = dict[str, Any]


@dataclass
class KeptParts:
    """All people with the same key see the same parts: it holds what they may see, and what they change and are to see
    changed at once. `make` returns all that templates find in the parts, beside the request."""

    key: tuple[object, ...]
    make: Callable[[], Context]

    @cached_property
    def context(self) -> Context:
        return self.make()

    def text_of(self, name: str, request: HttpRequest, render: Callable[[Context], str]) -> str:
        """Return the part of that name of the page that is asked for."""
        cache = caches["parts"]
        key = make_template_fragment_key(name, [repr((get_language(), request.get_full_path(), self.key))])
        text, until = cache.get(key, (None, 0.0))
        is_fresh = until > monotonic() or not cache.add(f"{key}.maker", 1, LONGEST)
        if text is not None and is_fresh and request.user.is_authenticated:
            return str(text)
        begun = monotonic()
        text = render(self.context)
        if len(text.encode()) <= LARGEST:
            cache.set(key, (text, begun + SECONDS), SECONDS + STALE)
        cache.delete(f"{key}.maker")
        return text


def last_act() -> int:
    """Return the number of organisers' latest action: in a key, for all to see at once what they changed."""
    return Act.objects.order_by("-number").values_list("number", flat=True).first() or 0
