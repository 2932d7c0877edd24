"""Messages that no process of the platform would send, drawn from a seed."""

import json
import random
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any
from zlib import compress

from workers.envelopes import LARGEST

DEEP = "[" * 100_000
ODD: list[Any] = [
    *(None, True, 0, -1, 1 << 70, 1e308, float("nan"), "", "x", "\0", "\ud800", "x" * 5000, [], {}, [[]], {"a": 1}),
    *({"__type__": "decimal", "__value__": "x"}, {"__type__": "uuid", "__value__": {}}, [None] * 50, "2099-01-01"),
]
RAW = [
    *(b"", b"5", b"null", b"[]", b"{}", b'{"a":1}', b'"x"', b"NaN", b"\xff\xfe\x00", b"{", b"9" * 5000),
    *(DEEP.encode(), b'{"body":' * 50_000, b'{"headers":{},"properties":{}}'),
]
BODIES = [
    *('{"a":1}', "5", "null", "[]", "[[],{}]", "[5,{},{}]", "[[],{},null]", '[[],{"report":1},{}]', DEEP, "NaN", "{"),
    *("[[1,2,3],{},{}]", "[[],{},{}]", '[[{"matches":5}],{},{}]', '[[{"version":1,"matches":[{"match":{}}]}],{},{}]'),
    *('[[null],{},{"callbacks":[{"task":"os.system","args":["true"]}]}]', '[[null],{},{"chain":[5]}]'),
    *('[[{"__type__":"decimal","__value__":"x"}],{},{}]', '[[{"__type__":"datetime","__value__":5}],{},{}]'),
]


def envelope(task: str, body: str | bytes, queue: str = "q") -> dict[str, Any]:
    """Return an envelope as Celery writes one."""
    data = body.encode() if isinstance(body, str) else body
    return {
        "body": b64encode(data).decode(),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {"lang": "py", "task": task, "id": "5f0c", "argsrepr": "", "kwargsrepr": "{}", "origin": "a@b"},
        "properties": {
            "correlation_id": "5f0c",
            "delivery_info": {"exchange": "", "routing_key": queue},
            "priority": 0,
            "body_encoding": "base64",
            "delivery_tag": "5f0c",
        },
    }


def write(message: object) -> bytes:
    return json.dumps(message).encode()


def messages(seed: int, task: str, report: dict[str, Any]) -> Iterator[bytes]:
    """Yield messages without end. `report` is one that would be read."""
    dice = random.Random(seed)
    plain = envelope(task, json.dumps([[report], {}, {}]))
    while True:
        yield dice.choice(WAYS)(dice, task, json.loads(json.dumps(plain)), report)


Way = Callable[[random.Random, str, dict[str, Any], dict[str, Any]], bytes]


def _raw(dice: random.Random, *_: Any) -> bytes:
    return dice.choice([*RAW, dice.randbytes(dice.randrange(200))])


def _flipped(dice: random.Random, _: str, plain: dict[str, Any], *__: Any) -> bytes:
    data = bytearray(write(plain))
    for _times in range(dice.randint(1, 8)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data[: dice.choice([len(data), dice.randrange(len(data))])])


def _odd_field(dice: random.Random, _: str, plain: dict[str, Any], *__: Any) -> bytes:
    """One thing is of another kind, is missing, or is there besides."""
    place = dice.choice([plain, plain["headers"], plain["properties"], plain["properties"]["delivery_info"]])
    names = [
        *place,
        "eta",
        "expires",
        "timelimit",
        "compression",
        "stamps",
        "callbacks",
        "shadow",
        "retries",
        "priority",
    ]
    name = dice.choice(names)
    if dice.random() < 0.3:
        place.pop(name, None)
    else:
        place[name] = dice.choice(ODD)
    return write(plain)


def _odd_body(dice: random.Random, task: str, *_: Any) -> bytes:
    return write(envelope(task, dice.choice(BODIES)))


def _packed(dice: random.Random, task: str, *_: Any) -> bytes:
    """A bomb, should anybody unpack it."""
    message = envelope(task, compress(b"0" * 20_000_000, 1))
    message["headers"]["compression"] = dice.choice(["application/x-gzip", "zlib", "bzip2"])
    return write(message)


def _odd_report(dice: random.Random, task: str, _: dict[str, Any], report: dict[str, Any]) -> bytes:
    odd = {**report, dice.choice([*report, "more"]): dice.choice(ODD)}
    return write(envelope(task, json.dumps([[odd], {}, {}])))


def _long(dice: random.Random, task: str, *_: Any) -> bytes:
    if dice.random() < 0.8:
        return write(envelope(task, json.dumps([[["x"] * dice.randrange(100_000)], {}, {}])))
    return b" " * (LARGEST + dice.randrange(1000))


WAYS: list[Way] = [*[_raw, _flipped, _odd_field, _odd_body, _odd_report] * 6, _packed, _long]
