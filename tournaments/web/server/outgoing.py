"""Sending answers at the client's speed, without holding a thread, within a deadline.

The memory that waits for slow readers is counted by address; so are downloads that are generated while they are sent.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tournaments.web.server.asgi_types import Receive, Send, send_whole
from tournaments.web.server.deadlines import Pace
from tournaments.web.server.shared_capacity import Holding, Room
from tournaments.web.server.wsgi_bridge import CHUNK, CutShort, HttpAnswer

BYTES, BYTES_OF_ONE = 128 << 20, 48 << 20  # of answers that wait to be sent
DOWNLOADS, DOWNLOADS_OF_ONE = 32, 4  # that are generated while they are sent
GRACE, SLOWEST = 30.0, 4 << 10  # seconds at first, and one more for so many bytes
LONGEST = 1800.0  # seconds


class Unsent(Exception):
    """The client left, was too slow, or had to make room; or generating the answer failed."""


@dataclass(slots=True)
class Outbox:
    bytes: Room = field(default_factory=lambda: Room(BYTES, BYTES_OF_ONE))
    downloads: Room = field(default_factory=lambda: Room(DOWNLOADS, DOWNLOADS_OF_ONE))

    async def send(
        self, client: str, answer: HttpAnswer, receive: Receive, send: Send, *, bodiless: bool = False
    ) -> None:
        """Raises NoRoom before anything is sent, and Unsent after that."""
        if answer.flow is None and (bodiless or len(answer.body) <= CHUNK):
            await send_whole(send, answer.status, answer.headers, answer.body)
            return
        try:
            with self._held(client, answer) as pace:
                await self._send(answer, pace, receive, send, bodiless=bodiless)
        finally:
            if answer.flow:
                await answer.flow.end()

    @contextmanager
    def _held(self, client: str, answer: HttpAnswer) -> Iterator[Pace]:
        pace = Pace(GRACE, SLOWEST, LONGEST)
        waiting, download = Holding(client), Holding(client)
        try:
            self.bytes.take(waiting, 0 if answer.shared else len(answer.body))
            self.downloads.take(download, 1 if answer.flow else 0)
            waiting.give_up = download.give_up = pace.end
            yield pace
        finally:
            self.bytes.free(waiting)
            self.downloads.free(download)

    async def _send(self, answer: HttpAnswer, pace: Pace, receive: Receive, send: Send, *, bodiless: bool) -> None:
        gone = asyncio.create_task(_watch(receive, pace.end))
        try:
            async with pace.limit:
                await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
                async for chunk in _chunks(answer, bodiless=bodiless):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
                    pace.move(len(chunk))
            await send({"type": "http.response.body", "body": b""})
        except (TimeoutError, CutShort) as error:
            raise Unsent from error
        finally:
            gone.cancel()


async def _chunks(answer: HttpAnswer, *, bodiless: bool) -> AsyncIterator[bytes]:
    if bodiless:
        return
    for start in range(0, len(answer.body), CHUNK):
        yield answer.body[start : start + CHUNK]
    while answer.flow and (chunk := await answer.flow.next()):
        yield chunk


async def _watch(receive: Receive, leave: Callable[[], None]) -> None:
    """Notices at once when the client leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    leave()
