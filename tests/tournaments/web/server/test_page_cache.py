"""Public answers that are kept: for which request, for how long, and in what form."""

import asyncio
import gzip
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest

from tournaments.web.server import page_cache
from tournaments.web.server.asgi_types import Headers, Scope, header
from tournaments.web.server.kept_answers import COMPRESS_FROM, cached_answer
from tournaments.web.server.page_cache import STALE, PageCache
from tournaments.web.server.wsgi_bridge import HttpAnswer

PUBLIC: Headers = [(b"cache-control", b"public, max-age=10"), (b"content-type", b"text/html")]
HOST = b"host", b"a.example"
LOAD_ANEW = b"cache-control", b"max-age=0"


def a_request(
    *headers: tuple[bytes, bytes], path: bytes = b"/", query: bytes = b"", scheme: str = "http", method: str = "GET"
) -> Scope:
    return {"method": method, "scheme": scheme, "raw_path": path, "query_string": query, "headers": list(headers)}


@dataclass
class Site:
    """Numbers its answers. `now`: its clock; `gate`, if there is one, is what an answer waits for."""

    now: float = 1000.0
    cache: PageCache = field(default_factory=lambda: PageCache((b"sessionid",)))
    answer: HttpAnswer = field(default_factory=lambda: HttpAnswer(200, PUBLIC, b""))
    gate: asyncio.Event | None = None
    count: int = 0

    async def ask(self, _: Scope) -> HttpAnswer:
        body = b"%d" % self.count
        self.count += 1
        if self.gate:
            await self.gate.wait()
        return replace(self.answer, body=self.answer.body + body)

    async def get(self, scope: Scope) -> bytes:
        return (await self.cache.answer(scope, self.ask)).body

    def bodies(self, scopes: Iterable[Scope]) -> list[bytes]:
        """The bodies that requests get, one after another."""
        return [asyncio.run(self.get(scope)) for scope in scopes]

    def to(self, scope: Scope) -> HttpAnswer:
        return asyncio.run(self.cache.answer(scope, self.ask))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site()
    monkeypatch.setattr(page_cache, "monotonic", lambda: made.now)
    return made


def test_an_answer_is_kept_for_those_who_ask_the_same(site: Site) -> None:
    assert site.bodies([a_request(HOST)] * 3) == [b"0"] * 3
    assert site.to(a_request(HOST)).shared


@pytest.mark.parametrize(
    "other",
    [
        a_request((b"host", b"b.example")),  # its links, and its forms, go to another site
        a_request(HOST, (b"x-forwarded-proto", b"https")),
        a_request(HOST, scheme="https"),
        a_request(HOST, path=b"/bots/"),
        a_request(HOST, query=b"page=2"),
    ],
)
def test_an_answer_to_one_address_is_none_to_another(other: Scope, site: Site) -> None:
    request = a_request(HOST)
    assert site.bodies([request, other, request, other]) == [b"0", b"1", b"0", b"1"]


@pytest.mark.parametrize(
    "scope",
    [
        a_request(HOST, method="POST"),
        a_request(HOST, (b"authorization", b"Token 1")),
        a_request(HOST, (b"range", b"bytes=0-1")),
        a_request(HOST, (b"cookie", b"a=1; sessionid=2")),
    ],
)
def test_who_brings_more_than_an_address_is_answered_alone(scope: Scope, site: Site) -> None:
    assert site.bodies([a_request(HOST), scope, scope, a_request(HOST)]) == [b"0", b"1", b"2", b"0"]
    assert not site.to(scope).shared


def test_a_cookie_that_is_no_session_is_no_reason(site: Site) -> None:
    assert site.bodies([a_request(HOST), a_request(HOST, (b"cookie", b"theme=dark"))]) == [b"0", b"0"]


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        (b"public, max-age=10", 10),
        (b"public, s-maxage=5, max-age=10", 5),
        (b"public, max-age=10, s-maxage=5", 5),
        (b"public, max-age=1", 1),
        (b"public, max-age=60", 60),
        (b"public, max-age=61", 60),  # never longer than a minute
    ],
)
def test_an_answer_is_kept_for_as_long_as_it_says(control: bytes, seconds: int, site: Site) -> None:
    site.answer = HttpAnswer(200, [(b"cache-control", control)], b"")
    request = a_request(HOST, LOAD_ANEW)
    assert site.bodies([request]) == [b"0"]
    site.now += seconds - 0.5
    assert site.bodies([request]) == [b"0"]
    site.now += 0.5
    assert site.bodies([request]) == [b"1"]


@pytest.mark.parametrize(
    "answer",
    [
        HttpAnswer(404, PUBLIC, b""),
        HttpAnswer(200, [(b"cache-control", b"max-age=10")], b""),
        HttpAnswer(200, [(b"cache-control", b"public")], b""),
        HttpAnswer(200, [(b"cache-control", b"public, max-age=0")], b""),
        HttpAnswer(200, [*PUBLIC, (b"set-cookie", b"a=1")], b""),
        HttpAnswer(200, [*PUBLIC, (b"vary", b"Cookie, User-Agent")], b""),
        HttpAnswer(200, [*PUBLIC, (b"content-encoding", b"br")], b""),
    ],
)
def test_an_answer_that_is_not_for_all_is_not_kept(answer: HttpAnswer, site: Site) -> None:
    site.answer = answer
    assert site.bodies([a_request(HOST)] * 2) == [b"0", b"1"]
    assert not site.cache.kept


def test_an_answer_that_is_private_from_now_on_is_forgotten(site: Site) -> None:
    assert site.bodies([a_request(HOST)]) == [b"0"]
    site.now += 10
    site.answer = HttpAnswer(200, [], b"")
    assert site.bodies([a_request(HOST, LOAD_ANEW)] * 2) == [b"1", b"2"]
    assert not site.cache.kept


def test_what_is_kept_has_no_header_of_one_client_and_a_tag_of_its_own() -> None:
    headers = [
        (b"x-request-id", b"7"),
        (b"etag", b"theirs"),
        (b"vary", b"Cookie, Origin"),
        (b"x-frame-options", b"DENY"),
    ]
    kept = cached_answer(HttpAnswer(200, [*PUBLIC, *headers], b"body"), 0.0)
    assert kept
    assert kept.answer.headers == [
        *PUBLIC,
        (b"x-frame-options", b"DENY"),
        (b"vary", b"Cookie, Accept-Encoding, Accept-Language"),
    ]
    assert kept.etag.startswith(b'W/"')
    assert len(kept.etag) == len('W/""') + 24
    other = cached_answer(HttpAnswer(200, PUBLIC, b"another"), 0.0)
    assert other
    assert other.etag != kept.etag


@pytest.mark.parametrize(
    ("tags", "status"),
    [(b"%s", 304), (b'W/"0", %s', 304), (b"%b", 304), (b" * ", 304), (b'"0", *', 304), (b'W/"0"', 200), (b"", 200)],
)
def test_who_has_it_gets_no_body(tags: bytes, status: int, site: Site) -> None:
    site.answer = HttpAnswer(200, [*PUBLIC, (b"content-length", b"1")], b"")
    etag = header(site.to(a_request(HOST)).headers, b"etag")
    sent = tags.replace(b"%s", etag).replace(b"%b", etag.removeprefix(b"W/"))
    again = site.to(a_request(HOST, (b"if-none-match", sent)))
    assert (again.status, again.body) == (status, b"" if status == 304 else b"0")
    assert header(again.headers, b"etag") == etag
    assert header(again.headers, b"content-type") == b"text/html"
    asked = site.count
    head = site.to(a_request(HOST, (b"if-none-match", sent), method="HEAD"))
    assert (head.status == 304, site.count - asked) == (status == 304, int(status != 304))
    assert header(again.headers, b"content-length") == (b"" if status == 304 else b"1")


@pytest.mark.parametrize(
    ("kind", "length", "takes", "compressed"),
    [
        (b"text/html", COMPRESS_FROM, b"br, gzip", True),
        (b"application/json", COMPRESS_FROM, b"gzip", True),
        (b"text/html", COMPRESS_FROM - 1, b"gzip", False),
        (b"text/html", COMPRESS_FROM, b"br", False),
        (b"image/png", COMPRESS_FROM, b"gzip", False),
    ],
)
def test_long_texts_are_packed_for_those_who_can_unpack_them(
    kind: bytes, length: int, takes: bytes, compressed: bool, site: Site
) -> None:
    headers = [(b"cache-control", b"public, max-age=10"), (b"content-type", kind), (b"content-length", b"%d" % length)]
    site.answer = HttpAnswer(200, headers, bytes(length - 1))
    answers = [site.to(a_request(HOST, (b"accept-encoding", takes))) for _ in range(2)]  # made, and kept
    assert answers[0] == answers[1]
    answer, text = answers[0], bytes(length - 1) + b"0"
    assert (gzip.decompress(answer.body) if compressed else answer.body) == text
    assert header(answer.headers, b"content-encoding") == (b"gzip" if compressed else b"")
    assert header(answer.headers, b"content-length") == b"%d" % len(answer.body)
    assert header(answer.headers, b"content-type") == kind
    assert (answer.status, answer.shared) == (200, True)
    (kept,) = site.cache.kept.values()
    assert kept.size == length + (len(kept.compressed) if kept.compressed else 0)


def test_who_comes_a_moment_too_late_gets_the_old_one_and_one_call_makes_it_afresh(site: Site) -> None:
    async def crowd() -> list[bytes]:
        request = a_request(HOST)
        bodies = [await site.get(request)]
        site.now, site.gate = site.now + 10 + STALE - 0.1, asyncio.Event()
        bodies += [await site.get(request) for _ in range(3)]
        site.gate.set()
        await asyncio.sleep(0.01)
        return [*bodies, await site.get(request)]

    assert asyncio.run(crowd()) == [b"0", b"0", b"0", b"0", b"1"]
    assert (site.count, site.cache.fetching) == (2, {})


def test_who_comes_later_waits_with_all_others_for_one_call(site: Site) -> None:
    async def crowd() -> list[bytes]:
        request = a_request(HOST)
        bodies = [await site.get(request)]
        site.now, site.gate = site.now + 10 + STALE, asyncio.Event()
        waiting = [asyncio.create_task(site.get(request)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert not any(task.done() for task in waiting)
        site.gate.set()
        return [*bodies, *await asyncio.gather(*waiting)]

    assert asyncio.run(crowd()) == [b"0", b"1", b"1", b"1"]
    assert not site.cache.fetching


@pytest.mark.parametrize("reload", [LOAD_ANEW, (b"cache-control", b"No-Cache"), (b"pragma", b"no-cache")])
def test_who_loads_anew_gets_none_that_is_over(reload: tuple[bytes, bytes], site: Site) -> None:
    assert site.bodies([a_request(HOST), a_request(HOST, reload)]) == [b"0", b"0"]
    site.now += 10
    assert site.bodies([a_request(HOST, reload)]) == [b"1"]


def test_what_is_forgotten_serves_nobody_nor_what_was_being_made_of_it(site: Site) -> None:
    async def crowd() -> list[bytes]:
        request = a_request(HOST)
        bodies = [await site.get(request)]
        site.now, site.gate = site.now + 10, asyncio.Event()
        bodies.append(await site.get(request))  # the old one, while another is made
        await asyncio.sleep(0)
        site.cache.forget()
        site.gate.set()
        await asyncio.sleep(0.01)
        return [*bodies, await site.get(request), await site.get(request)]

    assert asyncio.run(crowd()) == [b"0", b"0", b"2", b"2"]


def test_who_asked_for_it_first_may_leave(site: Site) -> None:
    async def crowd() -> bytes:
        site.gate = asyncio.Event()
        first, second = (asyncio.create_task(site.get(a_request(HOST))) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        site.gate.set()
        return await second

    assert asyncio.run(crowd()) == b"0"


def test_who_waited_for_an_answer_that_is_for_one_alone_asks(site: Site) -> None:
    async def crowd() -> list[bytes]:
        request = a_request(HOST)
        await site.get(request)
        site.now, site.gate, site.answer = site.now + 10 + STALE, asyncio.Event(), HttpAnswer(200, [], b"")
        both = [asyncio.create_task(site.get(request)) for _ in range(2)]
        await asyncio.sleep(0)
        site.gate.set()
        return list(await asyncio.gather(*both))

    assert asyncio.run(crowd()) == [b"1", b"2"]


def test_who_waited_for_one_that_failed_asks(site: Site) -> None:
    async def crowd() -> list[object]:
        gate = asyncio.Event()

        async def fails(_: Scope) -> HttpAnswer:
            await gate.wait()
            raise ZeroDivisionError

        first = asyncio.create_task(site.cache.answer(a_request(HOST), fails))
        await asyncio.sleep(0)
        second = asyncio.create_task(site.get(a_request(HOST)))
        await asyncio.sleep(0)
        gate.set()
        return list(await asyncio.gather(first, second, return_exceptions=True))

    failed, got = asyncio.run(crowd())
    assert (type(failed), got) == (ZeroDivisionError, b"0")


def test_a_failure_leaves_nobody_waiting(site: Site) -> None:
    async def fails(_: Scope) -> HttpAnswer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(site.cache.answer(a_request(HOST), fails))
    assert not site.cache.fetching
    assert site.bodies([a_request(HOST)]) == [b"0"]


def test_of_too_many_those_with_a_query_go_first_and_then_the_oldest(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "MOST", 3)
    paths = [a_request(HOST, path=path) for path in (b"/a", b"/b", b"/c", b"/d")]
    query = a_request(HOST, path=b"/a", query=b"q=1")
    assert site.bodies([paths[0], query, paths[1]]) == [b"0", b"1", b"2"]
    assert site.bodies([paths[0], query, paths[1]]) == [b"0", b"1", b"2"]  # so many there may be
    assert site.bodies([paths[2], *paths[:3]]) == [b"3", b"0", b"2", b"3"]
    assert [key[page_cache.QUERY] for key in site.cache.kept] == [b""] * 3
    assert site.bodies([paths[3], *paths[1:]]) == [b"4", b"2", b"3", b"4"]
    assert len(site.cache.kept) == 3


def test_what_is_over_goes_before_anything_that_is_fresh(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST", 2)
    old, query, page = a_request(HOST), a_request(HOST, query=b"q=1"), a_request(HOST, path=b"/b")
    site.bodies([old])
    site.now += 5
    site.bodies([query])
    site.now += 5  # the first is over at this very moment
    assert site.bodies([page, query]) == [b"2", b"1"]
    assert [key[4:] for key in site.cache.kept] == [(b"/", b"q=1"), (b"/b", b"")]


def test_all_together_have_no_more_bytes_than_they_may(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "MOST_BYTES", 20)
    site.answer = HttpAnswer(200, PUBLIC, bytes(9))
    paths = [a_request(HOST, path=path) for path in (b"/a", b"/b", b"/c")]
    site.bodies(paths[:2])
    assert len(site.cache.kept) == 2
    site.bodies(paths[2:])
    assert [key[4] for key in site.cache.kept] == [b"/b", b"/c"]


def test_the_bounds_are_those_that_a_small_machine_can_hold() -> None:
    assert (page_cache.MOST, page_cache.MOST_BYTES, STALE, COMPRESS_FROM) == (500, 32 << 20, 5.0, 1000)
