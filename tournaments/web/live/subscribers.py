"""A viewer, and the queue of events to send to it."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

WAITING = 64  # chunks on their way to one viewer; one that is further behind is disconnected, and reconnects by itself
WAITING_BYTES = 1 << 20
RETRY = b"retry: 2000\n\n"  # milliseconds
NAME = re.compile(r"([0-9]{1,18})-([0-9]{1,9})")  # of an event: the lease, and how many answers were shown

log = logging.getLogger(__name__)


def server_sent_event(kind: str, data: object, name: str = "") -> bytes:
    """A server-sent event. With a `name`, a viewer that reconnects names the last one it got."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return (f"id: {name}\n" * bool(name) + f"event: {kind}\ndata: {text}\n\n").encode()


ALIVE = b":\n\n"
BEHIND = server_sent_event("behind", {"text": "Your line is slower than the match; it begins again where you left."})


@dataclass(eq=False, slots=True)
class StreamViewer:
    topic: str
    client: str = ""  # the address
    last: str = ""  # the name of the last event before it reconnected, as the client claims
    chunks: "asyncio.Queue[bytes]" = field(default_factory=asyncio.Queue)
    waiting: int = 0  # bytes
    closed: bool = False

    @property
    def seen(self) -> tuple[int, int] | None:
        """Lease, and number of answers shown, at the viewer's last event. Clients may send anything there."""
        matched = NAME.fullmatch(self.last)
        return (int(matched[1]), int(matched[2])) if matched else None

    async def next(self) -> bytes:
        """Return all that waits, as one chunk; empty at the end."""
        chunk = await self.chunks.get()
        while chunk and not self.chunks.empty():
            more = self.chunks.get_nowait()
            if not more:  # the end stays in the queue
                self.chunks.put_nowait(more)
                break
            chunk += more
        self.waiting = 0
        return chunk

    def give(self, chunk: bytes) -> None:
        if self.closed:
            return
        if self.chunks.empty() or (self.chunks.qsize() < WAITING and self.waiting < WAITING_BYTES):
            self.chunks.put_nowait(chunk)
            self.waiting += len(chunk)
            return
        self._forget()
        self.chunks.put_nowait(BEHIND)
        self.end()

    def end(self) -> None:
        """End the stream after what waits."""
        self.closed = True
        self.chunks.put_nowait(b"")

    def close(self) -> None:
        """End the stream at once."""
        self._forget()
        self.end()

    def _forget(self) -> None:
        while not self.chunks.empty():
            self.chunks.get_nowait()


def give_each(viewers: Iterable[StreamViewer], chunk: bytes) -> None:
    act_for_each(viewers, lambda viewer: viewer.give(chunk))


def act_for_each(viewers: Iterable[StreamViewer], act: Callable[[StreamViewer], None]) -> None:
    """A viewer for which it fails is disconnected, and reconnects by itself; the others are not affected."""
    for viewer in list(viewers):
        try:
            act(viewer)
        except Exception:
            log.exception("a viewer of %s failed", viewer.topic)
            viewer.close()
