"""Request bodies, read before Django is called: a slow client holds memory for what it has sent, and no thread.

Bytes count from their arrival until the request is answered, and what Django makes of them from when it has them. A
large announced length alone holds nothing.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from tournaments.core.config.budgets import Budget, declare
from tournaments.web.server.asgi_types import Receive, Scope, header
from tournaments.web.server.body_lengths import UPLOADS, USUAL, WORDS_OF_WORKERS, budget_of
from tournaments.web.server.deadlines import Pace
from tournaments.web.server.shared_capacity import Holding, Room

HOLDS: Final = partial(
    Budget,
    resource="Requests and pages",
    where="tournaments.web.server.request_bodies.rooms",
    sentence="as much is under way here just now as this server can take; try again in a moment",
)
TOGETHER = declare(HOLDS("memory of received bodies", most=64 << 20, unit="bytes", holder="web process"))
OF_ONE = declare(
    HOLDS("memory of received bodies of one address", most=32 << 20, unit="bytes", holder="address, in a web process")
)
WORK = declare(HOLDS("memory for answers to bodies", most=192 << 20, unit="bytes", holder="web process"))
WORK_OF_ONE = declare(
    HOLDS(
        "memory for answers to bodies of one address", most=96 << 20, unit="bytes", holder="address, in a web process"
    )
)
# Bytes of memory for one of a form that is shown again, or of JSON; and for one of an upload, or of a report.
FORM, FILE = 24, 4
DROPPED = 20 << 20  # bytes of a body that is too large that are read, and not kept
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
    room: Room = field(default_factory=lambda: rooms()[0])
    work: Room = field(default_factory=lambda: rooms()[1])

    @asynccontextmanager
    async def body(self, client: str, scope: Scope, receive: Receive) -> AsyncIterator[tuple[bytes, int]]:
        """The body and its length, for the block. One that is too large, or has a malformed length, is dropped: Django
        refuses it by that length. Raises Gone, NoRoom, TooSlow."""
        share, cost = Holding(client), Holding(client)
        try:
            body, length = await self._read(share, scope, receive)
            self.work.take(cost, max(0, len(body) - USUAL.most) * factor_of(scope["path"]))  # threads bound the rest
            yield body, length
        finally:
            self.room.free(share)
            self.work.free(cost)

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
            await _gather(receive, max(4 * most, DROPPED), Pace(GRACE, SLOWEST, LONGEST), keep=lambda _: None)
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


def rooms() -> tuple[Room, Room]:
    """Return the rooms for bodies, and for what is made of them."""
    return Room(TOGETHER.most, OF_ONE.most), Room(WORK.most, WORK_OF_ONE.most)


def factor_of(path: str) -> int:
    """Return how many bytes of memory one byte of a body there may take."""
    return FILE if budget_of(path) in (UPLOADS, WORDS_OF_WORKERS) else FORM


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
