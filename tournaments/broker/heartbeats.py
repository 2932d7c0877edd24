"""Signs of life of every long-running loop, in the broker: somebody else can tell a busy one from one that hangs.

`python -m tournaments.broker.heartbeats PART` asks whether the one of this host has given one lately; in containers
that is its health check, which need not load Django for it.
"""

import os
import socket
import sys
from contextlib import suppress
from time import monotonic
from typing import cast

from redis import Redis, RedisError

SIGNS = "boardroom:signs"  # "part host/process" by the broker's own time
ROUNDS, SECONDS = "boardroom:rounds", "boardroom:round-seconds"  # of each loop: how many, and how long they took
EVERY, KEPT, FORGOTTEN = 5.0, 60, 3600  # seconds


class Signs:
    """Those of one process for the parts that it plays. A broker that is away loses a sign, which is no harm."""

    def __init__(self, redis_url: str, *parts: str) -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2)
        self._loop = parts[-1]
        self._said = [f"{part} {socket.gethostname()}/{os.getpid()}" for part in parts]
        self._due = 0.0
        self._rounds, self._seconds = 0, 0.0

    def round(self, seconds: float) -> None:
        """A round of work is over. Call this as often as there is one: the broker hears of it now and then."""
        self._rounds += 1
        self._seconds += seconds
        if monotonic() >= self._due:
            self.give()

    def give(self) -> None:
        self._due = monotonic() + EVERY
        with suppress(RedisError):
            now = _now(self._redis)
            with self._redis.pipeline() as pipe:
                pipe.zadd(SIGNS, dict.fromkeys(self._said, now))
                pipe.zremrangebyscore(SIGNS, 0, now - FORGOTTEN)
                pipe.hincrby(ROUNDS, self._loop, self._rounds)
                pipe.hincrbyfloat(SECONDS, self._loop, self._seconds)
                pipe.execute()
            self._rounds, self._seconds = 0, 0.0


def heard(redis: Redis, part: str) -> list[str]:
    """Which processes ("host/number") have given a sign for this part lately. Raises RedisError."""
    members = redis.zrangebyscore(SIGNS, _now(redis) - KEPT, "+inf")
    said = [member.decode(errors="replace") for member in members if isinstance(member, bytes)]
    return [text.removeprefix(f"{part} ") for text in said if text.startswith(f"{part} ")]


def rounds(redis: Redis) -> dict[str, int]:
    """How many seconds ago each loop that was heard of in the last hour finished a round. Raises RedisError."""
    now = _now(redis)
    signs = cast("list[tuple[bytes, float]]", redis.zrange(SIGNS, 0, -1, withscores=True))  # oldest first
    return {member.decode(errors="replace").rpartition(" ")[0]: now - int(at) for member, at in signs}


def _now(redis: Redis) -> int:
    seconds, _ = redis.time()
    return int(seconds)


def main(part: str) -> str:
    """What is wrong with this host's process that plays this part; empty if nothing is."""
    host = socket.gethostname()
    with suppress(RedisError), Redis.from_url(os.environ["REDIS_URL"], socket_timeout=5) as redis:
        here = [process for process in heard(redis, part) if process.rpartition("/")[0] == host]
        return "" if here else f"No {part} of {host} has given a sign of life for {KEPT} s."
    return "The broker that REDIS_URL names does not answer."


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)
