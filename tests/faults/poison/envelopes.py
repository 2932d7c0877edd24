"""Poison in the broker's queues: messages that are none."""

import base64
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, cast

from redis import Redis, RedisError

from tests.faults.stage import Stage
from tournaments.models import FailingItem
from workers.envelopes import LARGEST
from workers.orders import ORDERS, PLAY, RECORD, REPORTS

LONG, LONGER = LARGEST + (1 << 20), 20 << 20  # bytes: the broker takes the first
QUEUES = ((REPORTS, RECORD), (ORDERS, PLAY))
UNREADABLE = ("unreadable reports", "unreadable matches")  # as `tournaments.core.broker.unreadable_messages` notes them
ODD = b"%%%"  # not base64


def envelope(body: bytes, task: str = RECORD, **other: object) -> dict[str, object]:
    """Return an envelope as Celery posts one; its body is base64, if it is in order."""
    number = secrets.token_hex(16)
    delivery = {"exchange": "", "routing_key": REPORTS}
    return {
        "body": body.decode("latin-1"),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"lang": "py", "task": task, "id": number, "root_id": number, "retries": 0, "eta": None},
        "properties": {
            "correlation_id": number,
            "delivery_mode": 2,
            "delivery_info": delivery,
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": secrets.token_hex(16),
        },
        **other,
    }


def call(*args: object, task: str = RECORD) -> dict[str, object]:
    """An envelope in order, around these arguments."""
    return envelope(base64.b64encode(json.dumps([args, {}, {}]).encode()), task)


def packed(value: object) -> bytes:
    return json.dumps(value).encode()


CASES: dict[str, Callable[[str], bytes]] = {
    "the bare number": lambda _: b"5",
    "another object": lambda _: b'{"a":1}',
    "no JSON": lambda _: b"\xff\xfe{",
    "a body that is not base64": lambda task: packed(envelope(ODD, task)),
    "a body that is another object": lambda task: packed(envelope(base64.b64encode(b'{"a":1}'), task)),
    "a body of another kind": lambda task: packed(
        envelope(b"", task, **{"content-type": "application/x-python-serialize"})
    ),
    "no headers": lambda task: packed(envelope(b"", task, headers=None)),
    "no properties": lambda task: packed(envelope(b"", task, properties={})),
    "no such task": lambda _: packed(call(1, task="tournaments.nothing")),
    "arguments that do not fit": lambda task: packed(call(*range(9), task=task)),
    "one that is too long": lambda task: packed(call({"replay": "A" * LONG}, "unsigned", task=task))[:LONG],
}


class BadEnvelope:
    """One of each on the queue of the recorders and on that of the match workers, the next to be taken."""

    LASTS: ClassVar[float] = 1.0
    WITHIN: ClassVar[float] = 20.0

    def __init__(self, stage: Stage, _number: int) -> None:
        self.url = stage.data.valkey.url
        self.noted: dict[str, int] = {}
        self.laid = [(queue, made(task)) for queue, task in QUEUES for made in CASES.values()]

    def give(self) -> None:
        self.noted = self._noted()
        with Redis.from_url(self.url, socket_timeout=5) as redis:
            for queue, raw in self.laid:
                redis.rpush(queue, raw)
            with suppress(RedisError):  # the broker takes none of such a length
                redis.rpush(REPORTS, b"A" * LONGER)

    def worked(self) -> bool:
        """Somebody has taken each, and those that nobody can read are set aside and counted."""
        with Redis.from_url(self.url, socket_timeout=5) as redis:
            taken = all(redis.lpos(queue, cast("str", raw)) is None for queue, raw in self.laid)
        return taken and all(count > self.noted.get(item, 0) for item, count in self._wanted().items())

    def _wanted(self) -> dict[str, int]:
        now = self._noted()
        return {item: now.get(item, 0) for item in UNREADABLE}

    @staticmethod
    def _noted() -> dict[str, int]:
        """How many are set aside, by what they were."""
        return dict(FailingItem.objects.filter(item__in=UNREADABLE).values_list("item", "failures"))

    def clear(self) -> None:
        """The broker forgets them, should nobody have taken them."""
        with Redis.from_url(self.url, socket_timeout=5) as redis:
            for queue, raw in self.laid:
                redis.lrem(queue, 0, cast("str", raw))
