"""Routes whose views are imported when first requested: a process that shows few pages loads few views.

A route names its view, and Django's checks import them all, so that a misspelt one is found (`manage.py check`).
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import ResolverMatch, RoutePattern
from django.utils.module_loading import import_string
from django.views import View as ClassView

View = Callable[..., HttpResponseBase]
Wrap = Callable[[Any], View]


class Route(URLPattern):
    """One address. `view`: a function or a class of Django's, by its full name. `wrap` is put around it."""

    def __init__(self, address: str, view: str, wrap: Wrap | None = None, *, name: str) -> None:
        super().__init__(RoutePattern(address, name=name, is_endpoint=True), Unloaded(view, wrap), name=name)
        self.lookup_str = view

    @property
    def view(self) -> View:
        if isinstance(self.callback, Unloaded):
            self.callback = self.callback.load()
        return self.callback

    def resolve(self, path: str) -> ResolverMatch | None:
        if self.pattern.match(path):
            _ = self.view
        return super().resolve(path)

    def check(self) -> list[Any]:
        _ = self.view
        return super().check()


class Unloaded:
    """In the place of a view that nobody has asked for yet."""

    def __init__(self, name: str, wrap: Wrap | None) -> None:
        self.name, self.wrap = name, wrap

    def load(self) -> View:
        loaded = import_string(self.name)
        view: View = loaded.as_view() if isinstance(loaded, type) and issubclass(loaded, ClassView) else loaded
        return self.wrap(view) if self.wrap else view

    def __call__(self, *_: Any, **__: Any) -> HttpResponseBase:
        raise RuntimeError(f"{self.name} is called without having been resolved")


def routes_of(package: str) -> Callable[..., Route]:
    """Return a function that makes routes to views of the package: `route("live/", "live.live", name="live")`."""

    def route(address: str, view: str, wrap: Wrap | None = None, *, name: str) -> Route:
        return Route(address, f"{package}.{view}", wrap, name=name)

    return route


def load_all(module: str) -> None:
    """Load all views of a module's routes, for code that looks at the views themselves."""
    for route in get_resolver(module).url_patterns:
        if isinstance(route, Route):
            _ = route.view


class Section(URLResolver):
    """All addresses below a prefix, in a namespace, whose module is imported when one of them is asked for."""

    def __init__(self, prefix: str, module: str, namespace: str) -> None:
        super().__init__(RoutePattern(prefix), module, app_name=namespace, namespace=namespace)

    def _populate(self) -> None:
        """The resolver above needs the namespace alone; in it, Django makes another from `url_patterns`."""
