"""A real Celery worker at the real broker: what it takes, it takes one by one, however long it has run."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.workers.hall import ROOT, Hall, until
from tests.workers.quick_worker import ALLOWED, HELD
from workers.orders import ORDERS

MANY = 10_000
LEFT = (8_000, 6_000, 4_000)  # of them, where connections are cut
LONG = 300.0  # seconds at most from one of these to the next, on a busy machine


@contextmanager
def a_quick_worker(hall: Hall) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.workers.quick_worker", hall.redis_url]
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            yield
        finally:
            process.kill()


def message(hall: Hall, **content: object) -> bytes:
    """Return the message as Celery writes it."""
    hall.send(content)
    written = hall.redis.rpop(ORDERS)
    assert isinstance(written, bytes)
    return written


def cut_connections(hall: Hall) -> None:
    database = hall.redis.connection_pool.connection_kwargs["db"]
    for client in hall.redis.client_list():
        if int(client["db"]) == database and int(client["id"]) != hall.redis.client_id():
            hall.redis.client_kill_filter(_id=client["id"])


def has_at_most(hall: Hall, messages: int) -> bool:
    return hall.redis.llen(ORDERS) <= messages


def test_after_ten_thousand_orders_and_lost_connections_a_worker_still_holds_one(hall: Hall) -> None:
    quick, slow = message(hall), message(hall, until="go")
    hall.redis.lpush(ORDERS, *[quick] * MANY)
    with a_quick_worker(hall):
        for left in LEFT:
            until("a part", partial(has_at_most, hall, left), LONG)
            cut_connections(hall)
        until("all taken", partial(has_at_most, hall, 0), LONG)
        until("all done", lambda: not hall.redis.hlen(str(HELD["unacked_key"])))
        hall.redis.lpush(ORDERS, *[slow] * 5)
        until("one of the slow", lambda: hall.redis.hlen(str(HELD["unacked_key"])))
        assert (hall.redis.hlen(str(HELD["unacked_key"])), hall.redis.llen(ORDERS)) == (1, 4)
        hall.redis.lpush("go", *range(5))
        until("the rest", lambda: not hall.redis.llen(ORDERS))
        hall.redis.delete(ALLOWED)
        until("what it allows itself now", lambda: hall.redis.llen(ALLOWED))
        assert set(hall.redis.lrange(ALLOWED, 0, -1)) == {b"1"}
