"""Every route of the pages, also those that another file of routes includes."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import URLPattern, URLResolver

from tournaments.site.urls import urlpatterns


def routes(among: Iterable[Any] = urlpatterns) -> Iterator[URLPattern]:
    for route in among:
        if isinstance(route, URLResolver):
            assert not str(route.pattern), "what is included has the whole address in it"
            yield from routes(route.url_patterns)
        else:
            yield route
