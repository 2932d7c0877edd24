"""A site without single sign-on, mail and their packages answers every address: perhaps with a refusal, never with a
failure."""

import re
import sys

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.server.test_body_lengths import addresses

pytestmark = pytest.mark.django_db
EXTRAS = re.compile(r"(?:onelogin|pylti1p3|tournaments\.features\.sign_on\.(?:course_services|lti|openid|saml))\b")


@pytest.fixture
def bare(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SIGN_ON, settings.CAN_MAIL = {}, False
    for name in [name for name in sys.modules if EXTRAS.match(name)]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("onelogin", "pylti1p3"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("reader", ["a visitor", "a person", "an organiser"])
def test_no_address_fails_on_a_bare_site(bare: None, settings: Settings, reader: str) -> None:
    settings.PAGE_REQUESTS = 10_000
    client = Client() if reader == "a visitor" else signed_in(a_user("olga", staff=reader == "an organiser"))
    client.raise_request_exception = False
    for path in addresses():
        assert client.get(path).status_code != 500, path
        if path != "/sign-out/":
            body = "{}" if path.startswith("/api/") else ""
            kind = "application/json" if body else "application/x-www-form-urlencoded"
            assert client.post(path, body, kind).status_code != 500, path


def test_the_keys_of_a_provider_that_is_not_there_are_not_found(bare: None) -> None:
    client = Client(raise_request_exception=False)
    for key in ("any", "uni", "course", "name"):
        for page in ("keys", "metadata", "answer", "assertion", "launch"):
            method = "POST" if page == "assertion" else "GET"
            assert client.generic(method, f"/sign-on/{key}/{page}/").status_code == 404, (key, page)
