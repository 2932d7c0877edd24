"""A match told while it is played, and never disturbed by that."""

import json
import os
import socket
import time
from typing import Any

import pytest
from redis import Redis

from engine.replay import read_replay
from tests.workers.hall import HONEST, Site, an_order, own_database, until
from workers.live import STREAM
from workers.match import Kit, report_match
from workers.orders import Order


@pytest.fixture
def order(site: Site) -> Order:
    return an_order([site.put(HONEST + f"# {seat}\n") for seat in range(3)], matches=1, first=77)


def words(redis: Redis) -> list[dict[str, Any]]:
    entries: Any = redis.xrange(STREAM.format(77))
    return [json.loads(fields[b"word"]) for _, fields in entries]


def test_all_answers_are_told_in_order_and_then_the_end(order: Order, kit: Kit) -> None:
    with Redis.from_url(own_database(os.environ["REDIS_URL"])) as redis:
        redis.delete(STREAM.format(77))
        kit.live = redis
        replay = read_replay(report_match(order, order.matches[0], kit).replay)
        entries = until("the end", lambda: (heard := words(redis)) and heard[-1].get("over") and heard)
        assert isinstance(entries, list)
        assert [line for word in entries for line in word["answers"]] == replay.answers
        assert entries[0]["absent"] == {}
        assert [word["from"] for word in entries] == sorted(word["from"] for word in entries)
        assert replay.seed not in json.dumps(entries)
        assert 0 < redis.ttl(STREAM.format(77)) <= 60


def test_a_seat_whose_bot_did_not_start_is_told(order: Order, site: Site, kit: Kit) -> None:
    order.competitors[1] = site.put("raise SystemExit(1)\n")
    with Redis.from_url(own_database(os.environ["REDIS_URL"])) as redis:
        redis.delete(STREAM.format(77))
        kit.live = redis
        report_match(order, order.matches[0], kit)
        entries = until("a word", lambda: words(redis))
        assert list(entries[0]["absent"]) == ["1"]


def test_a_broker_that_is_away_or_hangs_disturbs_no_match(order: Order, kit: Kit) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        for port in (1, deaf.getsockname()[1]):
            kit.live = Redis(host="127.0.0.1", port=port, socket_timeout=1, socket_connect_timeout=1)
            began = time.monotonic()
            assert report_match(order, order.matches[0], kit).outcome == "played"
            assert time.monotonic() - began < 10
