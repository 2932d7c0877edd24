"""Request bodies, read before Django is called: a slow client holds memory for what it has sent, and no thread.

Bytes count from their arrival until the request is answered. A large announced length alone holds nothing.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tournaments.server.asgi_types import Receive, Scope, header
from tournaments.server.deadlines import Pace
from tournaments.server.shared_capacity import Holding, Room

TOGETHER, OF_ONE = 64 << 20, 32 << 20  # bytes of all bodies in one process, and of one address
GRACE, SLOWEST = 10.0, 16 << 10  # seconds at first, and one more for so many bytes
LONGEST = 600.0  # seconds
DIGITS = 15  # of a length


class Gone(Exception):
    """The client has left."""


class TooSlow(Exception):
    """The body came more slowly than it may, or had to make room for another address's."""


@dataclass(slots=True)
class Intake:
    """Reads bodies of at most as many bytes as `longest` says of their path."""

    longest: Callable[[str], int]
    room: Room = field(default_factory=lambda: Room(TOGETHER, OF_ONE))

    @asynccontextmanager
    async def body(self, client: str, scope: Scope, receive: Receive) -> AsyncIterator[tuple[bytes, int]]:
        """The body and its length, for the block. One that is too large, or has a malformed length, is dropped: Django
        refuses it by that length. Raises Gone, NoRoom, TooSlow."""
        share = Holding(client)
        try:
            yield await self._read(share, scope, receive)
        finally:
            self.room.free(share)

    async def _read(self, share: Holding, scope: Scope, receive: Receive) -> tuple[bytes, int]:
        announced = header(scope["headers"], b"content-length")
        chunked = not announced and header(scope["headers"], b"transfer-encoding")
        if not announced and not chunked:
            return b"", 0
        most = self.longest(scope["path"])
        length = _length(announced, most) if announced else most
        if length <= most:
            return await self._hold(share, receive, most)
        with suppress(Gone, TooSlow):  # read some of it: browsers show no answer before they have sent it
            await _gather(receive, 4 * most, Pace(GRACE, SLOWEST, LONGEST), keep=lambda _: None)
        return b"", length

    async def _hold(self, share: Holding, receive: Receive, most: int) -> tuple[bytes, int]:
        pace, parts = Pace(GRACE, SLOWEST, LONGEST), list[bytes]()

        def keep(part: bytes) -> None:
            self.room.take(share, len(part))
            parts.append(part)

        share.give_up = pace.end
        size = await _gather(receive, most, pace, keep)
        share.give_up = None  # from here on Django has it
        return (b"".join(parts), size) if size <= most else (b"", size)


def _length(announced: bytes, most: int) -> int:
    sound = announced.isdigit() and len(announced) <= DIGITS
    return int(announced) if sound else most + 1


async def _gather(receive: Receive, most: int, pace: Pace, keep: Callable[[bytes], None]) -> int:
    """The number of bytes read. Raises Gone, TooSlow, and the errors of `keep`."""
    try:
        async with pace.limit:
            while await _keep_part(receive, pace, keep) and pace.moved <= most:
                pass
    except TimeoutError:
        raise TooSlow from None
    return pace.moved


async def _keep_part(receive: Receive, pace: Pace, keep: Callable[[bytes], None]) -> bool:
    """Whether more will come."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise Gone
    part = message.get("body", b"")
    keep(part)
    pace.move(len(part))
    return bool(message.get("more_body", False))
