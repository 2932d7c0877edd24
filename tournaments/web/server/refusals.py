"""Refusals by the server itself, in the form of the API and the pages: a stable code, and a sentence."""

import json

from tournaments.core.errors import PROBLEM, Refused, problem
from tournaments.web.server.asgi_types import Headers, Scope, Send, send_whole

REFUSALS = {
    "malformed": (400, "The body of this request broke off."),
    "too_slow": (408, "The body of this request came too slowly, or made room for those of others; send it again."),
    "too_many_open": (
        429,
        "Your address has as much under way here as one may have: wait until some of it is done, and try again.",
    ),
    "try_later": (503, "As much is under way here just now as this server can take; try again in a moment."),
}
LATER = b"10"  # seconds


async def send_refusal(scope: Scope, send: Send, code: str) -> None:
    status, detail = REFUSALS[code]
    await send_problem(scope, send, status, Refused(code, detail))


async def send_problem(scope: Scope, send: Send, status: int, refused: Refused) -> None:
    api = scope["path"].startswith("/api/")
    body = json.dumps(problem(refused.code, refused.detail, status)) if api else str(refused.detail)
    kind = PROBLEM.encode() if api else b"text/plain; charset=utf-8"
    headers: Headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if status in (429, 503):
        headers.append((b"retry-after", LATER))
    if status in (400, 408, 414, 431):
        headers.append((b"connection", b"close"))  # the rest of the body may still be on its way
    await send_whole(send, status, headers, body.encode())
