"""Server-sent events to browsers, at each one's own speed and within fair limits."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tournaments.web.live.board_slots import Full
from tournaments.web.live.hub import Hub
from tournaments.web.live.subscribers import StreamViewer
from tournaments.web.server.asgi_types import Headers, Receive, Scope, Send, header, send_whole
from tournaments.web.server.stream_handshake import NAMES

OURS = NAMES | {b"content-type", b"content-length", b"cache-control"}
EVENTS: Headers = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
REFUSALS = {
    429: b"So many streams are open at your address already. Close a few, and try again.",
    503: b"So much is being watched just now that this has to wait. Try again in a minute.",
}
SEND_TIMEOUT = 30.0  # seconds for a client to take one chunk
MOST_STREAMS = 4000  # streams of one process
MATCHES = 8  # different ones at one address: a process cannot show many at once


@dataclass(slots=True)
class Streams:
    """At most `each` at once for one address, and no more than MATCHES different matches among them."""

    hub: Hub
    most_each: int
    open: dict[str, Counter[str]] = field(default_factory=dict)  # by address, how many streams of each topic

    async def serve(self, topic: str, asker: str, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the stream of that topic. `headers` are Django's."""
        kept = [pair for pair in headers if pair[0] not in OURS]
        if not self._has_room(asker, topic):
            return await refuse_stream(429, kept, send)
        try:
            viewer = self.hub.join(topic, asker, header(scope["headers"], b"last-event-id").decode("latin-1"))
        except Full:
            return await refuse_stream(503, kept, send)
        with self._counted(asker, topic), suppress(TimeoutError):
            try:
                await send({"type": "http.response.start", "status": 200, "headers": [*kept, *EVENTS]})
                await self._follow(viewer, receive, send)
            finally:
                self.hub.leave(viewer)
        return None

    def _has_room(self, asker: str, topic: str) -> bool:
        mine = self.open.get(asker, Counter())
        matches = {name for name in (*mine, topic) if name.startswith("match ")}
        everybody = sum(topics.total() for topics in self.open.values())
        return mine.total() < self.most_each and len(matches) <= MATCHES and everybody < MOST_STREAMS

    @contextmanager
    def _counted(self, asker: str, topic: str) -> Iterator[None]:
        mine = self.open.setdefault(asker, Counter())
        mine[topic] += 1
        try:
            yield
        finally:
            mine[topic] -= 1
            if not mine[topic]:
                del mine[topic]
            if not mine:
                self.open.pop(asker, None)

    @staticmethod
    async def _follow(viewer: StreamViewer, receive: Receive, send: Send) -> None:
        gone = asyncio.create_task(_watch(viewer, receive))
        try:
            while chunk := await viewer.next():
                async with asyncio.timeout(SEND_TIMEOUT):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            with suppress(OSError, RuntimeError):
                await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()


async def _watch(viewer: StreamViewer, receive: Receive) -> None:
    """Notices at once when the client leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.close()


async def refuse_stream(status: int, headers: Headers, send: Send) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"30"), (b"cache-control", b"no-store")]
    await send_whole(send, status, [*headers, *plain], REFUSALS[status])
