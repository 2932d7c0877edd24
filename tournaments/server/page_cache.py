"""A small cache of answers that all may see: five hundred who look at one page cost as much as one who does.

It obeys HTTP. Kept is what Django calls `public`, for as many seconds as `s-maxage` or `max-age` say and never longer;
used for those who bring no session. What is kept is packed for those who can unpack it: since only public answers are,
no length of a packed answer tells of anybody's secret.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from gzip import compress
from hashlib import blake2b
from time import monotonic

from tournaments.server.asgi_types import Headers, Scope, header
from tournaments.server.wsgi_bridge import Answer

MOST, MOST_BYTES = 500, 32 << 20  # entries, and bytes of all together
LINGER = 2.0  # seconds after its time that an answer still serves, while a fresh one is on its way
PACKED_FROM = 1000  # bytes
AGE = re.compile(rb"s-maxage=(\d{1,8})"), re.compile(rb"max-age=(\d{1,8})")
WORDY = (b"text/", b"application/json", b"application/javascript", b"image/svg", b"application/xml")
VARIES = {b"", b"cookie", b"accept-encoding", b"origin"}  # what the key or the packing takes care of
PRIVATE = (b"set-cookie", b"x-request-id")  # of one answer to one client

Key = tuple[bytes, ...]
QUERY = -1  # where it stands in a key
Ask = Callable[[], Awaitable[Answer]]


@dataclass(slots=True)
class Kept:
    answer: Answer
    etag: bytes
    until: float
    packed: bytes = b""

    def to(self, scope: Scope) -> Answer:
        """For this client: nothing if it has it, else packed if it can unpack it."""
        headers = [*self.answer.headers, (b"etag", self.etag)]
        if matches(header(scope["headers"], b"if-none-match"), self.etag):
            return Answer(304, [pair for pair in headers if pair[0] != b"content-length"], b"")
        if not self._pack() or b"gzip" not in header(scope["headers"], b"accept-encoding"):
            return Answer(self.answer.status, headers, self.answer.body, shared=True)
        headers = [pair for pair in headers if pair[0] != b"content-length"]
        headers += [(b"content-encoding", b"gzip"), (b"content-length", str(len(self.packed)).encode())]
        return Answer(self.answer.status, headers, self.packed, shared=True)

    def _pack(self) -> bool:
        kind = header(self.answer.headers, b"content-type")
        if not self.packed and len(self.answer.body) >= PACKED_FROM and kind.startswith(WORDY):
            self.packed = compress(self.answer.body, 6, mtime=0)
        return bool(self.packed)

    @property
    def size(self) -> int:
        return len(self.answer.body) + len(self.packed)


def matches(asked: bytes, etag: bytes) -> bool:
    return asked.strip() == b"*" or etag in (each.strip() for each in asked.split(b","))


@dataclass(slots=True)
class Sharing:
    """`sessions` are the names of the cookies by which somebody is known."""

    sessions: tuple[bytes, ...]
    kept: dict[Key, Kept] = field(default_factory=dict)
    fetching: dict[Key, "asyncio.Future[None]"] = field(default_factory=dict)

    async def answer(self, scope: Scope, ask: Ask) -> Answer:
        """What is kept, or else what `ask` brings. One asks, the others take what it gets."""
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

    async def _fetch(self, key: Key, scope: Scope, ask: Ask) -> Answer:
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
        """Nothing for a request that is to be answered for itself alone."""
        said = dict(scope["headers"])
        if scope["method"] != "GET" or b"authorization" in said or b"range" in said:
            return None
        if any(name + b"=" in header(scope["headers"], b"cookie") for name in self.sessions):
            return None
        told = (header(scope["headers"], name) for name in (b"host", b"x-forwarded-proto"))
        return (scope["scheme"].encode(), *told, scope["raw_path"], scope["query_string"])

    def _clear(self) -> None:
        """Never more than so much: what is over goes, then what was asked with a query, then what came first. Anybody
        can make up queries, and none of them puts a page out that everybody looks at."""
        if len(self.kept) <= MOST and sum(kept.size for kept in self.kept.values()) <= MOST_BYTES:
            return
        now = monotonic()
        fresh = sorted((key for key, kept in self.kept.items() if kept.until > now), key=lambda key: not key[QUERY])
        self.kept = {key: self.kept[key] for key in fresh}
        while len(self.kept) > MOST or sum(kept.size for kept in self.kept.values()) > MOST_BYTES:
            del self.kept[next(iter(self.kept))]


def keep(answer: Answer) -> Kept | None:
    """The answer as it is kept, if it may be."""
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
    return Kept(Answer(200, headers, answer.body), etag, monotonic() + min(seconds, 60))
