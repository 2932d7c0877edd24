"""How Django hands a request over to its server, to be answered with a stream.

Its answer, which has passed all checks, says so in two headers; no client sees them.
"""

from tournaments.web.server.asgi_types import Headers, header

TOPIC, ASKER = "Boardroom-Stream", "Boardroom-Asker"  # what the stream is of, and the address it counts for
NAMES = frozenset(name.lower().encode() for name in (TOPIC, ASKER))


def handing_over(topic: str, asker: str) -> dict[str, str]:
    """The headers of such an answer."""
    return {TOPIC: topic, ASKER: asker}


def handed_over(headers: Headers) -> tuple[str, str] | None:
    """The topic and the asker; None if the answer is one like any other."""
    topic, asker = (header(headers, name.lower().encode()).decode() for name in (TOPIC, ASKER))
    return (topic, asker) if topic else None
