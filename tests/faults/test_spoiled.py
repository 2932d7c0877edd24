"""Messages in the broker that nobody can read, or that no process of ours would send: the others go on.

`FUZZ_MESSAGES=10000 FUZZ_SEED=random python3 manage.py test tests/faults/test_spoiled.py` sends 10,000 to
each queue.
"""

import json
import os
import random
from typing import Any

import pytest
from redis import Redis, RedisError

from engine.records import to_plain
from tests.factories import a_ladder, a_version
from tests.faults import spoiled
from tests.faults.crew import Crew
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import FailingItem, Ladder, MatchSet
from workers.envelopes import LARGEST
from workers.orders import ORDERS, PLAY, RECORD, REPORTS, Report
from workers.process_heartbeats import RECORDERS, WORKERS, present
from workers.transport import ASIDE, KEPT

pytestmark = pytest.mark.django_db(transaction=True)
BUDGET = int(os.environ.get("FUZZ_MESSAGES", "150"))
SEED = os.environ.get("FUZZ_SEED", "13")
UNREADABLE = [b"5", spoiled.write(spoiled.envelope(RECORD, '{"a":1}')), b"not base64", b" " * (LARGEST + 1)]


@pytest.fixture
def broker(crew: Crew) -> Redis:
    crew.settings = "tournaments.settings"  # leases as they are in life: nothing here waits for their end
    return Redis.from_url(crew.broker.url)


def a_set() -> MatchSet:
    ladder = a_ladder(players=2, status=Ladder.Status.PAUSED)
    return create_set(ladder=ladder, versions=[a_version().pk, a_version().pk])


def is_played(played: MatchSet) -> bool:
    return MatchSet.objects.filter(pk=played.pk, status="complete").exists()


def all_here(broker: Redis) -> bool:
    return bool(present(broker, RECORDERS) and present(broker, WORKERS))


def test_what_nobody_can_read_is_set_aside_and_the_next_message_is_read(crew: Crew, broker: Redis) -> None:
    crew.start("recorder", "worker", "dispatcher")
    crew.until("all to be here", lambda: all_here(broker))
    first = dict(crew.running)
    with pytest.raises(RedisError):
        broker.lpush(REPORTS, b" " * (20 << 20))
    for queue in (REPORTS, ORDERS):
        for message in UNREADABLE:
            broker.lpush(queue, message)
    played = a_set()
    crew.until("the set", lambda: is_played(played))
    assert crew.running == first, "nobody was started again"
    expected = {(f"unreadable {what}", "messages", None, len(UNREADABLE)) for what in ("reports", "matches")}
    noted = FailingItem.objects.values_list("item", "loop", "next_try_at", "failures")
    crew.until("all to be noted", lambda: expected == set(noted.all()))
    assert f"a message has at most {LARGEST:,}" in FailingItem.objects.get(item="unreadable reports").reason


def test_no_drawn_message_ends_a_recorder_or_a_worker(crew: Crew, broker: Redis) -> None:
    crew.start("recorder", "worker", "dispatcher")
    crew.until("all to be here", lambda: all_here(broker))
    first, seed = dict(crew.running), random.randrange(1 << 32) if SEED == "random" else int(SEED)
    print(f"FUZZ_SEED={seed}")
    report: dict[str, Any] = to_plain(Report(1, 1, "tester/1", "played", replay=b"none"))
    for queue, task in ((REPORTS, RECORD), (ORDERS, PLAY)):
        drawn = spoiled.messages(seed, task, report)
        for _ in range(BUDGET):
            broker.lpush(queue, next(drawn))
    played = a_set()
    crew.until("the set", lambda: is_played(played), 90 + BUDGET / 10)
    assert crew.running == first, "nobody was started again"
    assert broker.llen(ASIDE) <= KEPT
    assert FailingItem.objects.exclude(item__startswith="unreadable").count() == 0, "nothing failed that was read"
    assert FailingItem.objects.count() <= 3


def test_garbage_under_the_keys_of_the_broker_ends_nobody(crew: Crew, broker: Redis) -> None:
    held = ("reports.unacked", "reports.unacked_index")
    for number, garbage in enumerate([b"5", b"{", b"[1,2,3]", json.dumps([{}, "", "elsewhere"]).encode(), b"\xff"]):
        broker.hset(held[0], str(number), garbage)
        broker.zadd(held[1], {str(number): 0, f"{number} is not there": 0})
    broker.set(REPORTS, "a text")
    broker.lpush("unacked:worker", "a list")
    broker.sadd("unacked:worker:index", "a set")
    broker.sadd(f"_kombu.binding.{ORDERS}", "odd", "a\x06\x16b\x06\x16c\x06\x16d")
    crew.start("recorder", "worker", "dispatcher")
    crew.until("all to be here", lambda: all_here(broker))
    first = dict(crew.running)
    played = a_set()
    crew.until("the set", lambda: is_played(played))
    crew.until("what was held to be gone", lambda: broker.zcard(held[1]) == 0)
    assert crew.running == first
