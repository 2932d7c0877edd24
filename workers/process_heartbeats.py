"""Heartbeats of processes: each one's name, its release and what it can run, in the broker for as long as it lives.

A broker may lose everything, so a missing name proves nothing. If a name's heartbeats stopped while the broker was up
all the time, the process has ended.
"""

import logging
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Event, Thread
from typing import NamedTuple, Self, cast

from redis import Redis, RedisError
from redis.exceptions import ResponseError

from workers.identity import space_of
from workers.isolation import Memory, keep_on
from workers.orders import USED, key_of

log = logging.getLogger(__name__)

# "name tag offers" by the broker's own time
WORKERS, PRACTISERS, RECORDERS = "boardroom:workers", "boardroom:practisers", "boardroom:recorders"
RESTING = "boardroom:resting"  # why a worker of that name is to take no more orders, where it is
EVERY, KEPT, FORGOTTEN = 2, 8, 3600  # seconds
MOST_HERE = 10_000  # processes of a kind and space that are read


@dataclass(frozen=True, slots=True)
class OnlineProcess:
    """A process that is online. `tag`: its release; `offers`: the languages and divisions that it can play."""

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

    @property
    def space(self) -> str:
        """The space whose worker it is; "" if it is the site's."""
        return space_of(self.name)

    def __str__(self) -> str:
        return f"{self.name} {self.tag} {','.join(sorted(self.offers))}"


class News(NamedTuple):
    """What a worker hears at its heartbeats: why it is to rest, or "", and the queues of orders that are in use."""

    rest_reason: str = ""
    used: frozenset[str] = frozenset()


class ProcessHeartbeats:
    """Sends heartbeats in a thread until `end`. Calls `on_news` when there are some."""

    def __init__(
        self, redis_url: str, process: OnlineProcess, on_news: Callable[[News], None] | None = None, key: str = ""
    ) -> None:
        self._redis = Redis.from_url(redis_url, socket_timeout=2, socket_connect_timeout=2)
        self._process, self._on_news, self._key = process, on_news, key or WORKERS
        self._news = News()
        self._ended = Event()
        self._thread = Thread(target=self._run, name="presence", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()
        with suppress(RedisError):
            self._redis.zrem(self._key, str(self._process))
        self._redis.close()

    def _run(self) -> None:
        keep_on("presence", self._announce, self._ended, Memory())

    def _announce(self) -> float:
        now = _now(self._redis)
        with self._redis.pipeline() as pipe:
            pipe.zadd(self._key, {str(self._process): now})
            pipe.zremrangebyscore(self._key, 0, now - FORGOTTEN)
            pipe.hget(RESTING, self._process.proven)
            reason = (pipe.execute()[2] or b"").decode(errors="replace")
        if self._on_news:
            self._tell(News(reason, queues_in_use(self._redis)), self._on_news)
        return EVERY

    def _tell(self, news: News, on_news: Callable[[News], None]) -> None:
        if news != self._news:
            on_news(news)
        self._news = news


def queues_in_use(redis: Redis, space: str = "") -> frozenset[str]:
    """Raises RedisError."""
    try:
        used = cast("list[bytes]", redis.zrange(key_of(space, USED), 0, -1))
    except ResponseError as error:
        _cannot_be_read(str(error))
        return frozenset()
    return frozenset(queue.decode(errors="replace") for queue in used)


@cache
def _cannot_be_read(reason: str) -> None:
    """Said once."""
    log.warning("%s cannot be read at the broker (%s): sets in several languages are not played here", USED, reason)


def present(redis: Redis, key: str = WORKERS, spaces: Iterable[str] = ()) -> list[OnlineProcess]:
    """The processes with a recent heartbeat, those of the workers of these spaces among them. Raises RedisError."""
    since = _now(redis) - KEPT
    return [process for space in ("", *spaces) for process in _members(redis, key, space, since, "+inf")]


def reasons_to_rest(redis: Redis) -> dict[str, str]:
    """The reasons of workers that must rest, by name. Raises RedisError."""
    reasons = cast("dict[bytes, bytes]", redis.hgetall(RESTING))
    return {name.decode(errors="replace"): reason.decode(errors="replace") for name, reason in reasons.items()}


def lapsed(redis: Redis, spaces: Collection[str] = ()) -> set[str]:
    """The names of workers whose heartbeats stopped. Raises RedisError.

    None where all stopped, or where the broker itself was away: then the broker missed them.
    """
    until = f"({_now(redis) - KEPT}"
    silent = [process for space in ("", *spaces) for process in _members(redis, WORKERS, space, "-inf", until)]
    if not silent or not present(redis, spaces=spaces) or _uptime(redis) < 2 * KEPT:
        return set()
    return {process.name for process in silent}


def _members(redis: Redis, key: str, space: str, since: float | str, until: float | str) -> list[OnlineProcess]:
    """A space's workers say that they are here where no others do, and only those that are its own are believed."""
    members = cast("list[bytes]", redis.zrangebyscore(key_of(space, key), since, until, start=0, num=MOST_HERE))
    return [process for process in map(_read, members) if process and process.space == space]


@lru_cache(maxsize=20_000)
def _read(member: bytes) -> OnlineProcess | None:
    """Read a member; cached, as a process says the same of itself every time."""
    parts = member.decode(errors="replace").split(" ")
    return OnlineProcess.of(parts[0], parts[1], parts[2].split(",")) if len(parts) == 3 else None


def _uptime(redis: Redis) -> int:
    return int(cast("dict[str, int]", redis.info("server"))["uptime_in_seconds"])


def _now(redis: Redis) -> int:
    seconds, _ = redis.time()
    return int(seconds)
