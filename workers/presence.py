"""Word of who is here: each worker's name and what it can run, in the broker for as long as it lives.

The site reads from it what nobody here can play. A broker may forget everything: that nobody is named says nothing.
"""

from collections.abc import Iterable
from contextlib import suppress
from threading import Event, Thread

from redis import Redis, RedisError

WORKERS = "boardroom:workers"  # "name offers" by the broker's own time
EVERY, KEPT = 15, 50  # seconds


class Presence:
    """Keeps saying it, in a thread, until `end`."""

    def __init__(self, redis_url: str, name: str, offers: Iterable[str]) -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2)
        self._said = f"{name} {','.join(sorted(offers))}"
        self._ended = Event()
        self._thread = Thread(target=self._run, name="presence", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(RedisError):
            self._redis.zrem(WORKERS, self._said)
        self._redis.close()

    def _run(self) -> None:
        while not self._ended.is_set():
            with suppress(RedisError):
                now = _now(self._redis)
                self._redis.zadd(WORKERS, {self._said: now})
                self._redis.zremrangebyscore(WORKERS, 0, now - KEPT)
            self._ended.wait(EVERY)


def present(redis: Redis) -> list[set[str]]:
    """What each worker offers that said so lately. Raises RedisError."""
    said = redis.zrangebyscore(WORKERS, _now(redis) - KEPT, "+inf")
    return [set(member.decode().rpartition(" ")[2].split(",")) for member in said if isinstance(member, bytes)]


def _now(redis: Redis) -> int:
    seconds, _ = redis.time()
    return int(seconds)
