"""One who watches, and what waits to be sent there."""

import asyncio
import json
from dataclasses import dataclass, field

WAITING = 64  # pieces on their way to one viewer; whoever is further behind is let go, and comes back by itself
RETRY = b"retry: 2000\n\n"  # milliseconds


def event(kind: str, data: object, name: str = "") -> bytes:
    """As the browser's EventSource reads it. With a `name`, one who comes back says which was the last."""
    told = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return (f"id: {name}\n" * bool(name) + f"event: {kind}\ndata: {told}\n\n").encode()


ALIVE = b":\n\n"
BEHIND = event("behind", {"text": "Your line is slower than the match; it begins again where you left."})


@dataclass(eq=False, slots=True)
class Viewer:
    topic: str
    last: str = ""  # the name of the last event that it had before it came back
    chunks: "asyncio.Queue[bytes]" = field(default_factory=asyncio.Queue)
    closed: bool = False

    async def next(self) -> bytes:
        """What to send now, all that waits in one piece; nothing at the end."""
        chunk = await self.chunks.get()
        while chunk and not self.chunks.empty():
            more = self.chunks.get_nowait()
            if not more:  # the end comes in its turn
                self.chunks.put_nowait(more)
                break
            chunk += more
        return chunk

    def give(self, chunk: bytes) -> None:
        if self.closed:
            return
        if self.chunks.qsize() < WAITING:
            self.chunks.put_nowait(chunk)
            return
        self._forget()
        self.chunks.put_nowait(BEHIND)
        self.end()

    def end(self) -> None:
        """After what waits."""
        self.closed = True
        self.chunks.put_nowait(b"")

    def close(self) -> None:
        """At once."""
        self._forget()
        self.end()

    def _forget(self) -> None:
        while not self.chunks.empty():
            self.chunks.get_nowait()
