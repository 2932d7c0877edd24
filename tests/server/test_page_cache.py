"""Public answers that are kept: for which request, for how long, and in what form."""

import asyncio
from collections.abc import Sequence

import pytest

from tournaments.server.asgi_types import Headers, Scope
from tournaments.server.page_cache import PageCache
from tournaments.server.wsgi_bridge import HttpAnswer

PUBLIC: Headers = [(b"cache-control", b"public, max-age=10"), (b"content-type", b"text/html")]


def a_request(*headers: tuple[bytes, bytes], path: bytes = b"/", query: bytes = b"", scheme: str = "http") -> Scope:
    return {"method": "GET", "scheme": scheme, "raw_path": path, "query_string": query, "headers": list(headers)}


def bodies(scopes: Sequence[Scope]) -> list[bytes]:
    """What the requests get, one after another. Of whatever is asked of the site, the answer is a new one."""
    cache, numbers = PageCache((b"sessionid",)), iter(range(len(scopes)))

    async def ask() -> HttpAnswer:
        return HttpAnswer(200, PUBLIC, b"%d" % next(numbers))

    return [asyncio.run(cache.answer(scope, ask)).body for scope in scopes]


def test_an_answer_is_kept_for_those_who_ask_the_same() -> None:
    assert bodies([a_request((b"host", b"a.example"))] * 3) == [b"0"] * 3


@pytest.mark.parametrize(
    "other",
    [
        a_request((b"host", b"b.example")),  # its links, and its forms, go to another site
        a_request((b"host", b"a.example"), (b"x-forwarded-proto", b"https")),
        a_request((b"host", b"a.example"), scheme="https"),
        a_request((b"host", b"a.example"), path=b"/bots/"),
        a_request((b"host", b"a.example"), query=b"page=2"),
    ],
)
def test_an_answer_to_one_address_is_none_to_another(other: Scope) -> None:
    one = a_request((b"host", b"a.example"))
    assert bodies([one, other, one, other]) == [b"0", b"1", b"0", b"1"]
