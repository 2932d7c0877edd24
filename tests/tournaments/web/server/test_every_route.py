"""Every address that the site has, those of the admin included, bounds a body and counts who asks."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver

from tests.factories import a_user
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.api_tokens import make_token
from tournaments.web.api import throttles
from tournaments.web.server.body_lengths import longest_of
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db
API = "/api/v1/"
PART = re.compile(r"<(?:(\w+):)?(\w+)>|\(\?P<\w+>(?:[^()]|\([^()]*\))*\)")
ELSEWHERE = ("/api/v1/bundles/", "/api/v1/docs/")  # for workers alone, who have no rate; and a page


def addresses(among: Iterable[Any] | None = None, begins: str = "/") -> Iterator[str]:
    """Return an address of each route."""
    for route in get_resolver().url_patterns if among is None else among:
        path = begins + PART.sub(lambda part: "7" if part[1] == "int" else "a", str(route.pattern).strip("^$"))
        if isinstance(route, URLPattern):
            yield path.replace("\\Z", "")
        else:
            yield from addresses(route.url_patterns, path)


def test_there_are_addresses_of_all_kinds() -> None:
    paths = list(addresses())
    assert len(paths) > 300
    for begins in ("/admin/", API, "/desk/", "/spaces/", "/bots/"):
        assert any(path.startswith(begins) for path in paths), begins


def test_every_address_refuses_a_body_beyond_its_limit() -> None:
    client = Client()
    for path in addresses():
        length = str(longest_of(path) + 1)
        assert client.post(path, {}, headers={"Content-Length": length}).status_code == 413, path


def test_every_page_is_counted_before_a_form_is_read(settings: Any) -> None:
    settings.PAGE_REQUESTS = 1
    staff = signed_in(a_user(staff=True))
    assert staff.post("/").status_code == 405
    for path in addresses():
        is_page = not path.startswith(API) or path.startswith(ELSEWHERE[1])
        if is_page and not path.endswith("/stream"):  # which takes no form
            assert staff.post(path).status_code == 429, path


def test_every_operation_is_counted_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "USER", Rate("user", 1, 86_400))
    key = f"Token {make_token(user=a_user(staff=True), name='of a test')}"
    assert ask("GET", "bots", key).status_code == 200
    for path in addresses():
        if path.startswith(API) and not path.startswith(ELSEWHERE):
            assert refused(ask("POST", path.removeprefix(API), key)) == (429, "throttled"), path
