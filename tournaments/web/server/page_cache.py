"""A small cache of public answers: five hundred views of one page cost as much as one.

It obeys HTTP: it stores answers that Django marks `public`, for the seconds of `s-maxage` or `max-age`, and uses them
for requests without a session. They are compressed for clients that accept it: only public answers are, so the length
of a compressed answer reveals no secret. Django makes the others.

Nobody waits for a page that was made a moment ago: who comes some seconds after its end still gets it, while one call
makes it afresh. Who says that it must not be old (`Cache-Control: max-age=0`, as a browser that loads anew) waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic

from tournaments.web.server.asgi_types import Scope, header
from tournaments.web.server.kept_answers import CachedAnswer, cached_answer
from tournaments.web.server.languages import language_of_request
from tournaments.web.server.wsgi_bridge import HttpAnswer

MOST, MOST_BYTES = 500, 32 << 20  # entries, and bytes of all together
FORGET = "Boardroom-Forget"  # a header of an answer by which Django has all pages forgotten; no client sees it
STALE = 5.0  # seconds after its end that an answer still serves while a fresh one is made

Key = tuple[bytes, ...]
QUERY = -1  # where it stands in a key
Ask = Callable[[Scope], Awaitable[HttpAnswer]]
Fetch = asyncio.Task[CachedAnswer | HttpAnswer]


@dataclass(slots=True)
class PageCache:
    """`sessions` are the names of session cookies."""

    sessions: tuple[bytes, ...]
    kept: dict[Key, CachedAnswer] = field(default_factory=dict)
    fetching: dict[Key, Fetch] = field(default_factory=dict)
    forgotten: int = 0  # how often

    async def answer(self, scope: Scope, ask: Ask) -> HttpAnswer:
        """Return the cached answer, or that of `ask`. Concurrent requests for one page share one call."""
        if scope["method"] != "GET":
            return await self._unchanged(scope, ask) or self._noted(await ask(scope))
        if (key := self.key_of(scope)) is None:
            return await ask(scope)
        page = await self._page(scope, ask, key)
        return page.to(scope) if isinstance(page, CachedAnswer) else page

    async def _unchanged(self, scope: Scope, ask: Ask) -> HttpAnswer | None:
        """Return 304 to a HEAD with the tag of a cached page, which GET gave; else None."""
        get: Scope = {**scope, "method": "GET"}
        if scope["method"] != "HEAD" or not header(scope["headers"], b"if-none-match"):
            return None
        if (key := self.key_of(get)) is None:
            return None
        page = await self._page(get, ask, key)
        if isinstance(page, CachedAnswer):
            answer = page.to(get)
            return answer if answer.status == 304 else None
        if page.flow:
            await page.flow.end()
        return None

    def _noted(self, answer: HttpAnswer) -> HttpAnswer:
        """Forget all pages where an answer says so: what organisers do is seen at once."""
        name = FORGET.lower().encode()
        if header(answer.headers, name):
            self.forget()
            answer.headers = [pair for pair in answer.headers if pair[0] != name]
        return answer

    async def _page(self, scope: Scope, ask: Ask, key: Key) -> CachedAnswer | HttpAnswer:
        kept, now = self.kept.get(key), monotonic()
        if kept and now < kept.until:
            return kept
        under_way = self.fetching.get(key)
        if kept and now < kept.until + STALE and not insists(scope):
            if not under_way:
                self._fetch(key, scope, ask)
            return kept
        if not under_way:
            return await asyncio.shield(self._fetch(key, scope, ask))
        await asyncio.wait([under_way])
        return page_fetched(under_way) or await ask(scope)

    def forget(self) -> None:
        """Forget all that is kept, and what is being made of what was true until now."""
        self.kept.clear()
        self.fetching.clear()
        self.forgotten += 1

    def _fetch(self, key: Key, scope: Scope, ask: Ask) -> Fetch:
        """Goes on when those who wait for it leave."""
        task = self.fetching[key] = asyncio.create_task(self._make(key, scope, ask))
        task.add_done_callback(lambda done: self._end(key, done))
        return task

    def _end(self, key: Key, done: Fetch) -> None:
        if self.fetching.get(key) is done:
            del self.fetching[key]
        if not done.cancelled():
            done.exception()  # who waits for it is told; if nobody does, nobody needs to be

    async def _make(self, key: Key, scope: Scope, ask: Ask) -> CachedAnswer | HttpAnswer:
        before = self.forgotten
        answer = await ask(scope)
        kept = cached_answer(answer, monotonic())
        if kept is None or before != self.forgotten:
            self.kept.pop(key, None)
            return answer
        self.kept[key] = kept
        self._clear()
        return kept

    def key_of(self, scope: Scope) -> Key | None:
        """Return the key of a GET request, None if it must not be cached."""
        host = proto = cookie = accepted = b""
        for name, value in scope["headers"]:
            if name in (b"authorization", b"range"):
                return None
            if name == b"cookie":
                cookie += b"," + value
            elif name == b"host":
                host += b"," + value
            elif name == b"x-forwarded-proto":
                proto += b"," + value
            elif name == b"accept-language":
                accepted = accepted + b"," + value if accepted else value  # as Django reads it
        if cookie and self.names_somebody(cookie):
            return None
        language = language_of_request(cookie, accepted)
        return (scope["scheme"].encode(), host, proto, language, scope["raw_path"], scope["query_string"])

    def names_somebody(self, cookie: bytes) -> bool:
        return any(name + b"=" in cookie for name in self.sessions)

    def _clear(self) -> None:
        """Evict until it fits: expired answers first, then those with a query, then the oldest. Anybody can make up
        queries, and none of them evicts a page that everybody looks at."""
        if len(self.kept) <= MOST and sum(kept.size for kept in self.kept.values()) <= MOST_BYTES:
            return
        now = monotonic()
        fresh = sorted((key for key, kept in self.kept.items() if kept.until > now), key=lambda key: not key[QUERY])
        self.kept = {key: self.kept[key] for key in fresh}
        while len(self.kept) > MOST or sum(kept.size for kept in self.kept.values()) > MOST_BYTES:
            del self.kept[next(iter(self.kept))]


def insists(scope: Scope) -> bool:
    """Whether an answer that is over is not good enough for this client."""
    control = header(scope["headers"], b"cache-control").lower()
    return b"max-age=0" in control or b"no-cache" in control or bool(header(scope["headers"], b"pragma"))


def page_fetched(done: Fetch) -> CachedAnswer | None:
    """Return the page, None if it failed, or is for one client alone."""
    result = None if done.cancelled() or done.exception() else done.result()
    return result if isinstance(result, CachedAnswer) else None
