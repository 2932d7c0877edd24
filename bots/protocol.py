"""Protocol version 1: the messages to a bot and its answers, one JSON object a line. See docs/protocol.md."""

import json
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from engine.json_text import to_json
from engine.reading import Mismatch, reader, show
from engine.records import Record
from engine.sentences import Sentence

PROTOCOL = 1
KB = 1 << 10
# What a ladder may set.
RANGES: Final = {
    "answer_ms": (10, 60_000),
    "bank_ms": (100, 3_600_000),
    "start_ms": (100, 60_000),
    "increment_ms": (0, 60_000),
    "line_kb": (1, 256),
    "output_kb": (16, 16_384),
    "stderr_kb": (1, 64),
}


def _refuse(constant: str) -> object:
    raise ValueError(f"JSON has no {constant}")


_decoder = json.JSONDecoder(parse_constant=_refuse)
_read, _read_beginning = _decoder.decode, _decoder.raw_decode


class ProtocolError(Exception):
    """A line that is not what the protocol asks for, in a sentence."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Clock(Record):
    """CPU time in milliseconds: the most for one answer, for the whole match after the start, and for the start;
    and the increment for each answer."""

    answer_ms: int = 1_000
    bank_ms: int = 30_000
    start_ms: int = 5_000
    increment_ms: int = 0


@dataclass(frozen=True, slots=True)
class Output(Record):
    """How much a bot may write, in KB of 1,024 bytes."""

    line_kb: int = 64  # one line, its end included
    output_kb: int = 4096  # in the whole match, stdout and stderr together
    stderr_kb: int = 8  # the last of stderr that is kept for its owner; more is no fault


@dataclass(slots=True)
class Hello(Record):
    """The greeting; the bot answers `Ready`."""

    tag: ClassVar[str] = "hello"
    game: str
    rules: int  # the version of the game's rules
    seat: int  # 0 to seats - 1
    seats: int
    options: dict[str, Any]
    clock: Clock
    protocol: int = PROTOCOL
    limits: dict[str, int] = field(default_factory=dict)  # those that are enforced where the bot plays


@dataclass(slots=True)
class Ready(Record):
    tag: ClassVar[str] = "ready"


@dataclass(slots=True)
class Asked(Record):
    """The bot's `number`-th question, from 1; `events` are those since the one before. It answers `Answer`."""

    tag: ClassVar[str] = "question"
    number: int
    ask: object
    view: object
    events: list[Any]
    left_ms: int  # CPU time left in the bank


@dataclass(slots=True)
class Answer(Record):
    """What the bot answers: an action that the question takes. Games that have talk have it in their actions."""

    action: dict[str, object]


@dataclass(slots=True)
class End(Record):
    """The match is over: places (1, 1, 3 when two share the first) and scores by seat. Nothing is answered."""

    tag: ClassVar[str] = "end"
    places: list[int]
    scores: list[int]


def encode(message: Record | dict[str, Record]) -> bytes:
    """Return the line of a message: ASCII JSON and a line feed."""
    return to_json(message).encode() + b"\n"


def decode(line: bytes) -> object:
    """Return the plain data of a line. Raises ProtocolError where it is not UTF-8 or not JSON."""
    try:
        text = line.decode("utf-8")
        if text[:1] == "{":  # nearly always, and quicker
            data, end = _read_beginning(text)
            return data if end == len(text) else _read(text)
        return _read(text)
    except UnicodeDecodeError as error:
        sentence = "the line is not UTF-8: byte %(byte)s does not fit; got %(line)s"
        raise ProtocolError(Sentence(sentence, byte=error.start, line=quote(line))) from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            Sentence("the line is not JSON (%(why)s); got %(line)s", why=error, line=quote(line))
        ) from None


def read_ready(line: bytes) -> None:
    """Accept `{"t": "ready"}` alone. Raises ProtocolError."""
    try:
        reader(Ready)(decode(line))
    except Mismatch as error:
        sentence = 'the answer to the greeting%(where)s %(reason)s; answer {"t": "ready"}'
        raise ProtocolError(Sentence(sentence, where=error.where, reason=error.reason)) from None


def read_answer(line: bytes) -> dict[str, object]:
    """Return the action a bot's line holds. Raises ProtocolError; whether it is legal, the referee decides."""
    data = decode(line)
    if type(data) is dict and data.keys() == {"action"} and type(data["action"]) is dict:
        return data["action"]  # nearly always, and quicker
    try:
        answer: Answer = reader(Answer)(data)
    except Mismatch as error:
        sentence = 'answer%(where)s %(reason)s; an answer is {"action": {...}}; got %(line)s'
        raise ProtocolError(Sentence(sentence, where=error.where, reason=error.reason, line=quote(line))) from None
    return answer.action


def quote(line: bytes) -> str:
    """Return the beginning of a bot's line, safe to show and to store: 120 characters at most."""
    return show(line[:500].decode("utf-8", "backslashreplace"), 120)
