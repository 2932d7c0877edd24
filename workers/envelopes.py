"""Messages in the broker, where anyone with its password can put anything.

A message that is too long is refused before it is read. Only what Celery needs is kept of it: no time to run, no
packing of the body, no follow-up message.
"""

import math
import re
from base64 import b64decode
from typing import Any, Final
from uuid import uuid4

from kombu.utils.json import dumps, loads

from workers.examination_orders import EXAMINE, EXAMINED
from workers.orders import PLAY, RECORD, RECORD_SET, key_of, space_of_queue
from workers.practice_orders import PRACTISE, PRACTISED
from workers.suggestion_orders import SUGGEST, SUGGESTED

# Bytes. A replay has at most 4 MiB unpacked (`engine.replay`); packed, in hex and base64, and with what bots said on
# stderr, the longest report has less.
LARGEST: Final = 12 << 20
TASKS: Final = {
    "matches": {PLAY, EXAMINE, SUGGEST},
    "practices": {PRACTISE},
    "reports": {RECORD, RECORD_SET, PRACTISED, EXAMINED, SUGGESTED},
}  # by a queue's first word
NUMBER = re.compile(r"[\w.-]{1,80}")
FOLLOWING = {"callbacks", "errbacks", "chain", "chord"}  # tasks that Celery would send after this one


class BadMessage(Exception):
    """The message cannot be handed on; the text says why."""


def read_envelope(data: bytes, queue: str) -> dict[str, Any]:
    """The parts that Celery is given of a message from that queue. Raises BadMessage."""
    if len(data) > LARGEST:
        raise BadMessage(f"it has {len(data):,} bytes; a message has at most {LARGEST:,}")
    try:
        return _sound(loads(data), queue)
    except BadMessage:
        raise
    except Exception as error:  # noqa: BLE001  all that can be wrong in JSON, base64 and texts
        raise BadMessage(f"it is no message of Celery: {type(error).__name__}: {str(error)[:200]}") from None


def read_held(data: bytes) -> tuple[str, bytes]:
    """The queue and the message, of what a worker took and has not done. Raises BadMessage."""
    try:
        envelope, _, queue = loads(data)
        message = dumps(envelope).encode()
    except Exception as error:  # noqa: BLE001
        raise BadMessage(f"it is no message that a worker held: {type(error).__name__}: {error!s:.200}") from None
    if not isinstance(queue, str) or kind_of(queue) not in TASKS:
        raise BadMessage(f"it was held for a queue that is none of ours: {queue!r:.80}")
    read_envelope(message, queue)
    return queue, message


def kind_of(queue: str) -> str:
    """The kind of a queue, also of a space's: "matches", "practices" or "reports"."""
    return queue.removeprefix(key_of(space_of_queue(queue), "")).partition(":")[0]


def _sound(envelope: Any, queue: str) -> dict[str, Any]:
    headers, number = envelope["headers"], envelope["headers"]["id"]
    if headers["task"] not in TASKS[kind_of(queue)]:
        raise BadMessage(f"its task {headers['task']!r:.80} is none of those of {kind_of(queue)}")
    if not NUMBER.fullmatch(number):
        raise BadMessage(f"its id is {number!r:.80}")
    _check_body(envelope)
    return {
        "body": envelope["body"],
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"id": number, "task": headers["task"], "lang": "py", **_sent_at(headers)},
        "properties": {
            "correlation_id": number,
            "body_encoding": "base64",
            "delivery_info": {"exchange": "", "routing_key": queue},
            "delivery_tag": str(uuid4()),
            "priority": 0,
        },
    }


def _check_body(envelope: Any) -> None:
    packed = (envelope["content-type"], envelope["content-encoding"], envelope["properties"]["body_encoding"])
    if packed != ("application/json", "utf-8", "base64") or "compression" in envelope["headers"]:
        raise BadMessage(f"its body is {packed!r:.200}; it must be JSON in UTF-8 in base64, not compressed")
    given, named, following = loads(b64decode(envelope["body"], validate=True))
    if not (isinstance(given, list) and named == {} and isinstance(following, dict)):
        raise BadMessage("its body is not a list of arguments, an empty object and an object")
    if not following.keys() <= FOLLOWING or any(following.values()):
        raise BadMessage("it asks for other tasks to be sent after it")


def _sent_at(headers: dict[str, Any]) -> dict[str, float]:
    """The time it was sent, for the metrics alone."""
    when: Any = headers.get("sent_at")
    return {"sent_at": when} if type(when) in (int, float) and math.isfinite(when) else {}
