"""Django, called through WSGI in a pool of threads. No thread waits for a client, neither to send nor to read.

A long answer is generated chunk by chunk, each in any of the threads, when the client has taken the one before. So its
generator must hold nothing that belongs to a thread between two chunks, such as a cursor
(`tournaments.models.paging`).
"""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from threading import Lock
from typing import Any
from urllib.parse import unquote_to_bytes

from tournaments.web.server.asgi_types import Headers, Scope
from tournaments.web.server.thread_sharing import Turns

WHOLE = 1 << 20  # bytes: smaller answers are made at once
CHUNK = 64 << 10  # bytes of a chunk of longer ones

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

log = logging.getLogger(__name__)


class CutShort(Exception):
    """Generating the rest of a long answer failed; the log says why."""


@dataclass(slots=True)
class Flow:
    """The rest of a long answer."""

    turns: Turns
    client: str
    chunks: Iterator[bytes]
    close: Callable[[], None]
    one_at_a_time: Lock = field(default_factory=Lock)  # a call that was given up may still run

    async def next(self) -> bytes:
        """The next chunk; empty at the end. Raises CutShort."""
        return await self.turns.run(self.client, self._pull)

    async def end(self) -> None:
        await self.turns.run(self.client, self._close)

    def _pull(self) -> bytes:
        try:
            with self.one_at_a_time:
                return next(self.chunks, b"")
        except Exception as error:
            log.exception("a long answer could not be made to its end")
            raise CutShort from error

    def _close(self) -> None:
        try:
            with self.one_at_a_time:
                self.close()
        except Exception:
            log.exception("a long answer could not be closed")


@dataclass(slots=True)
class HttpAnswer:
    """Django's answer. With `flow`, `body` is only its beginning. `shared`: cached, and sent to others too."""

    status: int
    headers: Headers
    body: bytes
    flow: Flow | None = None
    shared: bool = False


@dataclass(slots=True)
class Bridge:
    application: Wsgi
    turns: Turns

    async def ask(self, client: str, scope: Scope, body: bytes, length: int) -> HttpAnswer:
        """The application's answer; 500 if it fails. Raises Crowded."""
        self.turns.check(client)
        return await self.turns.run(client, partial(self._work, client, scope, body, length))

    def _work(self, client: str, scope: Scope, body: bytes, length: int) -> HttpAnswer:
        try:
            return self._call(client, environ_of(scope, body, length))
        except BaseException:  # Django answers its own errors, so this is ours; it must not end the thread
            log.exception("the application failed")
            return HttpAnswer(500, [], b"The site failed; the log says why.")

    def _call(self, client: str, environ: Environ) -> HttpAnswer:
        answer = HttpAnswer(500, [], b"")

        def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            answer.status = int(status[:3])
            answer.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        parts = self.application(environ, start_response)
        close: Callable[[], None] = getattr(parts, "close", lambda: None)
        try:
            pieces = iter(parts)
            answer.body, more = first_bytes(pieces)
        except BaseException:
            close()
            raise
        if more:
            answer.flow = Flow(self.turns, client, gathered(pieces), close)
        else:
            close()
        return answer


def first_bytes(parts: Iterator[bytes]) -> tuple[bytes, bool]:
    """The first bytes, or all if they are few; and whether there may be more."""
    piece = bytearray()
    for part in parts:
        piece += part
        if len(piece) >= WHOLE:
            return bytes(piece), True
    return bytes(piece), False


def gathered(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in chunks of at least CHUNK, except the last."""
    piece = bytearray()
    for part in parts:
        piece += part
        if len(piece) >= CHUNK:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def environ_of(scope: Scope, body: bytes, length: int) -> Environ:
    """The WSGI environment of a request. Headers with an underscore are left out: they would be mistaken for others."""
    server, client = scope.get("server") or ("", ""), scope.get("client") or ("", "")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" not in name:
            _add(environ, name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1"))
    environ["CONTENT_LENGTH"] = str(length) if length else environ.get("CONTENT_LENGTH", "")
    return environ


def _add(environ: Environ, name: str, value: str) -> None:
    """The values of a repeated header are joined in order."""
    key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
    separator = "; " if name == "COOKIE" else ","
    environ[key] = f"{environ[key]}{separator}{value}" if key in environ else value
