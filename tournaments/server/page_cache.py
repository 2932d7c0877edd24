"""A small cache of public answers: five hundred views of one page cost as much as one.

It obeys HTTP: it stores answers that Django marks `public`, for the seconds of `s-maxage` or `max-age`, and uses them
for requests without a session. They are compressed for clients that accept it: only public answers are, so the length
of a compressed answer reveals no secret.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from gzip import compress
from hashlib import blake2b
from time import monotonic

from tournaments.server.asgi_types import Headers, Scope, header
from tournaments.server.wsgi_bridge import HttpAnswer

MOST, MOST_BYTES = 500, 32 << 20  # entries, and bytes of all together
LINGER = 2.0  # seconds after its expiry that an answer still serves while a fresh one is fetched
COMPRESS_FROM = 1000  # bytes
AGE = re.compile(rb"s-maxage=(\d{1,8})"), re.compile(rb"max-age=(\d{1,8})")
COMPRESSIBLE = (b"text/", b"application/json", b"application/javascript", b"image/svg", b"application/xml")
VARIES = {b"", b"cookie", b"accept-encoding", b"origin"}  # what the key or the packing takes care of
PRIVATE = (b"set-cookie", b"x-request-id")  # of one answer to one client

Key = tuple[bytes, ...]
QUERY = -1  # where it stands in a key
Ask = Callable[[], Awaitable[HttpAnswer]]


@dataclass(slots=True)
class CachedAnswer:
    answer: HttpAnswer
    etag: bytes
    until: float
    compressed: bytes = b""

    def to(self, scope: Scope) -> HttpAnswer:
        """The answer for this client: 304 if it has it already, else compressed if it accepts that."""
        headers = [*self.answer.headers, (b"etag", self.etag)]
        if matches(header(scope["headers"], b"if-none-match"), self.etag):
            return HttpAnswer(304, [pair for pair in headers if pair[0] != b"content-length"], b"")
        if not self._compress() or b"gzip" not in header(scope["headers"], b"accept-encoding"):
            return HttpAnswer(self.answer.status, headers, self.answer.body, shared=True)
        headers = [pair for pair in headers if pair[0] != b"content-length"]
        headers += [(b"content-encoding", b"gzip"), (b"content-length", str(len(self.compressed)).encode())]
        return HttpAnswer(self.answer.status, headers, self.compressed, shared=True)

    def _compress(self) -> bool:
        kind = header(self.answer.headers, b"content-type")
        if not self.compressed and len(self.answer.body) >= COMPRESS_FROM and kind.startswith(COMPRESSIBLE):
            self.compressed = compress(self.answer.body, 6, mtime=0)
        return bool(self.compressed)

    @property
    def size(self) -> int:
        return len(self.answer.body) + len(self.compressed)


def matches(wanted: bytes, etag: bytes) -> bool:
    return wanted.strip() == b"*" or etag in (each.strip() for each in wanted.split(b","))


@dataclass(slots=True)
class PageCache:
    """`sessions` are the names of session cookies."""

    sessions: tuple[bytes, ...]
    kept: dict[Key, CachedAnswer] = field(default_factory=dict)
    fetching: dict[Key, "asyncio.Future[None]"] = field(default_factory=dict)

    async def answer(self, scope: Scope, ask: Ask) -> HttpAnswer:
        """The cached answer, or that of `ask`. Concurrent requests for one page share one call."""
        key = self.key_of(scope)
        if key is None:
            return await ask()
        kept, now = self.kept.get(key), monotonic()
        if kept and (now < kept.until or (key in self.fetching and now < kept.until + LINGER)):
            return kept.to(scope)
        if kept and key in self.fetching:
            await asyncio.shield(self.fetching[key])
            return self.kept[key].to(scope) if self._fresh(key) else await ask()
        return await self._fetch(key, scope, ask)

    def _fresh(self, key: Key) -> bool:
        return key in self.kept and monotonic() < self.kept[key].until

    async def _fetch(self, key: Key, scope: Scope, ask: Ask) -> HttpAnswer:
        mine = self.fetching[key] = asyncio.get_running_loop().create_future()
        try:
            answer = await ask()
            kept = keep(answer)
            if kept is None:
                self.kept.pop(key, None)
                return answer
            self.kept[key] = kept
            self._clear()
            return kept.to(scope)
        finally:
            mine.set_result(None)
            if self.fetching.get(key) is mine:
                del self.fetching[key]

    def key_of(self, scope: Scope) -> Key | None:
        """None for a request that must not be cached."""
        headers = dict(scope["headers"])
        if scope["method"] != "GET" or b"authorization" in headers or b"range" in headers:
            return None
        if any(name + b"=" in header(scope["headers"], b"cookie") for name in self.sessions):
            return None
        varying = (header(scope["headers"], name) for name in (b"host", b"x-forwarded-proto"))
        return (scope["scheme"].encode(), *varying, scope["raw_path"], scope["query_string"])

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


def keep(answer: HttpAnswer) -> CachedAnswer | None:
    """The answer as it is cached, or None if it may not be."""
    control = header(answer.headers, b"cache-control")
    varies = {name.strip().lower() for name in header(answer.headers, b"vary").split(b",")}
    whole = answer.status == 200 and answer.flow is None and not header(answer.headers, b"content-encoding")
    if not whole or b"public" not in control or header(answer.headers, b"set-cookie") or varies - VARIES:
        return None
    seconds = next((int(found[1]) for age in AGE if (found := age.search(control))), 0)
    if not seconds:
        return None
    headers: Headers = [pair for pair in answer.headers if pair[0] not in (*PRIVATE, b"etag", b"vary")]
    headers.append((b"vary", b"Cookie, Accept-Encoding"))
    etag = b'W/"' + blake2b(answer.body, digest_size=12).hexdigest().encode() + b'"'
    return CachedAnswer(HttpAnswer(200, headers, answer.body), etag, monotonic() + min(seconds, 60))
