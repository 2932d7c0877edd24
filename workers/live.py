"""A live match: its answers go to the broker as they are given, for the site to show.

A thread reads the record every tenth of a second; the match neither waits nor notices. Only the site reads the stream,
and shows the public part of it: it holds sealed answers, but no seed. All of it is best effort: after the first failure
nothing more of the match is sent.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Final

from redis import Redis, RedisError

from engine.core import Seat
from engine.records import to_plain
from engine.referee import Answer, Reply
from workers.orders import MatchOrder

STREAM: Final = "boardroom:live:{}"  # by match
LEASE, WORD = "lease", "word"  # the fields of an entry
EVERY = 0.1  # seconds between two words
LONGEST = 5000  # words kept of a match, about
KEPT, KEPT_AFTER = 900, 60  # seconds after the last word; while it is played, a bot may think long


@dataclass(slots=True)
class Broadcast:
    """Of one match under one lease. Each word is {"from", "answers"}, the first with "absent", the last with "over"."""

    redis: Redis
    match: MatchOrder
    answers: Sequence[Answer]  # grows while the match is played
    absent: Mapping[Seat, Reply]
    sent: int = -1  # answers; nothing yet
    is_complete: bool = False  # played to its end
    ended: Event = field(default_factory=Event)

    def run(self) -> None:
        with suppress(RedisError, OSError):
            while not self.ended.wait(EVERY):
                self.send_new()
            self.send_new(over=self.is_complete)

    def send_new(self, *, over: bool = False) -> None:
        lines = [_line_of(answer) for answer in self.answers[max(self.sent, 0) :]]
        if not (lines or over or self.sent < 0):
            return
        word: dict[str, object] = {"from": max(self.sent, 0), "answers": lines}
        if self.sent < 0:
            word["absent"] = {str(seat): reply.verdict.value for seat, reply in self.absent.items()}
        if over:
            word["over"] = True
        self._send(json.dumps(word, separators=(",", ":")), KEPT_AFTER if over else KEPT)
        self.sent = max(self.sent, 0) + len(lines)

    def _send(self, word: str, kept: int) -> None:
        key = STREAM.format(self.match.match)
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.xadd(key, {LEASE: self.match.lease, WORD: word}, maxlen=LONGEST, approximate=True)
            pipe.expire(key, kept)
            pipe.execute()


def read_entry(fields: Mapping[bytes, bytes]) -> tuple[bytes, bytes]:
    """The lease and the word; empty where somebody else wrote the entry."""
    return fields.get(LEASE.encode(), b""), fields.get(WORD.encode(), b"")


def _line_of(answer: Answer) -> list[object]:
    """The line of an answer, as in a replay."""
    line: list[object] = [answer.seat, to_plain(answer.action), round(float(answer.ms), 1)]
    return [*line, answer.fault] if answer.fault else line


@contextmanager
def broadcast(
    redis: Redis | None, match: MatchOrder, answers: Sequence[Answer], absent: Mapping[Seat, Reply]
) -> Iterator[None]:
    """Send `answers` as they come, to the end of the block; `over` only of a match that is played to its end."""
    if redis is None:
        yield
        return
    stream = Broadcast(redis, match, answers, absent)
    Thread(target=stream.run, name="live", daemon=True).start()
    try:
        yield
        stream.is_complete = True
    finally:
        stream.ended.set()  # and nobody waits for it: a broker that hangs would hold up the next match
