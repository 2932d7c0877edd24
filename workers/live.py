"""A match told while it is played: its answers go to the broker as they are given, for the site to show.

A thread looks at the record now and then; the match neither waits nor knows. What is told is for the site alone, which
shows of it what all may know: it holds sealed answers, but no seed. All of it is best effort. At the first failure the
rest of the match is not told.
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
    told: int = -1  # answers; nothing yet
    whole: bool = False  # played to its end
    ended: Event = field(default_factory=Event)

    def run(self) -> None:
        with suppress(RedisError, OSError):
            while not self.ended.wait(EVERY):
                self.tell()
            self.tell(over=self.whole)

    def tell(self, *, over: bool = False) -> None:
        lines = [line_of(answer) for answer in self.answers[max(self.told, 0) :]]
        if not (lines or over or self.told < 0):
            return
        word: dict[str, object] = {"from": max(self.told, 0), "answers": lines}
        if self.told < 0:
            word["absent"] = {str(seat): reply.verdict.value for seat, reply in self.absent.items()}
        if over:
            word["over"] = True
        self._send(json.dumps(word, separators=(",", ":")), KEPT_AFTER if over else KEPT)
        self.told = max(self.told, 0) + len(lines)

    def _send(self, word: str, kept: int) -> None:
        key = STREAM.format(self.match.match)
        with self.redis.pipeline(transaction=False) as pipe:
            pipe.xadd(key, {LEASE: self.match.lease, WORD: word}, maxlen=LONGEST, approximate=True)
            pipe.expire(key, kept)
            pipe.execute()


def read_entry(fields: Mapping[bytes, bytes]) -> tuple[bytes, bytes]:
    """The lease and the word; empty where somebody else wrote the entry."""
    return fields.get(LEASE.encode(), b""), fields.get(WORD.encode(), b"")


def line_of(answer: Answer) -> list[object]:
    """As in a replay."""
    line: list[object] = [answer.seat, to_plain(answer.action), round(float(answer.ms), 1)]
    return [*line, answer.fault] if answer.fault else line


@contextmanager
def broadcast(
    redis: Redis | None, match: MatchOrder, answers: Sequence[Answer], absent: Mapping[Seat, Reply]
) -> Iterator[None]:
    """Tell `answers` as they come, to the end of the block; `over` is said only of a match played to its end."""
    if redis is None:
        yield
        return
    told = Broadcast(redis, match, answers, absent)
    Thread(target=told.run, name="live", daemon=True).start()
    try:
        yield
        told.whole = True
    finally:
        told.ended.set()  # and nobody waits for it: a broker that hangs would hold up the next match
