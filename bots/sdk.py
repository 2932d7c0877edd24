"""Write a bot in a few lines:

    from bots.sdk import play

    def choose(view, question):
        return question.default()

    play(choose)

`view` is what your seat may see and `question` what you are asked, both typed by the game: for Zaibatsu see
`engine.games.zaibatsu` (`View`; `ToPlace`, `ToCall`, `ToBid` and their answers `Place`, `Call`, `Bid`).
Standard output belongs to the protocol: what a bot prints once it plays goes to stderr, and is kept beside the decision
that it was about; `note` does the same with a tag and a mark.

To import this module costs next to nothing: the protocol and the one game that is played are loaded by `play`.
"""

from __future__ import annotations

import importlib
import os
import sys
import time

TYPE_CHECKING = False  # as `typing` has it, whose import would cost more than all that is done here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bots.protocol import End
    from engine.records import Record

    Choose = Callable[[Any, Any], Record]
    Hear = Callable[[list[Any]], None]

CHUNK = 64 << 10
PARAMETER = "BOARDROOM_PARAM_"  # what the names of environment variables begin with that `boardroom tune` sets
_limits: dict[str, int] = {}
_bank = [0.0, 0.0]  # CPU seconds: what the bank held at the last question, and this process's own clock then


def play(choose: Choose, hear: Hear | None = None) -> End | None:
    """Play one match, then return how it ended, or None if the table closed early.

    `choose(view, question)` returns a legal answer to the question; its numbers may be NumPy's. `hear(events)`, if
    given, is called before it with the events since the question before, oldest first: a bot may follow them, or read
    the view alone.
    What they raise ends the bot, with the traceback on stderr.
    """
    protocol, records = importlib.import_module("bots.protocol"), importlib.import_module("engine.records")
    read, from_plain = importlib.import_module("json").loads, records.from_plain
    plain_answer = importlib.import_module("bots.plain_answers").plain_answer
    out = os.dup(1)
    os.dup2(2, 1)  # from here on print() goes to stderr
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(line_buffering=True)  # so that a line stands beside the decision that it belongs to
    lines = _lines()
    hello = from_plain(protocol.Hello, read(next(lines)), "greeting")
    if hello.protocol != protocol.PROTOCOL:
        raise SystemExit(f"the table speaks protocol {hello.protocol}, this SDK speaks {protocol.PROTOCOL}")
    game = importlib.import_module("engine.games").GAMES[hello.game]
    _limits.update(hello.limits)
    _write(out, protocol.encode(protocol.Ready()))
    for message in map(read, lines):
        if message["t"] == "end":
            return from_plain(protocol.End, message, "end")  # type: ignore[no-any-return]
        _bank[:] = message["left_ms"] / 1000, time.process_time()
        if hear:
            hear([game.read_event(event) for event in message["events"]])
        question = game.read_question(message["ask"])
        action = choose(game.read_view(message["view"]), question)
        if not isinstance(action, records.Record):
            raise TypeError(f"choose must return an answer to {question}, not {action!r}")
        try:
            line = protocol.encode({"action": plain_answer(action)})
        except (TypeError, ValueError, RecursionError):
            shown = records.show(action, 200)
            reason = f"choose must return an answer of finite numbers and texts, and lists of them, not {shown}"
            raise SystemExit(reason) from None
        _write(out, line)
    return None


def note(text: object, tag: str = "", *, place: str = "", to: str = "", number: float | None = None) -> None:
    """Write down what the bot thinks. You, and nobody else, read it beside this decision on the match's page.

    `tag` is a word to find it by. `place`, `to` and `number` say what of the board it is about (docs/write-a-bot.md).
    """
    parts = {"place": place, "to": to, "number": number}
    mark = {name: value for name, value in parts.items() if value not in ("", None)}
    lines = str(text).splitlines() or [""]
    if mark:
        plain_value = importlib.import_module("bots.plain_answers").plain_value
        lines[0] += " " + importlib.import_module("json").dumps(plain_value(mark, takes_float=True))
    head = f"#{tag} " if tag else ""
    _write(2, "".join(f"{head}{line}\n" for line in lines).encode("utf-8", "replace"))


def left_ms() -> int:
    """Return the CPU milliseconds left for the match, now. At 0 the bot is out of it."""
    left, then = _bank
    return round((left - (time.process_time() - then)) * 1000)


def limits() -> dict[str, int]:
    """Return the bot's limits by the names in docs/protocol.md: "memory_mb", "threads", ... Empty until it plays."""
    return _limits.copy()


def parameter(name: str, otherwise: float) -> float:
    """Return a number that `boardroom tune` sets, or `otherwise` where nobody tunes, as on a site."""
    return float(os.environ.get(PARAMETER + name, otherwise))


def _lines() -> Iterator[bytes]:
    """The lines on stdin until it ends."""
    partial = b""
    while data := os.read(0, CHUNK):
        *complete, partial = (partial + data).split(b"\n")
        yield from complete


def _write(out: int, line: bytes) -> None:
    while line:
        line = line[os.write(out, line) :]
