"""Which queues a worker reads, and what it says of itself."""

import os
from collections.abc import Iterator

import pytest
from redis import Redis

from tests.workers.hall import own_database, until
from workers.orders import queue_for, queues_for
from workers.presence import KEPT, WORKERS, Presence, present


@pytest.fixture
def address() -> Iterator[str]:
    address = own_database(os.environ["REDIS_URL"])
    with Redis.from_url(address) as redis:
        redis.flushdb()
        yield address
        redis.flushdb()


def test_an_order_for_python_alone_goes_to_everybody() -> None:
    assert queue_for({"python"}) == "matches"
    assert queues_for({"python"}) == ["matches"]


def test_an_order_goes_where_all_of_its_languages_are() -> None:
    assert queue_for(["python", "javascript", "c", "c"]) == "matches.c,javascript"
    assert queue_for({"c", "javascript"}) in queues_for({"python", "c", "c++", "javascript"})
    assert queue_for({"c", "javascript"}) not in queues_for({"python", "c", "c++"})


def test_a_worker_reads_a_queue_for_every_choice_of_its_languages() -> None:
    assert queues_for({"python", "c", "c++"}) == ["matches", "matches.c", "matches.c++", "matches.c,c++"]


def test_a_worker_is_known_with_its_languages_from_its_start_to_its_end(address: str) -> None:
    with Redis.from_url(address) as redis:
        one, other = (Presence(address, f"host/{n}", offers) for n, offers in enumerate((["python"], ["python", "c"])))
        until("both to be known", lambda: len(present(redis)) == 2)
        assert {"python", "c"} in present(redis)
        other.end()
        assert present(redis) == [{"python"}]
        one.end()
        assert present(redis) == []


def test_a_worker_not_heard_of_for_a_while_is_not_there(address: str) -> None:
    with Redis.from_url(address) as redis:
        seconds, _ = redis.time()
        redis.zadd(WORKERS, {"dead/1 python": int(seconds) - KEPT - 1, "alive/1 c,python": int(seconds)})
        assert present(redis) == [{"c", "python"}]
