"""Views are imported when they are first asked for, and every one of them is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.http import Http404
from django.urls import resolve

from tests.tournaments.web.pages.routes import routes
from tournaments.core.config.routes import Route, Unloaded

ROOT = Path(__file__).resolve().parents[4]
LATER = (
    "tournaments.web.pages.home",
    "tournaments.site.desk_ladders",
    "tournaments.site.api_urls",
    "rest_framework.views",
)


def test_a_site_that_nobody_has_asked_yet_has_loaded_no_page() -> None:
    look = f"import sys, tournaments.asgi; print([name for name in {LATER} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT, env=env())
    assert done.stdout.strip() == "[]"


def env() -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "tournaments.settings"}


def test_every_route_has_its_view() -> None:
    named = [route for route in routes() if isinstance(route, Route)]
    assert len(named) > 80
    assert not any(isinstance(route.view, Unloaded) or isinstance(route.callback, Unloaded) for route in named)
    call_command("check")


def test_a_view_that_is_not_there_is_found_by_the_checks() -> None:
    with pytest.raises(ImportError, match=r"tournaments\.web\.pages\.home"):
        Route("nowhere/", "tournaments.web.pages.home.nowhere", name="nowhere").check()


def test_a_view_is_loaded_with_what_is_around_it() -> None:
    match = resolve("/live/")
    assert match.url_name == "live"
    assert match.func.__module__ == "tournaments.web.pages.live"


def test_what_matches_no_route_loads_none() -> None:
    route = Route("there/", "tournaments.web.pages.home.home", name="there")
    assert route.resolve("elsewhere/") is None
    assert isinstance(route.callback, Unloaded)
    with pytest.raises(Http404):
        resolve("/no/such/address")
