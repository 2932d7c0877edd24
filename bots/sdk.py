"""Write a bot in a few lines:

    from bots.sdk import play

    def choose(view, question):
        return question.default()

    play(choose)

`view` is what your seat may see and `question` what you are asked, both typed by the game: for Zaibatsu see
`engine.games.zaibatsu` (`View`; `ToPlace`, `ToCall`, `ToBid` and their answers `Place`, `Call`, `Bid`).
Standard output belongs to the protocol: what a bot prints once it plays goes to stderr.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from bots.protocol import PROTOCOL, End, Hello, Ready, encode
from engine.games import GAMES
from engine.records import Record, from_plain

Choose = Callable[[Any, Any], Record]
Hear = Callable[[list[Any]], None]

CHUNK = 64 << 10
_limits: dict[str, int] = {}
_bank = [0.0, 0.0]  # CPU seconds: what the bank held at the last question, and this process's own clock then


def play(choose: Choose, hear: Hear | None = None) -> End | None:
    """Play one match, then return how it ended, or None if the table closed early.

    `choose(view, question)` returns a legal answer to the question. `hear(events)`, if given, is called before it with
    the events since the question before, oldest first: a bot may follow them, or read the view alone.
    What they raise ends the bot, with the traceback on stderr.
    """
    out = os.dup(1)
    os.dup2(2, 1)  # from here on print() goes to stderr
    lines = _lines()
    hello: Hello = from_plain(Hello, json.loads(next(lines)), "greeting")
    if hello.protocol != PROTOCOL:
        raise SystemExit(f"the table speaks protocol {hello.protocol}, this SDK speaks {PROTOCOL}")
    game = GAMES[hello.game]
    _limits.update(hello.limits)
    _write(out, Ready())
    for message in map(json.loads, lines):
        if message["t"] == "end":
            return from_plain(End, message, "end")  # type: ignore[no-any-return]
        _bank[:] = message["left_ms"] / 1000, time.process_time()
        if hear:
            hear([game.read_event(event) for event in message["events"]])
        question = game.read_question(message["ask"])
        action = choose(game.read_view(message["view"]), question)
        if not isinstance(action, Record):
            raise TypeError(f"choose must return an answer to {question}, not {action!r}")
        _write(out, {"action": action})
    return None


def left_ms() -> int:
    """CPU milliseconds left for the match, now. At 0 the bot is out of it."""
    left, then = _bank
    return round((left - (time.process_time() - then)) * 1000)


def limits() -> dict[str, int]:
    """The limits of the bot, by the names in docs/protocol.md: "memory_mb", "threads", ... Known once it plays."""
    return _limits.copy()


def _lines() -> Iterator[bytes]:
    """The lines on stdin until it ends."""
    rest = b""
    while data := os.read(0, CHUNK):
        *whole, rest = (rest + data).split(b"\n")
        yield from whole


def _write(out: int, message: Record | dict[str, Record]) -> None:
    line = encode(message)
    while line:
        line = line[os.write(out, line) :]
