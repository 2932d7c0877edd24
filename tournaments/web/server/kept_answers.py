"""A cached public answer: for how long, and in what form it is sent."""

import re
from dataclasses import dataclass, field
from gzip import compress
from hashlib import blake2b

from tournaments.web.server.asgi_types import Headers, Scope, header
from tournaments.web.server.unchanged import holds
from tournaments.web.server.wsgi_bridge import HttpAnswer

COMPRESS_FROM = 1000  # bytes
AGE = re.compile(rb"s-maxage=(\d{1,8})"), re.compile(rb"max-age=(\d{1,8})")
COMPRESSIBLE = (b"text/", b"application/json", b"application/javascript", b"image/svg", b"application/xml")
VARIES = {b"", b"cookie", b"accept-encoding", b"accept-language", b"origin"}  # what the key and the packing see to
PRIVATE = (b"set-cookie", b"x-request-id")  # of one answer to one client
LONGEST = 60  # seconds that an answer is fresh


@dataclass(slots=True)
class CachedAnswer:
    """`until`: fresh so long."""

    answer: HttpAnswer
    etag: bytes
    until: float
    compressed: bytes = b""
    packed: bool = False
    full_headers: Headers = field(default_factory=list)  # the headers of its forms, which are sent as they are
    short: Headers = field(default_factory=list)

    def to(self, scope: Scope) -> HttpAnswer:
        """Return the answer for this client: 304 if it has it already, else compressed if it accepts that."""
        etags = accepts = b""
        for name, value in scope["headers"]:
            if name == b"if-none-match":
                etags = etags + b"," + value if etags else value
            elif name == b"accept-encoding":
                accepts += value
        if etags and holds(etags.decode("latin-1"), self.etag.decode()):
            return HttpAnswer(304, [pair for pair in self._full_headers() if pair[0] != b"content-length"], b"")
        if b"gzip" in accepts and self._compress():
            return HttpAnswer(self.answer.status, self.short, self.compressed, shared=True)
        return HttpAnswer(self.answer.status, self._full_headers(), self.answer.body, shared=True)

    def _full_headers(self) -> Headers:
        self.full_headers = self.full_headers or [*self.answer.headers, (b"etag", self.etag)]
        return self.full_headers

    def _compress(self) -> bool:
        """Once, when somebody asks for it."""
        if not self.packed:
            self.packed = True
            self._pack()
        return bool(self.compressed)

    def _pack(self) -> None:
        kind = header(self.answer.headers, b"content-type")
        if len(self.answer.body) < COMPRESS_FROM or not kind.startswith(COMPRESSIBLE):
            return
        self.compressed = compress(self.answer.body, 6, mtime=0)
        headers = [pair for pair in self._full_headers() if pair[0] != b"content-length"]
        length = str(len(self.compressed)).encode()
        self.short = [*headers, (b"content-encoding", b"gzip"), (b"content-length", length)]

    @property
    def size(self) -> int:
        return len(self.answer.body) + len(self.compressed)


def cached_answer(answer: HttpAnswer, now: float) -> CachedAnswer | None:
    """Return the answer as it is cached, or None if it may not be."""
    control = header(answer.headers, b"cache-control")
    varies = {name.strip().lower() for name in header(answer.headers, b"vary").split(b",")}
    complete = answer.status == 200 and answer.flow is None and not header(answer.headers, b"content-encoding")
    if not complete or b"public" not in control or header(answer.headers, b"set-cookie") or varies - VARIES:
        return None
    seconds = next((int(matched[1]) for age in AGE if (matched := age.search(control))), 0)
    if not seconds:
        return None
    headers: Headers = [pair for pair in answer.headers if pair[0] not in {*PRIVATE, b"etag", b"vary"}]
    headers.append((b"vary", b"Cookie, Accept-Encoding, Accept-Language"))
    etag = b'W/"' + blake2b(answer.body, digest_size=12).hexdigest().encode() + b'"'
    made = HttpAnswer(200, headers, answer.body)
    return CachedAnswer(made, etag, now + min(seconds, LONGEST))
