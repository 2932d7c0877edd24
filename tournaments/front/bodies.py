"""What clients send, gathered before Django is called: a slow line holds a little memory, and no thread."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from tournaments.front.asgi import Receive, Scope, header

SMALL = 64 << 10  # bytes that anybody may send at any time
TOGETHER = 64 << 20  # bytes of all larger bodies that are on their way into one process
PATIENCE = 60.0  # seconds for a whole body


class Gone(Exception):
    """The client has left."""


class TooMuch(Exception):
    """This process holds as many bodies as it can."""


@dataclass(slots=True)
class Intake:
    """Reads bodies of at most `most` bytes."""

    most: int
    held: int = 0  # bytes set aside for larger bodies

    async def read(self, scope: Scope, receive: Receive) -> tuple[bytes, int]:
        """The body and its length. Of one that is too large, or of a length that is none, nothing is kept: Django
        refuses it by that length. Raises Gone, TooMuch."""
        told = header(scope["headers"], b"content-length")
        chunked = not told and header(scope["headers"], b"transfer-encoding")
        if not told and not chunked:
            return b"", 0
        length = self.most if chunked else int(told) if told.isdigit() else self.most + 1
        if length > self.most:
            await self._pass_over(receive)
            return b"", length
        return await self._hold(length, receive)

    async def _pass_over(self, receive: Receive) -> None:
        """Some of a body that is too large: browsers show no answer before they have sent it."""
        with suppress(Gone, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._gather(receive, 4 * self.most, keep=False)

    async def _hold(self, length: int, receive: Receive) -> tuple[bytes, int]:
        aside = length if length > SMALL else 0
        if self.held + aside > TOGETHER:
            raise TooMuch
        self.held += aside
        try:
            body = await asyncio.wait_for(self._gather(receive, self.most), PATIENCE)
        except TimeoutError:
            raise Gone from None
        finally:
            self.held -= aside
        return (body, len(body)) if len(body) <= self.most else (b"", len(body))

    @staticmethod
    async def _gather(receive: Receive, most: int, *, keep: bool = True) -> bytes:
        parts, size, more = [], 0, True
        while more and size <= most:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            size += len(part)
            if keep:
                parts.append(part)
            more = message.get("more_body", False)
        return b"".join(parts)
