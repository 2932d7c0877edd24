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
    """The values of that header, joined by commas; empty if there is none. `name` is in small letters."""
    return b",".join(value for key, value in headers if key == name)
