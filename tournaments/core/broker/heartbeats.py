"""Heartbeats of every long-running loop, in the broker: they distinguish a busy loop from one that hangs.

`python3 -m tournaments.core.broker.heartbeats PART` checks whether the one of this host has sent one lately; in
containers that is its health check, which need not load Django for it.
"""

import os
import socket
import sys
from contextlib import suppress
from time import monotonic
from typing import cast

from redis import Redis, RedisError

HEARTBEATS = "boardroom:signs"  # scores of "part host/process": the broker's time of the last heartbeat
ROUNDS, SECONDS = "boardroom:rounds", "boardroom:round-seconds"  # of each loop: how many, and how long they took
EVERY, KEPT, FORGOTTEN = 5.0, 60, 3600  # seconds


class Heartbeats:
    """Those of one process for its parts. One that is lost while the broker is away does no harm."""

    def __init__(self, redis_url: str, *parts: str) -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2)
        self._loop = parts[-1]
        self._members = [f"{part} {socket.gethostname()}/{os.getpid()}" for part in parts]
        self._due = 0.0
        self._rounds, self._seconds = 0, 0.0

    def round(self, seconds: float) -> None:
        """Call this after each round of work: the broker is updated every few seconds."""
        self._rounds += 1
        self._seconds += seconds
        if monotonic() >= self._due:
            self.send()

    def send(self) -> None:
        self._due = monotonic() + EVERY
        with suppress(RedisError):
            now = _now(self._redis)
            with self._redis.pipeline() as pipe:
                pipe.zadd(HEARTBEATS, dict.fromkeys(self._members, now))
                pipe.zremrangebyscore(HEARTBEATS, 0, now - FORGOTTEN)
                pipe.hincrby(ROUNDS, self._loop, self._rounds)
                pipe.hincrbyfloat(SECONDS, self._loop, self._seconds)
                pipe.execute()
            self._rounds, self._seconds = 0, 0.0


def alive(redis: Redis, part: str) -> list[str]:
    """The processes ("host/number") that sent a heartbeat for this part lately. Raises RedisError."""
    members = redis.zrangebyscore(HEARTBEATS, _now(redis) - KEPT, "+inf")
    texts = [member.decode(errors="replace") for member in members if isinstance(member, bytes)]
    return [text.removeprefix(f"{part} ") for text in texts if text.startswith(f"{part} ")]


def rounds(redis: Redis) -> dict[str, int]:
    """Return how many seconds ago each loop finished a round, if within the last hour. Raises RedisError."""
    now = _now(redis)
    signs = cast("list[tuple[bytes, float]]", redis.zrange(HEARTBEATS, 0, -1, withscores=True))  # oldest first
    return {member.decode(errors="replace").rpartition(" ")[0]: now - int(seconds) for member, seconds in signs}


def _now(redis: Redis) -> int:
    seconds, _ = redis.time()
    return int(seconds)


def main(part: str) -> str:
    """Return what is wrong with this host's process for this part; empty if nothing is."""
    host = socket.gethostname()
    url = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
    with suppress(RedisError, ValueError), Redis.from_url(url, socket_timeout=5) as redis:
        processes = [process for process in alive(redis, part) if process.rpartition("/")[0] == host]
        return "" if processes else f"No {part} of {host} has sent a heartbeat for {KEPT} s."
    return "The broker that REDIS_URL names does not answer."


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m tournaments.core.broker.heartbeats PART, such as dispatcher")
    sys.exit(main(sys.argv[1]) or 0)
