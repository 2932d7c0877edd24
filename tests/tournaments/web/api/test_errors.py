"""Bad input: one shape of answer, a stable code, no trace."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from tests.factories import a_bot, a_user
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Bot
from tournaments.web.api.root import openapi_document

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "body",
    [b"{", b"{'game': 1}", b"\xff\xfe", b'{"game": NaN}', b"[" * 30_000, b'{"name": "' + b"x" * 50_000, b"1" * 9_000],
)
def test_malformed_json_is_refused(body: bytes) -> None:
    assert refused(ask("POST", "bots", a_user(), body)) == (400, "malformed")
    assert not Bot.objects.exists()


@pytest.mark.parametrize("size", ["0", "-1", "201", "1000000", "9" * 50, "x", "1.5", "%00"])
def test_a_giant_or_senseless_page_size_is_refused_with_the_bounds(size: str) -> None:
    answer = ask("GET", f"bots?page_size={size}")
    assert refused(answer) == (400, "bad_page_size")
    assert "from 1 to 200" in answer.json()["detail"]


def queries() -> Iterator[str]:
    """Yield every name that an address takes in its query, with nothing behind it."""
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            names = (part["name"] for part in operation.get("parameters", ()) if part["in"] == "query")
            if method == "get" and "{" not in path.replace("/ladders/{slug}", ""):
                yield from (f"{path.replace('{slug}', 'main')}?{name}=" for name in names)


def test_an_empty_filter_is_refused_and_not_taken_for_none(api_world: World) -> None:
    paths = list(queries())
    assert "/api/v1/matches?ladder=" in paths
    key = f"Token {make_token(user=api_world.owner, name='laptop')}"
    assert [path for path in paths if ask("GET", path, key).status_code != 400] == []


def test_without_a_token_nothing_is_written() -> None:
    answer = ask("POST", "bots", body={"game": "zaibatsu", "name": "A bot"})
    assert refused(answer) == (401, "not_signed_in")
    assert answer["WWW-Authenticate"] == "Token, Bearer"
    assert not Bot.objects.exists()


def test_a_method_that_an_address_does_not_take() -> None:
    for method, path in (
        ("DELETE", "bots"),
        ("PUT", "bots"),
        ("PATCH", "ladders"),
        ("POST", "matches"),
        ("OPTIONS", ""),
    ):
        answer = ask(method, path)
        assert refused(answer) == (405, "method_not_allowed")
        assert "GET" in answer["Allow"]


def test_only_json_is_served() -> None:
    assert refused(ask("GET", "bots", Accept="text/html")) == (406, "not_acceptable")
    assert refused(ask("GET", "bundles/abc", Accept="text/html")) == (406, "not_acceptable")


def test_only_json_is_read() -> None:
    answer = ask("POST", "bots", a_user(), b"game=zaibatsu", kind="application/x-www-form-urlencoded")
    assert refused(answer) == (415, "unsupported_media_type")
    assert "application/json" in answer.json()["detail"]


def test_a_body_too_large_for_its_address_is_refused() -> None:
    assert refused(ask("POST", "bots", a_user(), b'"' + b"x" * (65 << 10) + b'"')) == (413, "too_large")


@pytest.mark.parametrize("part", [b"[],", b"{},", b"0,", b'"",'])
def test_a_body_of_very_many_values_is_refused_before_it_is_parsed(part: bytes) -> None:
    body = b'{"name": [' + part * 20_000 + b"0]}"
    answer = ask("POST", "bots", a_user(), body)
    assert refused(answer) == (400, "malformed")
    assert "at most 20,000 values" in answer.json()["detail"]


@pytest.mark.parametrize("text", [",[{" * 9000, '\\"[,' * 9000, '"'])
def test_what_stands_in_a_text_is_no_value(text: str) -> None:
    assert "values" not in ask("POST", "bots", a_user(), b'{"name": "' + text.encode() + b'"}').json()["detail"]


@pytest.mark.parametrize("path", ["nothing", "bots/x", "bots/1/versions/1/2", "ladders/a b", "%00", "../../etc"])
def test_an_address_that_is_none_says_so_in_json(path: str) -> None:
    assert refused(ask("GET", path)) == (404, "unknown_address")


def test_an_address_one_slash_away_is_led_to_the_real_one() -> None:
    away = ask("POST", "tokens/?a=b", body={})
    assert (away.status_code, away["Location"]) == (308, "/api/v1/tokens?a=b")
    assert ask("GET", "schema")["Location"] == "/api/v1/schema/"
    assert ask("GET", f"bots/{a_bot().pk}/").status_code == 308


def test_a_failure_of_ours_is_told_without_its_insides() -> None:
    with patch("tournaments.site.bots_api.create_bot", side_effect=RuntimeError("secret insides")):
        answer = ask("POST", "bots", a_user(), {"game": "zaibatsu", "name": "A bot"})
    assert refused(answer) == (500, "our_fault")
    assert b"secret" not in answer.content
