"""Addresses and headers that are too long are refused before anything reads or repeats them."""

import json

import pytest

from tests.tournaments.web.server.stand import Stand
from tournaments.web.server.request_heads import ADDRESS, HEADERS

LONG = "'" * ADDRESS.most
STARTS = ["/", "/sign-in/?next=/", "/search/?q=", "/static/", "/ladders/", "/healthz?", "/?%27"]


def status(stand: Stand, path: str, **headers: str) -> int:
    return stand.ask(path, "GET", None, **headers)[0].status


@pytest.mark.parametrize("start", STARTS)
def test_a_long_address_is_refused_and_not_repeated(stand: Stand, start: str) -> None:
    for method in ("GET", "POST", "HEAD"):
        answer, page = stand.ask(start + LONG, method)
        assert (answer.status, len(page) < 100, b"''" in page) == (414, True, False)
    assert b"at most 16,384 bytes" in stand.ask(start + LONG)[1]


def test_the_longest_address_and_a_longer_one(stand: Stand) -> None:
    fits = "/nowhere/?" + "x" * (ADDRESS.most - len("/nowhere/"))
    assert (status(stand, fits), status(stand, fits + "x")) == (404, 414)


@pytest.mark.parametrize("name", ["Cookie", "Accept-Language", "Referer", "X-Forwarded-Proto", "X-Other"])
def test_long_headers_are_refused(stand: Stand, name: str) -> None:
    assert status(stand, "/", **{name: "x" * (HEADERS.most // 2)}) == 200
    answer, page = stand.ask("/", "GET", None, **{name: "x" * HEADERS.most})
    assert (answer.status, b"at most 32,768 bytes" in page) == (431, True)


def test_many_headers_are_refused_together(stand: Stand) -> None:
    assert status(stand, "/", **{f"X-{number}": "x" * 1000 for number in range(60)}) == 431


def test_programs_get_the_shape_of_the_api(stand: Stand) -> None:
    for path, cookie, code in (
        (f"/api/v1/search?q={LONG}", "x", "address_too_long"),
        ("/api/v1/", "x" * HEADERS.most, "headers_too_long"),
    ):
        answer, body = stand.ask(path, Cookie=cookie)
        assert (answer.headers["Content-Type"], json.loads(body)["code"]) == ("application/problem+json", code)
