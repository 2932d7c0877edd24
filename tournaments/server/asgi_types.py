"""The shapes of ASGI, as far as the front uses them."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


async def send_whole(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def header(headers: Headers, name: bytes) -> bytes:
    """All that was said under that name, in small letters; nothing if it was not."""
    return b",".join(value for said, value in headers if said == name)
