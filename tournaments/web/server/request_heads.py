"""The maximum length of what comes before a body, which pages and logs may repeat: the address, and the headers."""

from functools import partial
from typing import Final

from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.web.server.asgi_types import Scope

HEADS: Final = partial(
    Budget,
    resource="Requests and pages",
    unit="bytes",
    holder="request",
    where="tournaments.web.server.request_heads.refusal_of",
)
ADDRESS = declare(
    HEADS(
        "address of a request, with its query",
        most=16 << 10,
        sentence="the address is too long: at most %(most)s bytes are taken",
    )
)
HEADERS = declare(
    HEADS(
        "headers of a request, cookies included",
        most=32 << 10,
        sentence="the headers are too long: at most %(most)s bytes are taken, cookies included",
    )
)
STATUS: Final = {"address_too_long": 414, "headers_too_long": 431}


def refusal_of(scope: Scope) -> Refused | None:
    """Return the refusal of a request whose address or headers are too long."""
    if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS.most:
        return ADDRESS.refusal("address_too_long")
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS.most:
        return HEADERS.refusal("headers_too_long")
    return None
