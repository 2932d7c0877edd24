"""The queues this worker reads: those with orders that it can play, and none while it is drained or blocked.

The dispatcher notes at the broker to which queues for several languages it sends; a worker hears of them at its
heartbeats, and turns to a new one between two matches.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from kombu import Queue
from redis import Redis, RedisError

from workers.app import REDIS_URL, app
from workers.broker import Regularly
from workers.drain import rest, rest_reason
from workers.process_heartbeats import News, queues_in_use

Choice = Callable[[Collection[str]], Iterable[str]]
_choice: list[Choice] = []  # of the queues to read, by those in use
_used: list[frozenset[str]] = []  # as last heard


def subscribe(choice: Choice) -> None:
    """Choose the queues from the worker's start on."""
    _choice[:], _used[:] = [choice], [_in_use_now()]
    for queue in choice(_used[0]):
        app.amqp.queues.select_add(Queue(queue))


def _in_use_now() -> frozenset[str]:
    """The queues in use; none while the broker is away: they are heard of later."""
    try:
        with Redis.from_url(REDIS_URL, socket_timeout=5, socket_connect_timeout=5) as redis:
            return queues_in_use(redis)
    except RedisError:
        return frozenset()


def hear(news: News) -> None:
    rest(news.rest_reason)
    _used[:] = [news.used]


class Subscription(Regularly):
    """Turns to the queues that are to be read, and away from the others."""

    def do(self, consumer: Any) -> None:
        reads, due = set(consumer.app.amqp.queues.consume_from), _wanted()
        for queue in reads - due:
            consumer.cancel_task_queue(queue)
        for queue in due - reads:
            consumer.add_task_queue(queue)


def _wanted() -> set[str]:
    return set() if rest_reason() else {queue for choice in _choice for queue in choice(_used[0])}
