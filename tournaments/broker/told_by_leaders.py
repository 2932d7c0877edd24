"""The latest messages from leaders of other groups. They may be lost: each leader repeats them."""

import json
from collections.abc import Iterable
from contextlib import suppress

from tournaments.broker import queues
from tournaments.broker.led_groups import LED, SLOTS

TOLD = "boardroom:told:{}:{}"  # by topic and the teller's first slot
KNOWN_FOR = 3  # seconds
LONGEST = 1_000_000  # bytes that are read of one


def tell(topic: str, what: Iterable[str]) -> list[str]:
    """Tell the others, and hear what all of them told of this topic. Raises RedisError."""
    if LED.whole:
        return []
    keys = [TOLD.format(topic, slot) for slot in range(SLOTS) if slot not in LED.slots]
    with queues.broker().pipeline(transaction=False) as pipe:
        pipe.set(TOLD.format(topic, min(LED.slots)), json.dumps(list(what)), ex=KNOWN_FOR)
        pipe.mget(keys)
        told: list[bytes | None] = pipe.execute()[1]
    return [one for text in told if text for one in _read(text)]


def _read(text: bytes) -> list[str]:
    """Anybody who can write to the broker can write anything there."""
    with suppress(ValueError, RecursionError):
        found = json.loads(text[:LONGEST])
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return []
