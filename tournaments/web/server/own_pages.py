"""Which page a person gets: the cached one, the cached one with their personal parts, or one made only for them."""

from dataclasses import dataclass
from time import monotonic

from tournaments.web.server.asgi_types import Scope, header
from tournaments.web.server.kept_answers import CachedAnswer
from tournaments.web.server.own_parts import (
    FORGET_HEADER,
    OWN,
    Parts,
    as_visitor,
    parts_of_answer,
    public_headers,
    space_of_parts,
    wanting,
)
from tournaments.web.server.page_cache import Ask, PageCache
from tournaments.web.server.wsgi_bridge import HttpAnswer

ALONE = frozenset({b"authorization", b"range"})  # a request with one of these gets an answer of its own
OLDEST = 10.0  # seconds since a page was begun: who changes something gets none that is kept for longer than that
FORGET = FORGET_HEADER.lower().encode()
OF_THE_PAGE = frozenset({b"content-type", b"content-length"})


@dataclass(slots=True)
class Pages:
    cache: PageCache

    async def answer(self, scope: Scope, ask: Ask) -> HttpAnswer:
        if scope["method"] != "GET":
            return await self._unchanged(scope, ask) or self._noted(await ask(scope))
        key = self.cache.key_of(scope)
        if key is not None:
            return await self.cache.answer(scope, ask, key)
        if any(name in ALONE for name, _ in scope["headers"]):
            return await ask(scope)
        return await self._own(scope, ask)

    async def _unchanged(self, scope: Scope, ask: Ask) -> HttpAnswer | None:
        """Return 304 to a HEAD with the tag of a cached page, which GET gave; else None."""
        get: Scope = {**scope, "method": "GET"}
        if scope["method"] != "HEAD" or not header(scope["headers"], b"if-none-match"):
            return None
        if (key := self.cache.key_of(get)) is None:
            return None
        page = await self.cache.page(get, ask, key)
        if isinstance(page, CachedAnswer):
            answer = page.to(get)
            return answer if answer.status == 304 else None
        if page.flow:
            await page.flow.end()
        return None

    def _noted(self, answer: HttpAnswer) -> HttpAnswer:
        """Forget all pages where an answer says so: what organisers do is seen at once."""
        if header(answer.headers, FORGET):
            self.cache.forget()
            answer.headers = public_headers(answer.headers)
        return answer

    async def _own(self, scope: Scope, ask: Ask) -> HttpAnswer:
        answer = await ask(wanting(scope, OWN))
        parts = parts_of_answer(answer.headers, answer.body)
        if parts is None:
            return answer
        visitor = as_visitor(scope, space_of_parts(answer.headers))
        key = self.cache.key_of(visitor)
        page = await self.cache.page(visitor, ask, key) if key else None
        return joined(page, parts) or await ask(scope)


def joined(page: CachedAnswer | HttpAnswer | None, parts: Parts) -> HttpAnswer | None:
    """Return a visitor's page with these parts in it.

    None where visitors have no such page, or one with other parts, or an old one that took long to make: then it is
    made for this person alone.
    """
    if not isinstance(page, CachedAnswer) or monotonic() - page.begun > OLDEST:
        return None
    body = parts.put_into(page.answer.body, page.holes)
    if body is None:
        return None
    headers = [pair for pair in parts.headers if pair[0] not in OF_THE_PAGE]
    headers.append((b"content-type", header(page.answer.headers, b"content-type")))
    headers.append((b"content-length", str(len(body)).encode()))
    return HttpAnswer(200, headers, body)
