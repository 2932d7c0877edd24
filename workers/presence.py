"""Word of who is here: each process's name, its release and what it can run, in the broker for as long as it lives.

A broker may forget everything, and then nobody is named: absence says nothing. Silence does: of one that was heard of,
for a while, by a broker that was there to hear it.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from typing import Self, cast

from redis import Redis, RedisError

from workers.isolation import Memory, keep_on

# "name tag offers" by the broker's own time
WORKERS, PRACTISERS, RECORDERS = "boardroom:workers", "boardroom:practisers", "boardroom:recorders"
RESTING = "boardroom:resting"  # why a worker of that name is to take no more orders, where it is
EVERY, KEPT, FORGOTTEN = 2, 12, 3600  # seconds


@dataclass(frozen=True, slots=True)
class Here:
    """A process as it names itself. `tag`: which release it is of; `offers`: what orders may need of it."""

    name: str
    tag: str
    offers: frozenset[str]

    @classmethod
    def of(cls, name: str, tag: str, offers: Iterable[str] = ()) -> Self:
        return cls(name, tag, frozenset(offers))

    @property
    def proven(self) -> str:
        """The worker whose process it is."""
        return self.name.partition("/")[0]

    def __str__(self) -> str:
        return f"{self.name} {self.tag} {','.join(sorted(self.offers))}"


class Presence:
    """Keeps saying it, in a thread, until `end`. `told` hears why to rest, or "", whenever that changes."""

    def __init__(self, redis_url: str, here: Here, told: Callable[[str], None] | None = None, key: str = "") -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2)
        self._here, self._told, self._key = here, told, key or WORKERS
        self._reason = ""
        self._ended = Event()
        self._thread = Thread(target=self._run, name="presence", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(RedisError):
            self._redis.zrem(self._key, str(self._here))
        self._redis.close()

    def _run(self) -> None:
        keep_on("presence", self._say, self._ended, Memory())

    def _say(self) -> float:
        now = _now(self._redis)
        with self._redis.pipeline() as pipe:
            pipe.zadd(self._key, {str(self._here): now})
            pipe.zremrangebyscore(self._key, 0, now - FORGOTTEN)
            pipe.hget(RESTING, self._here.proven)
            reason = (pipe.execute()[2] or b"").decode(errors="replace")
        if self._told and reason != self._reason:
            self._told(reason)
        self._reason = reason
        return EVERY


def present(redis: Redis, key: str = WORKERS) -> list[Here]:
    """Who said so lately. Raises RedisError."""
    return _said(redis, key, _now(redis) - KEPT, "+inf")


def resting(redis: Redis) -> dict[str, str]:
    """Which workers are told to rest, by name, and why. Raises RedisError."""
    told = cast("dict[bytes, bytes]", redis.hgetall(RESTING))
    return {name.decode(errors="replace"): reason.decode(errors="replace") for name, reason in told.items()}


def lapsed(redis: Redis) -> set[str]:
    """The names of workers that have fallen silent. Raises RedisError.

    Nobody, where all are silent, or where the broker itself was away: then it is the broker who did not hear.
    """
    silent = _said(redis, WORKERS, "-inf", f"({_now(redis) - KEPT}")
    if not silent or not present(redis) or _uptime(redis) < 2 * KEPT:
        return set()
    return {here.name for here in silent}


def _said(redis: Redis, key: str, since: float | str, until: float | str) -> list[Here]:
    members = cast("list[bytes]", redis.zrangebyscore(key, since, until))
    parts = [member.decode(errors="replace").split(" ") for member in members]
    return [Here.of(name, tag, offers.split(",")) for name, tag, offers in (said for said in parts if len(said) == 3)]


def _uptime(redis: Redis) -> int:
    return int(cast("dict[str, int]", redis.info("server"))["uptime_in_seconds"])


def _now(redis: Redis) -> int:
    seconds, _ = redis.time()
    return int(seconds)
