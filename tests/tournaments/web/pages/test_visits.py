"""Pages are made so often in a minute for whoever asks, whatever query strings they make up."""

import asyncio
from typing import Any

import pytest
from django.test import Client

from tests.factories import a_user
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.web.server.page_cache import MOST, PageCache
from tournaments.web.server.wsgi_bridge import HttpAnswer

pytestmark = pytest.mark.django_db
FAR = "198.51.100.1"


@pytest.fixture(autouse=True)
def three_a_minute(settings: Any) -> None:
    settings.PAGE_REQUESTS = 3


def statuses(client: Client, count: int, path: str = "/?made-up={}", **more: str) -> list[int]:
    return [client.get(path.format(number), **more).status_code for number in range(count)]  # type: ignore[arg-type]


def test_pages_of_made_up_queries_are_not_made_without_end() -> None:
    assert statuses(Client(), 4) == [200, 200, 200, 429]
    refused = Client().get("/docs/")
    assert (refused.status_code, refused["Cache-Control"]) == (429, "no-store")
    assert 1 <= int(refused["Retry-After"]) <= 60
    page = Html(refused.content.decode())
    assert "at most 3 pages a minute" in page.text
    assert page.faults() == []


def test_each_address_and_each_person_has_pages_of_their_own() -> None:
    olga, otto = signed_in(a_user()), signed_in(a_user())
    assert statuses(Client(), 4)[-1] == 429
    assert statuses(Client(), 1, REMOTE_ADDR=FAR) == [200]
    assert statuses(olga, 4) == [200, 200, 200, 429]
    assert statuses(otto, 1) == [200]
    made_up = Client(headers={"Cookie": "sessionid=made-up-by-somebody"})
    assert statuses(made_up, 1) == [429]


def test_streams_and_the_api_and_files_are_counted_apart() -> None:
    assert statuses(Client(), 4)[-1] == 429
    assert statuses(Client(), 1, "/live/stream") != [429]
    assert statuses(Client(), 5, "/api/v1/bots?page_size=1{}") == [200] * 5
    assert statuses(Client(), 1, "/healthz") == [200]
    assert statuses(Client(), 4, "/live/stream")[-1] == 429


def test_no_number_of_made_up_queries_puts_out_a_page_that_all_look_at() -> None:
    sharing = PageCache(())
    paths: list[bytes] = []

    async def look(path: bytes, query: bytes) -> None:
        scope = {"method": "GET", "scheme": "http", "headers": [], "raw_path": path, "query_string": query}

        async def ask(_: object) -> HttpAnswer:
            paths.append(path)
            return HttpAnswer(200, [(b"cache-control", b"public, max-age=60")], b"a page")

        await sharing.answer(scope, ask)

    async def crowd() -> None:
        await look(b"/", b"")
        for number in range(MOST + 50):
            await look(b"/made-up", b"%d" % number)
        for _ in range(500):
            await look(b"/", b"")

    asyncio.run(crowd())
    assert paths.count(b"/") == 1
    assert len(sharing.kept) <= MOST
