"""Ends what is played once nobody waits for it: the site cancelled it, or sent it to somebody else.

The site keeps the present number of each lease and turn at the broker. A thread looks there, not a hook between two
answers, since one answer may take long.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from redis import Redis, RedisError

from workers.app import REDIS_URL
from workers.background_thread import BackgroundThread
from workers.isolation import Memory, keep_on
from workers.match import Kit

EVERY_S = 1.0

redis = Redis.from_url(REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def is_superseded(key: str, number: int) -> bool:
    """Return whether the lease or turn of that key has a higher number by now."""
    try:
        present = int(redis.get(key) or 0)
    except (RedisError, ValueError):
        return False  # Redis decides nothing: the site refuses what is stale
    return present > number


class Watch(BackgroundThread):
    """`is_over` is true once nobody waits for that lease or turn."""

    def __init__(self, key: str, number: int) -> None:
        super().__init__("watch")
        self.is_over = False
        self._key, self._number = key, number

    def _run(self) -> None:
        keep_on("watch", self._turn, self._stopped, Memory())

    def _turn(self) -> float:
        self.is_over = self.is_over or is_superseded(self._key, self._number)
        return EVERY_S


@contextmanager
def end_when_over(kit: Kit, key: str, number: int) -> Iterator[None]:
    """Let what is played with the kit in this block end once nobody waits for that lease or turn."""
    with Watch(key, number) as watch:
        kit.is_over = lambda: watch.is_over
        try:
            yield
        finally:
            kit.is_over = bool
