"""Django, called by WSGI in a pool of threads. Nothing here waits for a client in a thread, but for long downloads."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from threading import Semaphore
from typing import Any
from urllib.parse import unquote_to_bytes

from tournaments.front.asgi import Headers, Scope

CHUNK = 64 << 10  # bytes: what is smaller goes out in one piece
AHEAD = 64  # chunks that a download may be made before they are sent
PATIENCE = 60.0  # seconds for a client to take one of them

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Flow:
    """The rest of a long answer, from the thread that makes it to the loop that sends it."""

    loop: asyncio.AbstractEventLoop
    chunks: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    room: Semaphore = field(default_factory=lambda: Semaphore(AHEAD))
    left: bool = False  # nobody takes it any more

    def put(self, chunk: bytes) -> bool:
        """In the thread. Whether it is still wanted; nothing is the end."""
        if chunk and not self.room.acquire(timeout=PATIENCE):
            self.left = True
        self.loop.call_soon_threadsafe(self.chunks.put_nowait, b"" if self.left else chunk)
        return not self.left

    async def take(self) -> AsyncIterator[bytes]:
        while chunk := await self.chunks.get():
            yield chunk
            self.room.release()


@dataclass(slots=True)
class Answer:
    """What Django says. With `flow`, `body` is only its beginning."""

    status: int
    headers: Headers
    body: bytes
    flow: Flow | None = None


class Bridge:
    def __init__(self, application: Wsgi, threads: int) -> None:
        self.application = application
        self.pool = ThreadPoolExecutor(threads, "django")

    async def ask(self, scope: Scope, body: bytes, length: int) -> Answer:
        """What the application answers; 500 where it fails."""
        loop = asyncio.get_running_loop()
        told: asyncio.Future[Answer] = loop.create_future()
        self.pool.submit(self._work, environ_of(scope, body, length), loop, told)
        return await told

    def _work(self, environ: Environ, loop: asyncio.AbstractEventLoop, told: "asyncio.Future[Answer]") -> None:
        try:
            self._call(environ, loop, told)
        except BaseException:  # Django answers its own errors, so this is one of ours; a thread must not end by it
            log.exception("the application failed")
            loop.call_soon_threadsafe(_tell, told, Answer(500, [], b"The site failed; the log says why."))

    def _call(self, environ: Environ, loop: asyncio.AbstractEventLoop, told: "asyncio.Future[Answer]") -> None:
        started = Answer(500, [], b"")

        def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
            started.status = int(status[:3])
            started.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        parts = self.application(environ, start_response)
        try:
            chunks = gathered(parts)
            started.body = next(chunks, b"")
            if len(started.body) >= CHUNK:
                started.flow = Flow(loop)
            loop.call_soon_threadsafe(_tell, told, started)
            if started.flow:
                pour(chunks, started.flow)
        finally:
            getattr(parts, "close", lambda: None)()


def _tell(told: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not told.done():  # the client may have left, and the future with it
        told.set_result(answer)


def gathered(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of at least CHUNK, but for the last."""
    piece = bytearray()
    for part in parts:
        piece += part
        if len(piece) >= CHUNK:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def pour(chunks: Iterable[bytes], flow: Flow) -> None:
    try:
        for chunk in chunks:
            if not flow.put(chunk):
                break
    finally:
        flow.put(b"")


def environ_of(scope: Scope, body: bytes, length: int) -> Environ:
    """A request as WSGI tells it. Headers with an underscore are left out: they would pass for others."""
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
    """Of a name told twice both are kept, in order, as one list."""
    key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
    joint = "; " if name == "COOKIE" else ","
    environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
